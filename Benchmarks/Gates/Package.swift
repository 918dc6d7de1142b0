// swift-tools-version: 6.0
// What is counted instead of timed: allocations, sizes, instructions. Needs the
// library and nothing else, so that a fresh clone can run it without fetching anything (`.ci/allocations`,
// `../instructions`).
import PackageDescription

let package = Package(
  name: "Gates",
  platforms: [.macOS(.v15)],
  dependencies: [.package(name: "DynamicPromise", path: "../..")],
  targets: [
    .target(name: "CAllocations"),
    .target(name: "Toy"),
    .target(
      name: "GateKit", dependencies: ["Toy", .product(name: "DynamicPromise", package: "DynamicPromise")]),
    .executableTarget(
      name: "gates",
      dependencies: [
        "CAllocations", "GateKit", .product(name: "DynamicPromise", package: "DynamicPromise"),
      ]),
    .testTarget(name: "GateTests", dependencies: ["GateKit", "Toy"]),
  ],
  swiftLanguageModes: [.v6]
)
