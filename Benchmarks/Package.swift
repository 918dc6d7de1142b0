// swift-tools-version: 6.0
// Compares the library with its peers (README.md). `Gates` is a package of its own, because it needs no
// downloads. It also has the tests.
import PackageDescription

let package = Package(
  name: "Benchmarks",
  platforms: [.macOS(.v15)],
  dependencies: [
    .package(name: "DynamicPromise", path: ".."),
    .package(url: "https://github.com/apple/swift-nio.git", exact: "2.101.2"),
    .package(url: "https://github.com/OpenCombine/OpenCombine.git", exact: "0.14.0"),
  ],
  targets: [
    .target(name: "Toy", path: "Gates/Sources/Toy"),
    .target(
      name: "GateKit",
      dependencies: [.product(name: "DynamicPromise", package: "DynamicPromise")],
      path: "Gates/Sources/GateKit"),
    .target(name: "BenchmarkKit", path: "Gates/Sources/BenchmarkKit"),
    .target(name: "CHeap", path: "Sources/CHeap"),
    .executableTarget(
      name: "benchmarks",
      dependencies: [
        "BenchmarkKit", "CHeap", "Toy", "GateKit",
        .product(name: "DynamicPromise", package: "DynamicPromise"),
        .product(name: "NIOCore", package: "swift-nio"),
        .product(name: "NIOPosix", package: "swift-nio"),
        .product(name: "OpenCombine", package: "OpenCombine"),
      ],
      path: "Sources/benchmarks",
      exclude: ["Contenders/Node/workloads.js"]),
  ],
  swiftLanguageModes: [.v6]
)
