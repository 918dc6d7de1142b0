import DynamicPromise
import DynamicPromiseFoundation
import DynamicPromisePatterns
import Foundation
import TestSupport
import XCTest

/// The rows of `docs/migration/futurelib.md`.
final class FromFutureLibTests: XCTestCase {
  func testTheTasksSide() throws {
    let (failing, following, outcome, resolver) = (
      Promise(), Promise(), Promise(), Promise.pending().resolver
    )
    let (result, queue) = (Result<String, any Error>.success("ann"), DispatchQueue(label: "work"))
    let gone = Recorded(false)
    // row: Promise<T>()
    let promise = Promise()
    // row: Promise(value:), Future.succeeded(_:)
    let user = Promise.resolved("ann")
    // row: Promise(error:), Future.failed(_:)
    let failed = Promise.rejected(Missing(name: "user"))
    // row: promise.future
    let future = promise.future
    // row: promise.fulfill(_:)
    promise.fulfill("ann")
    // row: promise.reject(_:)
    failing.reject(Missing(name: "user"))
    // row: promise.resolve(_: Future)
    following.resolve(load("user"))
    // row: promise.resolve(_: Try)
    outcome.resolve(Promise { resolver in resolver.resolve(try result.get()) })
    // row: promise.onRevocation { }
    resolver.onAbandon { gone.change { $0 = true } }
    // row: Future.apply(ec:) { }
    let product = Promise.task(on: queue) { 6 * 7 }
    // row: Future.succeededAfter(_:value:)
    let late = Promise.delay(0.001, "ann")
    // row: Future.failedAfter(_:error:)
    let lateFailure = Promise.delay(0.001, Missing(name: "user"))
    XCTAssertTrue(gone.value && future.isFulfilled)
    for each in [promise, user, following, outcome, late] { XCTAssertEqual(try value(of: each), "ann") }
    for each in [failed, failing, lateFailure] { XCTAssertNoThrow(try reason(of: each, as: Missing.self)) }
    XCTAssertEqual(try value(of: product), 42)
    let broken = Promise { _ in }
    // row: PromiseError.brokenPromise
    let lost = broken.catch { error in if case PromiseError.broken = error { "broken" } else { throw error } }
    let slow = Promise().setTimeout(0.001)
    // row: PromiseError.timeout
    let tooLate = slow.catch { error in if case PromiseError.timeout = error { "late" } else { throw error } }
    XCTAssertEqual([try value(of: lost), try value(of: tooLate)], ["broken", "late"])
  }

  func testHandlers() throws {
    let (future, failed, queue) = (load("user"), load("nothing"), DispatchQueue(label: "work"))
    let concurrent = DispatchQueue(label: "all", attributes: .concurrent)
    let closed = Recorded(0)
    // row: onComplete { result in }
    let told = failed.then({ "got \($0)" }, { "no \($0)" })
    // row: then { }, map { }
    let count = future.then { (name: String) in name.count }
    // row: flatMap { }
    let greeting = future.then { (name: String) in load("greeting of \(name)") }
    // row: catchError { }, recover { }
    let mended = failed.catch { _ in "nobody" }
    // row: recoverWith { }
    let other = failed.catch { _ in load("user") }
    // row: filter { }
    let short = future.then { (name: String) in name.count < 3 ? name : NoSuchElement() as Any }
    // row: transform(_:_:)
    let turned = failed.then({ (name: String) in name.count }, { _ in NoSuchElement() })
    // row: zip(_:)
    let both = Promise.all([future, load("settings")])
    // row: mapTo(_:)
    let typed = future.then { (name: String) in name }
    // row: finally { }
    let ended = future.finally { closed.change { $0 += 1 } }
    // row: onSuccess(ec: GCDAsyncExecutionContext(queue))
    let onQueue = future.thenOn(queue) { (name: String) in name.count }
    // row: GCDBarrierAsyncExecutionContext
    let behindBarrier = future.thenOn(concurrent) { (name: String) in name.count }
    // row: ConcurrentAsync
    let reading = future.thenOn(.reading(concurrent)) { (name: String) in name.count }
    // row: GCDSyncExecutionContext
    let inPlace = future.thenOn(.immediate) { (name: String) in name.count }
    for each in [count, onQueue, behindBarrier, reading, inPlace] { XCTAssertEqual(try value(of: each), 3) }
    for each in [other, typed, ended] { XCTAssertEqual(try value(of: each), "ann") }
    for each in [short, turned] { XCTAssertNoThrow(try reason(of: each, as: NoSuchElement.self)) }
    XCTAssertTrue(try value(of: told, as: String.self).hasPrefix("no"))
    XCTAssertEqual(ends(of: greeting, mended, both), ["hello, ann", "nobody", ["ann", "dark"]])
    XCTAssertEqual(closed.value, 1)
  }

  func testStateAndCancelling() throws {
    let (future, failed, download, root) = (load("user"), load("nothing"), Download(), Promise())
    let ended = failed.catch { _ in }
    // row: value()
    let name = try future.get(as: String.self)
    // row: wait()
    ended.wait()
    // row: runLoopWait()
    ended.runLoopWait()
    // row: result
    let result = future.result
    // row: isCompleted
    XCTAssertTrue(future.isSettled)
    // row: isSuccess, isFailure
    XCTAssertTrue(future.isFulfilled && failed.isRejected)
    XCTAssertEqual(name, "ann")
    XCTAssertNotNil(result)
    let shown = root.then { $0 }
    // row: cancellationToken.onCancel { }
    let task = Promise(onCancel: { _ in download.stop() })
    // row: CancellationRequest().cancel()
    shown.root.cancel()
    // row: CancellationError.cancelled
    shown.catch { error in XCTAssertTrue(error is CancellationError) }
    // row: isCancellationRequested
    XCTAssertTrue(shown.isCancelled)
    task.cancel()
    XCTAssertTrue(download.wasStopped)
  }

  func testSeveral() throws {
    let names = ["user", "settings"]
    // row: traverse { }
    let all = Promise.all(names.map { load($0) })
    // row: sequence()
    let values = Promise.all([load("user"), load("settings")])
    // row: results()
    let outcomes = Promise.allSettled([load("user"), load("nothing")])
    // row: fold(initial:) { }
    let letters = all.then { (texts: [String]) in texts.reduce(0) { $0 + $1.count } }
    // row: find { }
    let dark = all.then { (texts: [String]) in texts.first { $0 == "dark" } as Any? ?? NoSuchElement() }
    // row: firstCompleted()
    let first = Promise.race([Promise(), load("user")])
    for each in [all, values] { XCTAssertEqual(try value(of: each), ["ann", "dark"]) }
    XCTAssertEqual(try value(of: outcomes, as: [Result<Any, any Error>].self).count, 2)
    let (a, b, queue) = (load("user"), load("settings"), TaskQueue())
    // row: future \|\| future
    let either = Promise.any([load("nothing"), a])
    // row: future && future
    let both = Promise.all([a, b])
    // row: TaskQueue as an execution context
    let inTurn = a.then { (name: String) in queue.add { load("greeting of \(name)") } }
    XCTAssertEqual(ends(of: letters, dark, first), [7, "dark", "ann"])
    XCTAssertEqual(ends(of: either, inTurn, both), ["ann", "hello, ann", ["ann", "dark"]])
  }

  func testTheFirstTenMinutes() throws {
    let (download, show) = (Download(), Log())
    // example: from-futurelib
    func file() -> Future {  // was: func file(_ ct: CancellationTokenType) -> Future<String>
      Promise { resolver in
        download.start { text in resolver.fulfill(text) }
        resolver.onCancel { _ in download.stop() }  // was: ct.onCancel { ... }
        resolver.onAbandon { download.stop() }  // was: promise.onRevocation { ... }
      }.future
    }
    let length = file().then { (text: String) in text.count }  // was: file(request.token).map { text in ... }
    length.thenOnMain { (count: Int) in show("\(count) letters") }  // was: onSuccess(ec: MainThreadAsync())
    length.root.cancel()  // was: request.cancel()
    // end
    XCTAssertTrue(download.wasStopped)
    XCTAssertTrue(length.isCancelled)
  }

  func testTaskQueueAndScope() throws {
    // row: TaskQueue(maxConcurrentTasks:)
    let queue = TaskQueue(width: 2)
    // row: enqueue { }
    let user = queue.add { load("user") }
    // row: enqueueBarrier { }
    let barrier = queue.addBarrier { load("settings") }
    // row: maxConcurrentTasks
    queue.width = 3
    XCTAssertEqual(ends(of: user, barrier), ["ann", "dark"])
    let (a, b) = (Promise(), Promise())
    // row: CancellationRequest()
    let scope = CancelScope()
    // row: onSuccess(ct: token), one token for several
    let shown = [a, b].map { scope.add($0.then { $0 }) }
    // row: token \|\| token
    let inner = CancelScope(in: scope)
    let nested = inner.add(Promise())
    // row: request.cancel(), for several
    scope.cancel()
    XCTAssertTrue((shown + [nested]).allSatisfy(\.isCancelled))
  }

  func testObservers() throws {
    let (future, failed, hear) = (load("user"), load("nothing"), Log())
    // row: onSuccess { }
    future.onSuccess { (name: String) in hear(name) }
    // row: onFailure { }
    failed.onFail { error in hear("failed") }
    let settled = Promise.resolved(1)
    // row: promise.tryResolve(_:)
    let won = settled.resolve("ann")
    waitUntil { hear.lines.count == 2 }
    XCTAssertEqual(Set(hear.lines), ["ann", "failed"])
    XCTAssertFalse(won)
  }
}
