// swift-tools-version: 6.0
import PackageDescription

let package = Package(
  name: "TinyPromise",
  platforms: [.macOS(.v13), .iOS(.v16), .tvOS(.v16), .watchOS(.v9), .visionOS(.v1)],
  dependencies: [
    // In a copy: .package(url: "<this repository>", branch: "main")
    .package(name: "DynamicPromise", path: "../..")
  ],
  targets: [
    .target(name: "TinyPromise"),
    .testTarget(
      name: "TinyPromiseTests",
      dependencies: ["TinyPromise", .product(name: "PromisesAPlusSuite", package: "DynamicPromise")]),
  ],
  swiftLanguageModes: [.v6]
)
