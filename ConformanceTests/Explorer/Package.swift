// swift-tools-version: 6.0
// The core compiled once more, with its synchronisation swapped for one that a scheduler decides (README.md).
import PackageDescription

let package = Package(
  name: "Explorer",
  platforms: [.macOS(.v15)],
  targets: [
    .target(name: "Scheduler", path: "Scheduler"),
    .target(
      name: "DynamicPromise",
      dependencies: ["Scheduler"],
      path: "Core",
      exclude: ["Library/Machine/Sync.swift"]),
    .executableTarget(name: "explore", dependencies: ["DynamicPromise", "Scheduler"], path: "Explore"),
  ],
  swiftLanguageModes: [.v6]
)
