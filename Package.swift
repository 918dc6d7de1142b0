// swift-tools-version: 6.0
import PackageDescription

let package = Package(
  name: "DynamicPromise",
  // Synchronization (Atomic) sets the Apple floor.
  platforms: [.macOS(.v15), .iOS(.v18), .tvOS(.v18), .watchOS(.v11), .visionOS(.v2)],
  products: [
    .library(name: "DynamicPromise", targets: ["DynamicPromise"]),
    .library(name: "PromisesAPlusSuite", targets: ["PromisesAPlusSuite"]),
    .library(name: "DynamicPromiseTesting", targets: ["DynamicPromiseTesting"]),
    .library(name: "DynamicPromiseDiagnostics", targets: ["DynamicPromiseDiagnostics"]),
    .executable(name: "conformance", targets: ["conformance"]),
    .library(name: "DynamicPromiseFoundation", targets: ["DynamicPromiseFoundation"]),
    .library(name: "PromiseKitNames", targets: ["PromiseKitNames"]),
    .library(name: "PromiseKitTypes", targets: ["PromiseKitTypes"]),
    .library(name: "DynamicPromisePatterns", targets: ["DynamicPromisePatterns"]),
  ],
  targets: [
    .target(name: "DynamicPromise", path: "Sources/DynamicPromise"),
    .target(name: "PromisesAPlusSuite", dependencies: ["Seeds"], path: "ConformanceTests/Suite"),
    .target(name: "Seeds", path: "ConformanceTests/Seeds"),
    .executableTarget(
      name: "conformance",
      dependencies: [
        "DynamicPromise", "DynamicPromiseFoundation", "DynamicPromiseTesting", "PromisesAPlusSuite",
        "RunnerKit",
      ],
      path: "ConformanceTests/Runner"),
    // A package of its own, for others to copy; its tests run with these.
    .target(name: "TinyPromise", path: "ConformanceTests/Template/Sources/TinyPromise"),
    .testTarget(
      name: "TinyPromiseTests",
      dependencies: ["TinyPromise", "PromisesAPlusSuite"],
      path: "ConformanceTests/Template/Tests/TinyPromiseTests"),
    .testTarget(
      name: "SuiteTests",
      dependencies: ["PromisesAPlusSuite", "TinyPromise"],
      path: "ConformanceTests/SuiteTests"),
    .testTarget(
      name: "CoreTests",
      dependencies: [
        "DynamicPromise", "DynamicPromiseTesting", "DynamicPromiseDiagnostics", "ExecutableSpec",
        "Growth", "Seeds", "TestSupport",
      ],
      path: "ConformanceTests/CoreTests"),
    .testTarget(
      name: "SpecTests",
      dependencies: ["PromisesAPlusSuite"],
      path: "ConformanceTests/SpecTests"),
    .target(
      name: "RunnerKit",
      dependencies: ["PromisesAPlusSuite"],
      path: "ConformanceTests/RunnerKit"),
    .testTarget(
      name: "RunnerTests",
      // Depends on the executables, because the tests also run them as processes.
      dependencies: ["RunnerKit", "PromisesAPlusSuite", "conformance", "crashing"],
      path: "ConformanceTests/RunnerTests"),
    .executableTarget(
      name: "crashing",
      dependencies: ["PromisesAPlusSuite"],
      path: "ConformanceTests/Crashing"),
    .target(
      name: "TestSupport",
      dependencies: ["DynamicPromise"],
      path: "ConformanceTests/TestSupport"),
    .testTarget(
      name: "CompileCorpus",
      dependencies: ["DynamicPromise", "TestSupport"],
      path: "ConformanceTests/CompileCorpus",
      exclude: ["Checking", "Isolation", "Negative"]),
    .testTarget(
      name: "DocsTests",
      dependencies: [
        "DynamicPromise", "DynamicPromiseFoundation", "DynamicPromisePatterns", "DynamicPromiseTesting",
        "DynamicPromiseDiagnostics", "PromiseKitNames", "TestSupport",
      ],
      path: "ConformanceTests/DocsTests"),
    .executableTarget(
      name: "stress",
      dependencies: ["DynamicPromise", "DynamicPromiseDiagnostics", "ExecutableSpec", "Seeds"],
      path: "ConformanceTests/Stress"),
    .executableTarget(
      name: "growth",
      dependencies: ["Growth", "DynamicPromise"],
      path: "ConformanceTests/GrowthRunner"),
    .target(
      name: "Growth",
      dependencies: [
        "DynamicPromise", "DynamicPromiseDiagnostics", "DynamicPromisePatterns", "DynamicPromiseTesting",
      ],
      path: "ConformanceTests/Growth"),
    .target(
      name: "ExecutableSpec",
      dependencies: ["DynamicPromise", "DynamicPromiseTesting", "Seeds"],
      path: "ConformanceTests/ExecutableSpec"),
    .target(
      name: "DynamicPromiseFoundation",
      dependencies: ["DynamicPromise"],
      path: "Sources/DynamicPromiseFoundation"),
    .testTarget(
      name: "FoundationTests",
      dependencies: ["DynamicPromise", "DynamicPromiseFoundation", "TestSupport"],
      path: "ConformanceTests/FoundationTests"),
    .target(
      name: "DynamicPromiseTesting",
      dependencies: ["DynamicPromise"],
      path: "Sources/DynamicPromiseTesting"),
    .testTarget(
      name: "TestingTests",
      dependencies: ["DynamicPromise", "DynamicPromiseTesting", "TestSupport"],
      path: "ConformanceTests/TestingTests"),
    .target(
      name: "DynamicPromiseDiagnostics",
      dependencies: ["DynamicPromise"],
      path: "Sources/DynamicPromiseDiagnostics"),
    .testTarget(
      name: "DiagnosticsTests",
      dependencies: ["DynamicPromise", "DynamicPromiseDiagnostics", "DynamicPromiseTesting", "TestSupport"],
      path: "ConformanceTests/DiagnosticsTests"),
    .target(
      name: "PromiseKitNames",
      dependencies: ["DynamicPromise"],
      path: "Sources/PromiseKitNames"),
    .testTarget(
      name: "PromiseKitNamesTests",
      dependencies: ["PromiseKitNames", "DynamicPromiseTesting", "TestSupport"],
      path: "ConformanceTests/PromiseKitNamesTests"),
    .target(
      name: "PromiseKitTypes",
      dependencies: ["DynamicPromise", "DynamicPromiseFoundation"],
      path: "Sources/PromiseKitTypes"),
    .testTarget(
      name: "PromiseKitTypesTests",
      dependencies: ["PromiseKitTypes", "TestSupport"],
      path: "ConformanceTests/PromiseKitTypesTests"),
    .target(
      name: "DynamicPromisePatterns",
      dependencies: ["DynamicPromise"],
      path: "Sources/DynamicPromisePatterns"),
    .testTarget(
      name: "PatternsTests",
      dependencies: ["DynamicPromise", "DynamicPromisePatterns", "DynamicPromiseTesting", "TestSupport"],
      path: "ConformanceTests/PatternsTests"),
  ],
  swiftLanguageModes: [.v6]
)

// The slower builds of `.ci/run` leave out the test targets that they do not run.
if let wanted = Context.environment["DYNAMIC_PROMISE_TESTS"]?.split(separator: " ") {
  package.targets.removeAll { $0.type == .test && !wanted.contains(Substring($0.name)) }
}
