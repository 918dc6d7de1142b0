// swift-tools-version: 6.0
// Runs the suite on other libraries' futures (../../../docs/peers.md). The package is separate, because it
// fetches these libraries.
import PackageDescription

let package = Package(
  name: "Peers",
  platforms: [.macOS(.v15)],
  dependencies: [
    .package(name: "DynamicPromise", path: "../../.."),
    .package(url: "https://github.com/apple/swift-nio.git", exact: "2.101.2"),
    .package(url: "https://github.com/OpenCombine/OpenCombine.git", exact: "0.14.0"),
  ],
  targets: [
    .executableTarget(
      name: "peers",
      dependencies: [
        .product(name: "DynamicPromise", package: "DynamicPromise"),
        .product(name: "PromisesAPlusSuite", package: "DynamicPromise"),
        .product(name: "NIOCore", package: "swift-nio"),
        .product(name: "NIOPosix", package: "swift-nio"),
        .product(name: "OpenCombine", package: "OpenCombine"),
      ])
  ],
  swiftLanguageModes: [.v6]
)
