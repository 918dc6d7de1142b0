// The base class for tests of lost rejections.

import DynamicPromise
import XCTest

/// Installs a hook that records losses, and restores the previous hook afterwards. A test counts only its
/// own reasons, because other tests' promises may be freed late.
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
    former = nil
  }

  func losses(of reason: Failure) -> [Promise.UnhandledRejection] {
    losses.all.filter { $0.reason as? Failure === reason }
  }

  /// Runs `program`, which must free all its promises. Expects the `Failure` to be reported `count` times.
  func expect(
    _ count: Int, _ what: String, file: StaticString = #filePath, line: UInt = #line,
    _ program: (Failure, SteppedContext) throws -> Void
  ) rethrows {
    let failure = Failure(what)
    let context = SteppedContext()
    try program(failure, context)
    context.drain()
    XCTAssertEqual(losses(of: failure).count, count, what, file: file, line: line)
  }
}
