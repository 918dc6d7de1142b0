import DynamicPromise
import TestSupport
import XCTest

/// `finally` runs for any outcome and does not change the outcome.
final class FinallyTests: XCTestCase {
  // Spec: H6.2
  func testPassesTheOutcomeOn() throws {
    let runs = Recorded(0)
    XCTAssertEqual(try value(of: Promise.resolved(1).finally { runs.change { $0 += 1 } }), 1)
    let rejected = Promise.rejected(NumberedError(1)).finally { runs.change { $0 += 1 } }
    XCTAssertEqual(try reason(of: rejected), NumberedError(1))
    XCTAssertEqual(runs.value, 2)
  }

  // Spec: H6.3
  func testThrownErrorReplacesTheOutcome() throws {
    XCTAssertEqual(try reason(of: Promise.resolved(1).finally { throw NumberedError(2) }), NumberedError(2))
    let failed = Promise.rejected(NumberedError(1))
    XCTAssertEqual(try reason(of: failed.finally { throw NumberedError(2) }), NumberedError(2))
    let suspending = failed.finallyOnMain {
      await Task.yield()
      throw NumberedError(3)
    }
    XCTAssertEqual(try reason(of: suspending), NumberedError(3))
  }
}
