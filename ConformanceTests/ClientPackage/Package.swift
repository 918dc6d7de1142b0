// swift-tools-version: 6.0
import PackageDescription

// A program that uses every public function, with complete concurrency checking and warnings as errors.
// `.ci/client-package` builds and runs the program, and lists functions that the program does not use.
let package = Package(
  name: "ClientPackage",
  platforms: [.macOS(.v15), .iOS(.v18), .tvOS(.v18), .watchOS(.v11), .visionOS(.v2)],
  dependencies: [.package(name: "DynamicPromise", path: "../..")],
  targets: [
    .executableTarget(
      name: "client",
      dependencies: [
        .product(name: "DynamicPromise", package: "DynamicPromise"),
        .product(name: "DynamicPromiseDiagnostics", package: "DynamicPromise"),
        .product(name: "PromiseKitNames", package: "DynamicPromise"),
        .product(name: "PromiseKitTypes", package: "DynamicPromise"),
        .product(name: "DynamicPromisePatterns", package: "DynamicPromise"),
      ],
      swiftSettings: [.unsafeFlags(["-warnings-as-errors"])])
  ],
  swiftLanguageModes: [.v6]
)
