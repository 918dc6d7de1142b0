// swift-tools-version: 6.0
// Runs the suite on other libraries' futures. The package is separate, because it
// fetches these libraries.
import PackageDescription

let package = Package(
  name: "Peers",
  platforms: [.macOS(.v13)],
  dependencies: [
    .package(name: "DynamicPromise", path: "../../.."),
    .package(url: "https://github.com/apple/swift-nio.git", exact: "2.101.2"),
  ],
  targets: [
    .executableTarget(
      name: "peers",
      dependencies: [
        .product(name: "PromisesAPlusSuite", package: "DynamicPromise"),
        .product(name: "NIOCore", package: "swift-nio"),
        .product(name: "NIOPosix", package: "swift-nio"),
      ])
  ],
  swiftLanguageModes: [.v6]
)
