// swift-tools-version: 6.0
import PackageDescription

let package = Package(
  name: "TinyPromise",
  platforms: [.macOS(.v15), .iOS(.v18), .tvOS(.v18), .watchOS(.v11), .visionOS(.v2)],
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
