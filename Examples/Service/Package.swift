// swift-tools-version: 6.0
// A small HTTP service on SwiftNIO (../README.md). It is a separate package, so that `fetch` builds without
// SwiftNIO.
import PackageDescription

let package = Package(
  name: "Service",
  platforms: [.macOS(.v13)],
  dependencies: [
    .package(name: "DynamicPromise", path: "../.."),
    .package(url: "https://github.com/apple/swift-nio.git", exact: "2.101.2"),
  ],
  targets: [
    .executableTarget(
      name: "notes",
      dependencies: [
        .product(name: "DynamicPromise", package: "DynamicPromise"),
        .product(name: "NIOPosix", package: "swift-nio"),
        .product(name: "NIOHTTP1", package: "swift-nio"),
      ]),
    .testTarget(
      name: "NotesTests",
      dependencies: [
        "notes",
        .product(name: "DynamicPromiseFoundation", package: "DynamicPromise"),
      ]),
  ],
  swiftLanguageModes: [.v6]
)
