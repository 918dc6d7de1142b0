import Dispatch
import DynamicPromise
import DynamicPromiseTesting
import TestSupport
import XCTest

private let patience = 30.0

/// The value of a promise, or the error of the wait, as text.
private func waited(_ promise: Promise) -> String {
  do { return "\(try promise.get(timeout: patience))" } catch { return "\(error)" }
}

/// Blocking waits inside and outside the jobs of a test context.
final class TestContextWaitTests: XCTestCase {
  func testAStepThatWaitsForAStep() {
    let (context, inner) = (TestContext(), TestContext())
    let log = Recorded([String]())
    let needed = Promise(on: context)
    context.execute {
      log.append(waited(needed.then { $0 }))
      // The inner step does not hide the outer step.
      inner.execute { log.append(waited(needed.then { $0 })) }
      inner.drain()
      log.append("\(context.isBlockedByCaller) \(inner.isBlockedByCaller)")
    }
    XCTAssertFalse(context.isBlockedByCaller)
    XCTAssertTrue(context.step())
    XCTAssertFalse(context.isBlockedByCaller)
    let error = "\(PromiseError.wouldDeadlock)"
    XCTAssertEqual(log.value, [error, error, "true false"])
  }

  func testAnotherThreadSteps() {
    let context = TestContext()
    let (root, done) = (Promise(on: context), DispatchSemaphore(value: 0))
    let child = root.then { $0 }
    root.fulfill(1)
    DispatchQueue.global().async {
      XCTAssertTrue(context.waitForJob(timeout: patience))
      context.drain()
      done.signal()
    }
    XCTAssertEqual(waited(child), "1")
    XCTAssertEqual(done.wait(timeout: .now() + patience), .success)
    // The wait also succeeds while the other thread is inside a step.
    let (second, isIn, isOut) = (
      Promise(on: context), DispatchSemaphore(value: 0), DispatchSemaphore(value: 0)
    )
    second.then { _ in
      isIn.signal()
      _ = isOut.wait(timeout: .now() + patience)
    }
    let last = second.then { _ in 2 }
    second.fulfill(0)
    DispatchQueue.global().async {
      context.drain()
      done.signal()
    }
    XCTAssertEqual(isIn.wait(timeout: .now() + patience), .success)
    XCTAssertEqual(waited(last.thenOn(Lookout { isOut.signal() }) { $0 }), "2")
    XCTAssertEqual(done.wait(timeout: .now() + patience), .success)
  }
}

/// Calls `onSecondLook` when a wait checks this context for a deadlock a second time. The wait is then
/// blocked.
private final class Lookout: WaitAwareContext, @unchecked Sendable {
  private let onSecondLook: @Sendable () -> Void
  /// Only the waiting thread uses this counter.
  private var looks = 0

  init(_ onSecondLook: @escaping @Sendable () -> Void) { self.onSecondLook = onSecondLook }

  func execute(_ job: @escaping @Sendable () -> Void) { DispatchQueue.global().async(execute: job) }

  var isBlockedByCaller: Bool {
    looks += 1
    if looks == 2 { onSecondLook() }
    return false
  }
}
