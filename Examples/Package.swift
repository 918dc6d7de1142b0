// swift-tools-version: 6.0
// Programs that use the library (README.md). `Service` is a separate package, because it needs SwiftNIO.
import PackageDescription

let package = Package(
  name: "Examples",
  platforms: [.macOS(.v13)],
  dependencies: [.package(name: "DynamicPromise", path: "..")],
  targets: [
    .executableTarget(
      name: "fetch",
      dependencies: [
        .product(name: "DynamicPromise", package: "DynamicPromise"),
        .product(name: "DynamicPromiseFoundation", package: "DynamicPromise"),
      ]),
    .testTarget(
      name: "FetchTests",
      dependencies: [
        "fetch",
        .product(name: "DynamicPromise", package: "DynamicPromise"),
        .product(name: "DynamicPromiseFoundation", package: "DynamicPromise"),
      ]),
  ],
  swiftLanguageModes: [.v6]
)
