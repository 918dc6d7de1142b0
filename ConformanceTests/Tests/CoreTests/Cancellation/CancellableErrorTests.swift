// A `CancellableError` type decides which of its values are cancellations (C7.5, C7.6).

import DynamicPromise
import XCTest

final class CancellableErrorTests: LossTestCase {
  private enum DialogueError: CancellableError {
    case closed, invalid

    var isCancelled: Bool { self == .closed }
  }

  private struct Closed: CancellableError {
    let mark: Failure
    var isCancelled: Bool { true }
  }

  // Spec: C7.6
  func testTheErrorIsAsked() {
    XCTAssertTrue(DialogueError.closed.isCancellation)
    XCTAssertFalse(DialogueError.invalid.isCancellation)
    let plain: any Error = DialogueError.closed
    XCTAssertTrue(plain.isCancellation)
  }

  // Spec: C7.5
  func testIsCancellation() {
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
  func testAPromiseThatIsRejectedWithOneReadsAsCancelled() throws {
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
  func testNothingIsCancelledByRequest() throws {
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
  func testOneThatUsesPromisesWhenItIsAsked() {
    struct Reentrant: CancellableError {
      let promise: Promise
      var isCancelled: Bool { promise.isRejected }
    }
    let promise = Promise()
    promise.reject(Reentrant(promise: promise))
    XCTAssertTrue(promise.isCancelled)
  }

  /// A lost `Closed` error is reported only if `reportsUnhandledCancellations` is set.
  // Spec: C7.6, L5.7
  func testALostOneIsReportedAsACancellation() {
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
