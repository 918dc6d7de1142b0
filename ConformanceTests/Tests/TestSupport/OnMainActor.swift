import XCTest

/// Runs the body of a synchronous test on the main actor. The test method itself cannot be isolated to the
/// main actor, because Swift 6.0 calls synchronous test methods outside of it.
public func onMainActor<Test: XCTestCase>(_ test: Test, _ body: @MainActor (Test) throws -> Void) rethrows {
  nonisolated(unsafe) let test = test
  try MainActor.assumeIsolated { try body(test) }
}
