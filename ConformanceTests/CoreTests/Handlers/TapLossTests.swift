// `tapCatch` and unhandled rejections (L5.4).

import DynamicPromise
import XCTest

/// A tap does not handle the rejection that it observes.
final class TapLossTests: LossTestCase {
  // Spec: H6.10, L5.4
  func testALookHandlesNothing() {
    expect(1, "tapCatch") { failure, context in Promise.rejected(failure, on: context).tapCatch { _ in 0 } }
    expect(0, "tapCatch and catch") { failure, context in
      Promise.rejected(failure, on: context).tapCatch { _ in 0 }.catch { _ in 0 }
    }
  }

  // Spec: H6.11, L5.5
  func testACancelledPromiseThatALookReturnsBelowACancelIsNotLost() {
    expect(0, "tapCatch") { failure, context in
      let promise = Promise(on: context)
      promise.tapCatch { _ in promise }
      promise.cancel(failure)
    }
    expect(0, "tapResult, a thenable") { failure, context in
      let promise = Promise(on: context)
      promise.tapResult { _ in StructThenable { _, reject in reject(failure) } }
      promise.cancel()
    }
  }
}
