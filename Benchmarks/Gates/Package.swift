// swift-tools-version: 6.0
// Counts allocations, sizes and instructions, instead of measuring time. A fresh clone can run this package
// without downloads (`Benchmarks/allocations`, `../instructions`), because it needs only the library.
import PackageDescription

let package = Package(
  name: "Gates",
  platforms: [.macOS(.v15)],
  dependencies: [.package(name: "DynamicPromise", path: "../..")],
  targets: [
    .target(name: "BenchmarkKit"),
    .target(name: "CAllocations"),
    .target(name: "Toy"),
    .target(
      name: "GateKit",
      dependencies: ["BenchmarkKit", .product(name: "DynamicPromise", package: "DynamicPromise")]),
    .executableTarget(
      name: "gates",
      dependencies: [
        "BenchmarkKit", "CAllocations", "GateKit",
        .product(name: "DynamicPromise", package: "DynamicPromise"),
      ]),
    .executableTarget(
      name: "fairness",
      dependencies: ["BenchmarkKit", .product(name: "DynamicPromise", package: "DynamicPromise")]),
    .testTarget(name: "BenchmarkKitTests", dependencies: ["BenchmarkKit"]),
  ],
  swiftLanguageModes: [.v6]
)
