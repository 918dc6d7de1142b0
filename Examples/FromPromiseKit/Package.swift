// swift-tools-version: 6.0
// Two ways to keep `import PromiseKit` in every source file (../README.md).
import PackageDescription

let package = Package(
  name: "FromPromiseKit",
  platforms: [.macOS(.v13)],
  dependencies: [
    .package(name: "DynamicPromise", path: "../.."),
    .package(path: "PromiseKit"),
    .package(path: "PMKProcess"),
  ],
  targets: [
    // The compiler reads `PromiseKit` as `PromiseKitTypes`. SwiftPM allows this flag in a root package only.
    .executableTarget(
      name: "dinner",
      dependencies: [.product(name: "PromiseKitTypes", package: "DynamicPromise")],
      swiftSettings: [.unsafeFlags(["-module-alias", "PromiseKit=PromiseKitTypes"])]),

    // A local package has PromiseKit's name, so packages that depend on PromiseKit depend on it instead.
    .executableTarget(
      name: "checksums",
      dependencies: [
        .product(name: "PMKProcess", package: "PMKProcess"),
        .product(name: "PromiseKit", package: "PromiseKit"),
      ]),
  ],
  swiftLanguageModes: [.v5]
)
