// swift-tools-version: 6.0
// Compiles and tests the library's Combine file on systems without Combine. There, OpenCombine replaces
// Combine. This is a separate package, because it fetches OpenCombine.
import PackageDescription

let openCombine = Target.Dependency.product(name: "OpenCombine", package: "OpenCombine")
let promises = Target.Dependency.product(name: "DynamicPromise", package: "DynamicPromise")

let package = Package(
  name: "CombineTests",
  platforms: [.macOS(.v13)],
  dependencies: [
    .package(name: "DynamicPromise", path: "../../.."),
    .package(url: "https://github.com/OpenCombine/OpenCombine.git", exact: "0.14.0"),
  ],
  targets: [
    // Only for systems without Combine: on Apple's platforms, this target would hide the real Combine.
    .target(name: "Combine", dependencies: [openCombine], path: "StandIn"),
    // The folder contains links to the library's own files. `.ci/run combine` makes the links.
    .target(name: "Bridge", dependencies: ["Combine", promises], path: "Bridge"),
    .testTarget(name: "CombineTests", dependencies: ["Bridge", "Combine", promises], path: "Tests"),
  ],
  swiftLanguageModes: [.v6]
)
