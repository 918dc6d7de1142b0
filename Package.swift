// swift-tools-version: 6.0
import PackageDescription

/// A test target in `ConformanceTests/Tests`.
func tests(_ name: String, _ dependencies: [Target.Dependency]) -> Target {
  .testTarget(name: name, dependencies: dependencies, path: "ConformanceTests/Tests/\(name)")
}

let package = Package(
  name: "DynamicPromise",
  platforms: [.macOS(.v13), .iOS(.v16), .tvOS(.v16), .watchOS(.v9), .visionOS(.v1)],
  products: [
    .library(name: "DynamicPromise", targets: ["DynamicPromise"]),
    .library(name: "DynamicPromiseFoundation", targets: ["DynamicPromiseFoundation"]),
    .library(name: "DynamicPromisePatterns", targets: ["DynamicPromisePatterns"]),
    .library(name: "DynamicPromiseDiagnostics", targets: ["DynamicPromiseDiagnostics"]),
    .library(name: "DynamicPromiseTesting", targets: ["DynamicPromiseTesting"]),
    .library(name: "PromiseKitTypes", targets: ["PromiseKitTypes"]),
    .library(name: "PromisesAPlusSuite", targets: ["PromisesAPlusSuite"]),
    .executable(name: "conformance", targets: ["conformance"]),
  ],
  targets: [
    // The libraries.
    .target(
      name: "DynamicPromise",
      dependencies: [
        .target(name: "CAtomicWord", condition: .when(platforms: [.macOS, .iOS, .tvOS, .watchOS, .visionOS]))
      ]),
    .target(name: "CAtomicWord"),
    .target(name: "DynamicPromiseFoundation", dependencies: ["DynamicPromise"]),
    .target(name: "DynamicPromisePatterns", dependencies: ["DynamicPromise"]),
    .target(name: "DynamicPromiseDiagnostics", dependencies: ["DynamicPromise"]),
    .target(name: "DynamicPromiseTesting", dependencies: ["DynamicPromise"]),
    .target(name: "PromiseKitTypes", dependencies: ["DynamicPromise", "DynamicPromiseFoundation"]),

    // The Promises/A+ suite, the program that runs it on DynamicPromise, and the package that others copy.
    .target(name: "PromisesAPlusSuite", path: "ConformanceTests/Suite"),
    .executableTarget(
      name: "conformance",
      dependencies: [
        "DynamicPromise", "DynamicPromiseFoundation", "DynamicPromiseTesting", "PromisesAPlusSuite",
      ],
      path: "ConformanceTests/Runner"),
    .target(name: "TinyPromise", path: "ConformanceTests/Template/Sources/TinyPromise"),
    .testTarget(
      name: "TinyPromiseTests",
      dependencies: ["TinyPromise", "PromisesAPlusSuite"],
      path: "ConformanceTests/Template/Tests/TinyPromiseTests"),

    // The tests.
    .target(
      name: "TestSupport", dependencies: ["DynamicPromise"], path: "ConformanceTests/Tests/TestSupport"),
    tests(
      "CoreTests",
      [
        "DynamicPromise", "DynamicPromiseTesting", "DynamicPromiseDiagnostics", "ExecutableSpec",
        "TestSupport",
      ]),
    tests("FoundationTests", ["DynamicPromise", "DynamicPromiseFoundation", "TestSupport"]),
    tests(
      "PatternsTests",
      [
        "DynamicPromise", "DynamicPromiseDiagnostics", "DynamicPromisePatterns", "DynamicPromiseTesting",
        "TestSupport",
      ]),
    tests(
      "DiagnosticsTests",
      ["DynamicPromise", "DynamicPromiseDiagnostics", "DynamicPromiseTesting", "TestSupport"]),
    tests("TestingTests", ["DynamicPromise", "DynamicPromiseTesting", "TestSupport"]),
    tests("PromiseKitTypesTests", ["PromiseKitTypes", "TestSupport"]),
    tests("SuiteTests", ["PromisesAPlusSuite", "TinyPromise"]),
    // Depends on the executables, because the tests also run them as processes.
    tests("RunnerTests", ["PromisesAPlusSuite", "conformance", "crashing"]),
    .executableTarget(
      name: "crashing", dependencies: ["PromisesAPlusSuite"], path: "ConformanceTests/Tests/Crashing"),
    tests(
      "DocsTests",
      [
        "DynamicPromise", "DynamicPromiseFoundation", "DynamicPromisePatterns", "DynamicPromiseTesting",
        "DynamicPromiseDiagnostics", "TestSupport",
      ]),
    .testTarget(
      name: "CompileCorpus",
      dependencies: ["DynamicPromise", "TestSupport"],
      path: "ConformanceTests/Clients/CompileCorpus",
      exclude: ["Checking", "Negative"]),

    // Programs that look for unknown faults.
    .target(
      name: "ExecutableSpec",
      dependencies: ["DynamicPromise", "DynamicPromiseTesting", "PromisesAPlusSuite"],
      path: "ConformanceTests/Net/Programs",
      exclude: ["Command"]),
    .executableTarget(
      name: "programs",
      dependencies: ["DynamicPromise", "ExecutableSpec", "PromisesAPlusSuite"],
      path: "ConformanceTests/Net/Programs/Command"),
  ],
  swiftLanguageModes: [.v6]
)
