// swift-tools-version: 6.0
// The core compiled once more, with its locks swapped for some that a scheduler decides about (README.md).
import PackageDescription

let package = Package(
  name: "Explorer",
  platforms: [.macOS(.v15)],
  targets: [
    .target(name: "Hooks", path: "Hooks"),
    // Always optimized: it runs for longer than what it looks at.
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
