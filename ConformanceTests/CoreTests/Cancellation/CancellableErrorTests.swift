// Errors that say of themselves that they are cancellations.

import DynamicPromise
import XCTest

final class CancellableErrorTests: XCTestCase {
  private enum DialogueError: CancellableError {
    case closed, invalid

    var isCancelled: Bool { self == .closed }
  }

  // Spec: C7.6
  func testTheErrorIsAsked() {
    XCTAssertTrue(DialogueError.closed.isCancellation)
    XCTAssertFalse(DialogueError.invalid.isCancellation)
    let plain: any Error = DialogueError.closed
    XCTAssertTrue(plain.isCancellation)
    XCTAssertFalse((Failure() as any Error).isCancellation)
    // Types that are known without a cast.
    XCTAssertTrue(CancellationError().isCancellation)
    XCTAssertTrue(PromiseError.cancelled(reason: 1).isCancellation)
    XCTAssertFalse(PromiseError.timeout.isCancellation)
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
    XCTAssertFalse(resolver.isCancelled, "and it was not cancelled by request")
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
}
