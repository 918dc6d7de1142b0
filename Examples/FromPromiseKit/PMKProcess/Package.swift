// swift-tools-version: 6.0
// As a third party would publish it. SwiftPM takes the local package of the root instead of this address.
import PackageDescription

let package = Package(
  name: "PMKProcess",
  platforms: [.macOS(.v13)],
  products: [.library(name: "PMKProcess", targets: ["PMKProcess"])],
  dependencies: [.package(url: "https://github.com/mxcl/PromiseKit", from: "8.0.0")],
  targets: [
    .target(name: "PMKProcess", dependencies: [.product(name: "PromiseKit", package: "PromiseKit")])
  ],
  swiftLanguageModes: [.v5]
)
