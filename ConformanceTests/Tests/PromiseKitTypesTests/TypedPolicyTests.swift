import Foundation
import PromiseKitTypes
import TestSupport
import XCTest

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// A handler covers the rejections of its policy or of its error type. Other rejections are passed on.
final class TypedPolicyTests: XCTestCase {
  private let failed = Promise<Int>(error: NumberedError(1))
  private let cancelled = Promise<Int>(error: PMKError.cancelled)

  // The settling call passes on rejections that a handler does not cover, even while the main queue is
  // blocked.
  func testWhatIsNotCoveredPassesAtOnce() {
    let recovered = [
      cancelled.recover { _ in Promise.value(2) },
      cancelled.recover(only: PMKError.self) { _ in Promise.value(2) },
      failed.recover(only: PMKError.self, policy: .allErrors) { _ in Promise.value(2) },
    ]
    XCTAssertEqual(recovered.map { $0.error?.isCancelled }, [true, true, false])
    XCTAssertTrue(cancelled.asVoid().recover(policy: .allErrorsExceptCancellation) { _ in }.isRejected)
    XCTAssertTrue(cancelled.catch { _ in XCTFail("called") }.untyped.isFulfilled)
    XCTAssertTrue(cancelled.catch(only: PMKError.self) { _ in XCTFail("called") }.isRejected)
    let (late, seal) = Promise<Int>.pending()
    let passed = late.recover { _ in Promise.value(2) }
    seal.reject(PMKError.cancelled)
    XCTAssertTrue(passed.isRejected)
  }

  // A handler that covers a rejection runs on the handler's queue.
  func testWhatIsCoveredIsHandledOnTheQueue() throws {
    let home = MarkedQueue()
    let here = Promise<Bool>(error: NumberedError(1))
    let there = here.recover(on: home.queue) { _ in Promise.value(home.isCurrent) }
    XCTAssertEqual(try value(of: there), true)
    let main = here.recover { _ in Promise.value(Thread.isMainThread) }
    XCTAssertTrue(main.isPending)
    XCTAssertEqual(try value(of: main), true)
    var handled = false
    let finalizer = failed.catch { _ in handled = true }
    XCTAssertFalse(handled || finalizer.untyped.isSettled)
    end(of: finalizer)
    XCTAssertTrue(handled)
    XCTAssertTrue(here.recover(on: nil) { _ in Promise.value(true) }.isFulfilled)
  }

  func testWaitingBehindAHandlerThatIsNotCalled() throws { try onMainActor(self) { try $0.waiting() } }

  @MainActor private func waiting() throws {
    XCTAssertThrowsError(try cancelled.recover { _ in Promise.value(2) }.wait()) {
      XCTAssertTrue($0.isCancelled)
    }
  }

  // A cancel withdraws a handler that has not begun, and cancels the promise that a handler has returned.
  func testACancelReachesARecovery() throws {
    let (mending, seal) = Promise<Int>.pending()
    let begun = expectation(description: "begun")
    let mended = failed.recover { _ in
      begun.fulfill()
      return mending
    }
    wait(for: [begun], timeout: 20)
    let stopped = expectation(description: "stopped")
    seal.untyped.onCancel { _ in stopped.fulfill() }
    mended.untyped.cancel()
    wait(for: [stopped], timeout: 20)
    let queue = DispatchQueue(label: "handlers")
    queue.suspend()
    let never = failed.recover(on: queue) { _ -> Promise<Int> in
      XCTFail("called")
      return .value(2)
    }
    never.untyped.cancel()
    queue.resume()
    queue.sync {}
    XCTAssertTrue(never.error?.isCancelled == true)
  }

  // The product recognizes Foundation's cancellation errors without help from the test.
  func testFoundationsCancellations() {
    let errors: [any Error] = [
      URLError(.cancelled), CocoaError(.userCancelled), CancellationError(),
      NSError(domain: NSURLErrorDomain, code: URLError.Code.cancelled.rawValue),
    ]
    for error in errors {
      XCTAssertTrue(error.isCancelled, "\(error)")
      XCTAssertTrue(Promise<Int>(error: error).recover { _ in Promise.value(1) }.isRejected, "\(error)")
    }
    XCTAssertFalse(errors[3] is any CancellableError)
    XCTAssertFalse(URLError(.timedOut).isCancelled)
    XCTAssertFalse(CocoaError(.coderInvalidValue).isCancelled)
  }
}
