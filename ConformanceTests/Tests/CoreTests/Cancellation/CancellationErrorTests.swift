// An error that means a cancellation is not a request (C7).

import Dispatch
import DynamicPromise
import XCTest

final class CancellationErrorTests: LossTestCase {
  private let context = SteppedContext()
  private let failure = Failure()

  // Spec: C7.1, C7.2
  func testAHandlerRecoversFromAThrownCancellationError() throws {
    for reason in [CancellationError(), PromiseError.cancelled(reason: "text")] as [any Error] {
      let thrown = context.settled(0).then { _ in throw reason }
      let recovered = thrown.catch { _ in "recovered" }
      let after = recovered.then { (text: String) in text + "!" }
      context.drain()
      XCTAssertTrue(thrown.isRejected && thrown.isCancelled, "the error is a cancellation")
      XCTAssertFalse(recovered.isCancelled)
      XCTAssertEqual(try after.value(), "recovered!")
      let follower = Promise.resolved(Promise.rejected(reason))
      XCTAssertEqual(try follower.catch { _ in 3 }.value(), 3, "a follower is not cancelled by request")
    }
  }

  // Spec: C7.3
  func testACancelPassesThroughARejectionWithACancellationError() throws {
    let root = Promise(on: context)
    let waiting = root.catch { _ in Promise() }
    root.reject(CancellationError())
    context.drain()
    XCTAssertTrue(root.isCancelled && waiting.isPending)
    root.cancel(failure)
    assertCancelled([waiting], failure)
    XCTAssertTrue(try root.reason() is CancellationError)
    let late = root.catch { _ in "late" }
    context.drain()
    XCTAssertEqual(try late.value(), "late", "a cancel does not affect a later child")
  }

  // Spec: C7.4
  func testCancelAndRejectDifferEvenWithTheSameError() throws {
    let (cancelled, rejected) = (Promise(on: context), Promise(on: context))
    let belowCancelled = cancelled.then { _ in 1 }
    let belowRejected = rejected.then { _ in 1 }
    let lastOfCancelled = belowCancelled.catch { _ in "recovered" }
    let lastOfRejected = belowRejected.catch { _ in "recovered" }
    cancelled.cancel(CancellationError())
    rejected.reject(CancellationError())
    context.drain()
    assertCancelled([belowCancelled, lastOfCancelled])
    XCTAssertTrue(belowRejected.isCancelled, "the reason is a cancellation (C7.1)")
    XCTAssertEqual(try lastOfRejected.value(), "recovered")
  }

  private enum DialogueError: CancellableError {
    case closed, invalid

    var isCancelled: Bool { self == .closed }
  }

  private struct Closed: CancellableError {
    let mark: Failure
    var isCancelled: Bool { true }
  }

  // Spec: C7.5
  func testIsCancellationDependsOnlyOnTheError() {
    let cancellations: [any Error] = [
      CancellationError(), PromiseError.cancelled(reason: "the window was closed"),
    ]
    XCTAssertTrue(cancellations.allSatisfy(\.isCancellation))
    let failures: [any Error] = [
      Failure(), PromiseError.timeout, PromiseError.broken,
      PromiseError.rejected(reason: CancellationError()),
      PromiseError.noneFulfilled([CancellationError()]),
    ]
    XCTAssertFalse(failures.contains(where: \.isCancellation))
    let promise = Promise()
    promise.cancel(Failure())
    XCTAssertTrue(promise.isCancelled)
    XCTAssertFalse(try promise.reason().isCancellation, "`isCancellation` depends only on the error")
  }

  // Spec: C7.6
  func testAnErrorTypeDecidesWhichOfItsValuesAreCancellations() throws {
    let context = SteppedContext()
    let rejected = Promise.rejected(DialogueError.closed)
    let thrown = Promise.resolved(1, on: context).then { _ in throw DialogueError.closed }
    let resolved = Promise.resolved(DialogueError.closed)
    let other = Promise.rejected(DialogueError.invalid)
    context.drain()
    for promise in [rejected, thrown, resolved] {
      XCTAssertTrue(promise.isCancelled && promise.isRejected)
      XCTAssertTrue(try promise.reason() is DialogueError)
    }
    XCTAssertFalse(other.isCancelled)
    other.ignoreErrors()
  }

  // Spec: C7.6
  func testARejectionWithACancellableErrorCancelsNothing() throws {
    let context = SteppedContext()
    let root = Promise(on: context)
    let (told, resolver) = Promise.pending(on: context)
    let heard = Counter()
    resolver.onCancel { _ in heard.increment() }
    let recovered = root.catch { _ in "recovered" }.then { $0 }
    root.reject(DialogueError.closed)
    resolver.reject(DialogueError.closed)
    context.drain()
    XCTAssertTrue(root.isCancelled && told.isCancelled)
    XCTAssertEqual(try recovered.value(), "recovered")
    XCTAssertEqual(heard.value, 0, "no hook runs")
    XCTAssertFalse(resolver.isCancelled, "the promise was not cancelled by request")
  }

  // Spec: C7.6
  func testTheGetterMayUseThePromise() {
    struct Reentrant: CancellableError {
      let promise: Promise
      var isCancelled: Bool { promise.isRejected }
    }
    let promise = Promise()
    promise.reject(Reentrant(promise: promise))
    XCTAssertTrue(promise.isCancelled)
  }

  // Spec: C7.6
  func testAGetterThatCancelsReturnsBeforeTheHooks() {
    struct Reentrant: CancellableError {
      let body: @Sendable () -> Void
      var isCancelled: Bool {
        body()
        return false
      }
    }
    let log = Log<String>()
    let (load, resolver) = Promise.pending()
    let (cancelled, late) = Promise.pending()
    resolver.onCancel { _ in log.append("hook") }
    cancelled.cancel()
    let promise = Promise()
    promise.onFail(on: .immediate) { _ in }
    promise.reject(
      Reentrant {
        load.cancel()
        late.onCancel { _ in log.append("late hook") }
        log.append("getter ends")
      })
    XCTAssertEqual(Array(log.all.prefix(3)), ["late hook", "getter ends", "hook"])
  }

  // Spec: C7.6, L5.5
  func testALostCancellableErrorIsNotReported() {
    _ = Promise.rejected(Closed(mark: Failure()))
    XCTAssertEqual(losses.all.filter { $0.reason is Closed }.count, 0)
  }
}
