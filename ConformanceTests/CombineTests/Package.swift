// swift-tools-version: 6.0
// The library's Combine file, compiled and tested where there is no Combine: OpenCombine replaces it. A
// package of its own, for it fetches that.
import PackageDescription

let openCombine = Target.Dependency.product(name: "OpenCombine", package: "OpenCombine")
let promises = Target.Dependency.product(name: "DynamicPromise", package: "DynamicPromise")

let package = Package(
  name: "CombineTests",
  platforms: [.macOS(.v15)],
  dependencies: [
    .package(name: "DynamicPromise", path: "../.."),
    .package(url: "https://github.com/OpenCombine/OpenCombine.git", exact: "0.14.0"),
  ],
  targets: [
    // (On Apple's systems it would hide the real one.)
    .target(name: "Combine", dependencies: [openCombine], path: "StandIn"),
    // Links to the library's own files, which `.ci/run combine` makes.
    .target(name: "Bridge", dependencies: ["Combine", promises], path: "Bridge"),
    .testTarget(name: "CombineTests", dependencies: ["Bridge", "Combine", promises], path: "Tests"),
  ],
  swiftLanguageModes: [.v6]
)
