import DynamicPromise
import DynamicPromiseFoundation
import DynamicPromisePatterns
import Foundation
import TestSupport
import XCTest

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// More rows of `docs/migration/futurekit.md`.
final class FromFutureKitMoreTests: XCTestCase {
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

  func testObserving() throws {
    let (promise, failed, cancelled, heard) = (
      load("user"), load("nothing"), Promise(), Recorded(Set<String>())
    )
    @Sendable func hear(_ text: String) { heard.change { _ = $0.insert(text) } }
    // row: onFail { }
    failed.onFail { error in hear("failed") }
    // row: onCancel { }
    cancelled.onCancel { hear("cancelled") }
    cancelled.cancel()
    // row: delay(_:)
    let late = promise.delay(0.001)
    // row: tryComplete(_:)
    let won = cancelled.fulfill("ann")
    // row: complete(_:onCompletionError:)
    if !cancelled.resolve("ann") { print("it had a result already") }
    waitUntil { heard.value.count == 2 }
    XCTAssertEqual(heard.value, ["failed", "cancelled"])
    XCTAssertEqual(try value(of: late), "ann")
    XCTAssertFalse(won)
  }

  func testQueueAndCache() throws {
    // row: FutureFIFO()
    let fifo = TaskQueue()
    // row: fifo.add { }
    let added = fifo.add { load("user") }
    // row: NSCache with findOrFetch
    let users = PromiseCache<String>(lifetime: 600)
    // row: cache.findOrFetch(key:expireTime:) { }
    let found = users.promise(for: "ann") { load("user") }
    for each in [added, found] { XCTAssertEqual(try value(of: each), "ann") }
  }

  func testBatchAndLifting() throws {
    let (queue, heard) = (DispatchQueue(label: "work"), Recorded([Int]()))
    let batch = Batch([load("user"), load("nothing")])
    // row: onEachComplete { }
    let each = batch.onEach { index, outcome in heard.change { $0.append(index) } }
    // row: onFirstFail { }
    let first = batch.onFirstFailure { index, error in "\(index)" }
    // row: executor.callbackBlockFor(_:)
    let parsing = onQueue(queue)(parse)
    _ = try outcome(of: each)
    XCTAssertEqual(Set(heard.value), [0, 1])
    XCTAssertEqual(try value(of: first), "1")
    XCTAssertEqual(try value(of: parsing("1 2 3")), [1, 2, 3])
  }
}
