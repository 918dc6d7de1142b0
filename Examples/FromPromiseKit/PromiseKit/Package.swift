// swift-tools-version: 6.0
import PackageDescription

let package = Package(
  name: "PromiseKit",
  platforms: [.macOS(.v13)],
  products: [.library(name: "PromiseKit", targets: ["PromiseKit"])],
  dependencies: [.package(name: "DynamicPromise", path: "../../..")],
  targets: [
    .target(
      name: "PromiseKit", dependencies: [.product(name: "PromiseKitTypes", package: "DynamicPromise")])
  ]
)
