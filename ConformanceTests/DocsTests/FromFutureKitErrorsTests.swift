import DynamicPromise
import DynamicPromiseFoundation
import Foundation
import TestSupport
import XCTest

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// More rows of `docs/migration/futurekit.md`.
final class FromFutureKitErrorsTests: XCTestCase {
  private struct NoUser: Error {}

  private struct Closed: CancellableError {
    var isCancelled: Bool { true }
  }

  func testErrorsThatAreCancellations() {
    // row: ErrorTypeMightBeCancellation
    let reads = Promise.rejected(Closed()).isCancelled
    // row: error.testForCancellation
    let isOne = Closed().isCancellation
    // row: CONVERT_COMMON_NSERROR_VALUES_TO_CANCELLATIONS
    let ofTheSystem = URLError(.cancelled).isCancellation
    XCTAssertTrue(reads && isOne && ofTheSystem)
  }

  func testTimesOfThePromise() throws {
    let (slow, other) = (Promise(), Promise())
    // row: automaticallyCancelAfter(_:)
    let cancelled = Promise.race([slow, .delay(0.001, CancellationError())], cancellingInputs: true)
    // row: automaticallyFailAfter(_:error:)
    let failed = other.setTimeout(0.001).catch { _ in throw NoUser() }
    XCTAssertTrue(try reason(of: cancelled, as: (any Error).self).isCancellation)
    XCTAssertNoThrow(try reason(of: failed, as: NoUser.self))
    XCTAssertTrue(slow.isCancelled && other.isPending)
  }

  func testMoreExecutors() throws {
    let promise = load("user")
    // row: .async
    let elsewhere = promise.thenOn(.shared) { (name: String) in name }
    // row: .currentAsync
    let later = promise.thenOn(.current) { (name: String) in name }
    // row: .userInteractive
    let soon = promise.thenOn(DispatchQueue.global(qos: .userInteractive)) { (name: String) in name }
    // row: Executor.createOperationQueue(_:maxConcurrentOperationCount:)
    let few = promise.thenOn(.operations("few", width: 2)) { (name: String) in name }
    // row: Executor.createConcurrentQueue(label:)
    let apart = promise.thenOn(.concurrent("new")) { (name: String) in name }
    for each in [elsewhere, later, soon, few, apart] { XCTAssertEqual(try value(of: each), "ann") }
  }

  func testMoreOfABatch() throws {
    let (a, b, tasks) = (load("user"), load("settings"), [Promise(), Promise()])
    // row: combineFutures(_:_:)
    let text = Promise.all([a, b]).spread { (name: String, theme: String) in "\(name) \(theme)" }
    let outcomes = Promise.allSettled([a, load("nothing")])
    // row: FutureBatch(_:).batchFuture
    let all = outcomes.then { (all: [Result<Any, any Error>]) in try all.map { try $0.get() } }
    // row: cancelRemainingFuturesOnFirstFail()
    let strict = Promise.all(tasks, cancellingInputs: true)
    XCTAssertEqual(try value(of: text), "ann dark")
    XCTAssertNoThrow(try reason(of: all, as: Missing.self))
    tasks[0].reject(NoUser())
    XCTAssertTrue(strict.isRejected && tasks[1].isCancelled)
  }
}
