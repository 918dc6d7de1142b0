// For the tests of lost rejections: a hook that remembers, and a base that puts the former one back.

import DynamicPromise
import XCTest

/// Installs a hook that remembers what it was called with. Other tests' promises may be freed late, on other
/// threads: what counts are losses of reasons that the test has made itself, told apart by identity.
class LossTestCase: XCTestCase {
  private(set) var losses = Log<Promise.UnhandledRejection>()
  private var former: (@Sendable (Promise.UnhandledRejection) -> Void)?

  override func setUp() {
    _ = standardLossHook
    former = Promise.onUnhandledRejection
    let losses = Log<Promise.UnhandledRejection>()
    self.losses = losses
    Promise.onUnhandledRejection = { losses.append($0) }
  }

  override func tearDown() {
    Promise.onUnhandledRejection = former
    Promise.reportsUnhandledCancellations = false
    former = nil
  }

  func losses(of reason: Failure) -> [Promise.UnhandledRejection] {
    losses.all.filter { $0.reason as? Failure === reason }
  }

  /// Runs a program that is over, with all of its promises freed, when it returns, and counts how often its
  /// reason was lost.
  func expect(
    _ count: Int, _ what: String, line: UInt = #line, _ program: (Failure, SteppedContext) throws -> Void
  ) rethrows {
    let failure = Failure(what)
    let context = SteppedContext()
    try program(failure, context)
    context.drain()
    XCTAssertEqual(losses(of: failure).count, count, what, line: line)
  }
}
