import DynamicPromise
import DynamicPromiseFoundation
import DynamicPromisePatterns
import Foundation
import TestSupport
import XCTest

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// The rows of `docs/migration/futurekit.md`.
final class FromFutureKitTests: XCTestCase {
  private struct Closed: CancellableError {
    var isCancelled: Bool { true }
  }

  func testTheTasksSide() throws {
    let (failing, following, other, nothing, any) = (Promise(), Promise(), Promise(), Promise(), Promise())
    let (cancelled, unnamed, download, error) = (Promise(), Promise(), Download(), NoUser())
    // row: Promise<T>()
    let promise = Promise()
    // row: promise.future
    let future = promise.future
    // row: completeWithSuccess(_:)
    promise.fulfill("ann")
    // row: completeWithFail(_:)
    failing.reject(error)
    // row: completeWithFail(errorMessage)
    unnamed.reject("there is no user")
    // row: completeWithVoidSuccess()
    nothing.fulfill(())
    // row: completeUsingFuture(_:)
    following.resolve(other)
    // row: complete(_:)
    any.resolve("ann")
    // row: completeWithCancel()
    cancelled.cancel()
    // row: completeWithBlock { }
    let product = Promise.task(on: .immediate) { 6 * 7 }
    // row: failIfNotCompleted(_:)
    promise.reject(error)
    // row: onRequestCancel { }
    let task = Promise(onCancel: { _ in download.stop() })
    task.cancel()
    XCTAssertTrue(download.wasStopped)
    other.fulfill("ann")
    XCTAssertTrue(future.isFulfilled && cancelled.isCancelled)
    for each in [promise, following, any] { XCTAssertEqual(try value(of: each), "ann") }
    XCTAssertEqual(ends(of: failing, unnamed), [Rejected(NoUser.self), Rejected(PromiseError.self)])
    XCTAssertEqual(ends(of: nothing, product), [void, 42])
  }

  func testMaking() throws {
    let (other, queue) = (load("user"), DispatchQueue(label: "work"))
    // row: Future(success:)
    let user = Promise.resolved("ann")
    // row: Future(fail:)
    let failed = Promise.rejected(NoUser())
    // row: Future(failWithErrorMessage:)
    let unnamed = Promise.rejected("there is no user")
    // row: Future(cancelled: ())
    let cancelled = Promise.rejected(CancellationError())
    // row: Future(executor) { }
    let product = Promise.task(on: queue) { 6 * 7 }
    // row: Future(completeUsing:)
    let same = Promise.resolved(other)
    // row: Future(afterDelay:success:)
    let late = Promise.delay(0.001, "ann")
    // row: Future(delay:completeWith:)
    let lateFailure = Promise.delay(0.001, NoUser())
    for each in [user, same, late] { XCTAssertEqual(try value(of: each), "ann") }
    for each in [failed, lateFailure] { XCTAssertNoThrow(try reason(of: each, as: NoUser.self)) }
    XCTAssertEqual(ends(of: unnamed, product), [Rejected(PromiseError.self), 42])
    XCTAssertTrue(cancelled.isCancelled)
  }

  func testHandlers() throws {
    let (promise, failed, queue) = (load("user"), load("nothing"), DispatchQueue(label: "work"))
    // row: onComplete { result in }
    let told = failed.then({ "got \($0)" }, { "no \($0)" })
    // row: onSuccess { }
    let greeting = promise.then { (name: String) in load("greeting of \(name)") }
    // row: onSuccess(executor) { }
    let onQueue = promise.thenOn(queue) { (name: String) in name.count }
    // row: onFailorCancel { }
    let caught = failed.catch { error in "\(error)" }
    // row: map { }
    let count = promise.then { (name: String) in name.count }
    // row: mapAs()
    let typed = promise.then { (name: String) in name }
    // row: mapAsOptional()
    let number = promise.then { value in value as? Int }
    // row: return .success(x)
    let success = promise.then { _ in 3 }
    // row: return .fail(e)
    let failure = promise.then { _ in throw NoUser() }
    // row: return .cancelled
    let cancelled = promise.then { _ in throw CancellationError() }
    // row: return .completeUsing(f)
    let next = promise.then { _ in load("settings") }
    // row: waitForComplete(_:didComplete:timedOut:)
    let inTime = Promise().setTimeout(0.001).then({ "got \($0)" }, { _ in "too late" })
    // row: combineWith(_:)
    let both = Promise.all([promise, load("settings")])
    // row: ignoreFailures()
    failed.ignoreErrors()
    XCTAssertTrue(try value(of: told, as: String.self).hasPrefix("no"))
    XCTAssertEqual(ends(of: greeting, typed, next, inTime), ["hello, ann", "ann", "dark", "too late"])
    for each in [onQueue, count, success] { XCTAssertEqual(try value(of: each), 3) }
    XCTAssertNoThrow(try value(of: caught, as: String.self))
    XCTAssertNil(try value(of: number, as: Int?.self))
    XCTAssertEqual(ends(of: failure, both), [Rejected(NoUser.self), ["ann", "dark"]])
    XCTAssertNoThrow(try reason(of: cancelled, as: CancellationError.self))
  }

  func testState() throws {
    let (promise, failed, root) = (load("user"), Promise.rejected(NoUser()), Promise())
    _ = try outcome(of: promise)
    let shown = root.then { $0 }
    // row: isCompleted
    XCTAssertTrue(promise.isSettled)
    // row: result
    let result = promise.result
    // row: value
    let name = try? promise.result?.get()
    // row: error
    if case .failure(let error)? = failed.result { XCTAssertTrue(error is NoUser) }
    // row: waitForResult()
    let waited = try promise.get(as: String.self)
    // row: waitUntilCompleted()
    promise.wait()
    // row: getCancelToken().cancel()
    shown.root.cancel()
    XCTAssertTrue(shown.isCancelled)
    XCTAssertNotNil(result)
    XCTAssertEqual(name as? String, waited)
    let (session, request) = (Promise(), Promise())
    // row: .DoNotForwardRequest
    let shared = session.shielded()
    request.bind(shared)
    request.cancel()
    XCTAssertTrue(session.isPending)
  }

  func testExecutors() throws {
    let (promise, queue, operations) = (load("user"), DispatchQueue(label: "work"), OperationQueue())
    let count = Recorded(0)
    @Sendable func tick() -> Bool { count.increment() < 3 }
    // row: .primary
    let byDefault = promise.then { (name: String) in name }
    // row: .main, .mainAsync
    let onMain = promise.thenOnMain { (name: String) in Thread.isMainThread }
    // row: .mainImmediate
    let onMainNow = promise.thenOn(.mainImmediate) { (name: String) in Thread.isMainThread }
    // row: .current
    let onCurrent = promise.thenOn(.current) { (name: String) in name }
    // row: .immediate
    let inPlace = promise.thenOn(.immediate) { (name: String) in name }
    // row: .background, .userInitiated, .utility, .default
    let background = promise.thenOn(DispatchQueue.global(qos: .background)) { (name: String) in name }
    // row: .queue(_:)
    let onQueue = promise.thenOn(queue) { (name: String) in name }
    // row: .operationQueue(_:)
    let asOperation = promise.thenOn(operations) { (name: String) in name }
    // row: Executor.createQueue(label:type:)
    let onNew = promise.thenOn(.serial("new")) { (name: String) in name }
    // row: executor.execute { }
    let executed = Promise.task(on: queue) { "ann" }
    // row: executor.execute(afterDelay:) { }
    let executedLate = Promise.delay(0.001, on: queue).then { _ in "ann" }
    // row: repeatExecution
    let ticks = Promise.repeat { tick() ? Promise.delay(0.001) : nil }
    // row: OperationQueue.add { }
    let added = Promise.task(on: operations) { "ann" }
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
    for each in [
      byDefault, onCurrent, inPlace, background, onQueue, asOperation, onNew, executed, executedLate, added,
      elsewhere, later, soon, few, apart,
    ] { XCTAssertEqual(try value(of: each), "ann") }
    for each in [onMain, onMainNow] { XCTAssertEqual(try value(of: each), true) }
    _ = try outcome(of: ticks)
    XCTAssertEqual(count.value, 3)
  }

  func testABatch() throws {
    let futures = ["user", "nothing"].map { load($0) }
    // row: FutureBatch(_:).resultsFuture
    let outcomes = Promise.allSettled(futures)
    // row: FutureBatch(_:).future
    let all = Promise.all([load("user"), load("settings")])
    XCTAssertEqual(try value(of: outcomes, as: [Result<Any, any Error>].self).count, 2)
    XCTAssertEqual(try value(of: all), ["ann", "dark"])
    let tasks = [Promise(), Promise()]
    let batch = Promise.all(tasks, cancellingInputs: true)
    // row: batch.cancel()
    batch.cancel()
    XCTAssertTrue(tasks.allSatisfy(\.isCancelled))
  }

  func testTheFirstTenMinutes() throws {
    let show = Log()
    // example: from-futurekit
    func user(_ name: String) -> Future {  // was: -> Future<String>
      let promise = Promise()  // was: Promise<String>()
      fetch(name) { text, error in
        if let text { promise.fulfill(text) } else { promise.reject(error) }  // was: completeWith...
      }
      return promise.future
    }
    user("user").then { (name: String) in  // was: onSuccess(.userInitiated) { name in
      load("greeting of \(name)")
    }.thenOnMain { (text: String) in  // was: onSuccess(.main)
      show(text)
    }.catchOnMain { error in  // was: onFailorCancel(.main)
      show("\(error)")
    }
    // end
    waitUntil { !show.lines.isEmpty }
    XCTAssertEqual(show.lines, ["hello, ann"])
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
    // The timer's thread cancels `slow` a moment after it has settled the result.
    XCTAssertNoThrow(try outcome(of: slow))
    XCTAssertTrue(slow.isCancelled && other.isPending)
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
    XCTAssertEqual(ends(of: text, all), ["ann dark", Rejected(Missing.self)])
    tasks[0].reject(NoUser())
    XCTAssertTrue(strict.isRejected && tasks[1].isCancelled)
  }

  func testObserving() throws {
    let (promise, failed, cancelled, hear) = (load("user"), load("nothing"), Promise(), Log())
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
    waitUntil { hear.lines.count == 2 }
    XCTAssertEqual(Set(hear.lines), ["failed", "cancelled"])
    XCTAssertEqual(try value(of: late), "ann")
    XCTAssertFalse(won)
  }

  func testPatterns() throws {
    // row: FutureFIFO()
    let fifo = TaskQueue()
    // row: fifo.add { }
    let added = fifo.add { load("user") }
    // row: NSCache with findOrFetch
    let users = PromiseCache<String>(lifetime: 600)
    // row: cache.findOrFetch(key:expireTime:) { }
    let found = users.promise(for: "ann") { load("user") }
    for each in [added, found] { XCTAssertEqual(try value(of: each), "ann") }
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
    XCTAssertEqual(ends(of: first, parsing("1 2 3")), ["1", [1, 2, 3]])
  }
}
