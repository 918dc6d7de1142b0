// A lost error that declares itself a cancellation is reported as one, and only on demand.

import DynamicPromise
import XCTest

final class CancellableErrorLossTests: LossTestCase {
  private struct Closed: CancellableError {
    let mark: Failure
    var isCancelled: Bool { true }
  }

  // Spec: C7.6, L5.7
  func testItIsReportedAsACancellation() {
    func lost(_ mark: Failure) -> [Promise.UnhandledRejection] {
      losses.all.filter { ($0.reason as? Closed)?.mark === mark }
    }
    let (silent, reported) = (Failure(), Failure())
    _ = Promise.rejected(Closed(mark: silent))
    XCTAssertEqual(lost(silent).count, 0)
    Promise.reportsUnhandledCancellations = true
    _ = Promise.rejected(Closed(mark: reported))
    XCTAssertEqual(lost(reported).map(\.isCancellation), [true])
  }
}
