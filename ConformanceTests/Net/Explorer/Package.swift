// swift-tools-version: 6.0
// Compiles the core again, with locks that a scheduler controls (README.md).
import PackageDescription

let package = Package(
  name: "Explorer",
  platforms: [.macOS(.v15)],
  targets: [
    .target(name: "Hooks", path: "Hooks"),
    // This target is always optimized, because the scheduler takes more time than the programs that it runs.
    .target(
      name: "Scheduler", dependencies: ["Hooks"], path: "Scheduler", swiftSettings: [.unsafeFlags(["-O"])]),
    .target(
      name: "DynamicPromise",
      dependencies: ["Scheduler"],
      path: "Core",
      exclude: [
        "Library/Machine/Limits.swift", "Library/Memory/CurrentThread.swift", "Library/Memory/SpinLock.swift",
      ]),
    .executableTarget(name: "explore", dependencies: ["DynamicPromise", "Scheduler"], path: "Explore"),
  ],
  swiftLanguageModes: [.v6]
)
