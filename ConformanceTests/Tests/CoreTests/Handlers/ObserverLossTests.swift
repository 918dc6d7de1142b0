// Observers, taps and unhandled rejections (H12.4, L5.4).

import DynamicPromise
import XCTest

/// Counts the rejections that are reported as unhandled although the promise has observers or taps.
final class ObserverLossTests: LossTestCase {
  // Spec: H12.4
  func testOnlyAHandlerForTheReasonObservesIt() {
    expect(1, "onSuccess") { failure, context in Promise.rejected(failure, on: context).onSuccess { _ in } }
    expect(1, "onCancel of a rejection") { failure, context in
      Promise.rejected(failure, on: context).onCancel { _ in }
    }
    expect(0, "onFail") { failure, context in Promise.rejected(failure, on: context).onFail { _ in } }
    expect(0, "onFail before the rejection") { failure, context in
      Promise(on: context).onFail { _ in }.reject(failure)
    }
    expect(1, "onFail for errors of another type") { failure, context in
      Promise.rejected(failure, on: context).onFail { (_: PromiseError) in }
    }
    expect(0, "onFail for errors of its type") { failure, context in
      Promise.rejected(failure, on: context).onFail { (_: Failure) in }
    }
    expect(1, "a child of a promise with onFail") { failure, context in
      Promise.rejected(failure, on: context).onFail { _ in }.then { $0 }
    }
  }

  // Spec: H12.4
  func testACancellationIsObservedByOnCancel() {
    Promise.reportsUnhandledCancellations = true
    expect(1, "onFail") { failure, context in Promise(on: context).onFail { _ in }.cancel(failure) }
    expect(0, "onCancel") { failure, context in Promise(on: context).onCancel { _ in }.cancel(failure) }
  }

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
