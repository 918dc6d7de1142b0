import XCTest

/// Runs the body of a synchronous test on the main actor. Test functions of the main actor itself must be
/// asynchronous with Swift 6.0, whose package manager calls the others from outside.
func onMainActor<Test: XCTestCase>(_ test: Test, _ body: @MainActor (Test) throws -> Void) rethrows {
  nonisolated(unsafe) let test = test
  try MainActor.assumeIsolated { try body(test) }
}
