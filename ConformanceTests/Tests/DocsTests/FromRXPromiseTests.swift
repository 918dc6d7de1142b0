import DynamicPromise
import DynamicPromiseDiagnostics
import DynamicPromiseFoundation
import Foundation
import TestSupport
import XCTest

/// The rows of `docs/migration/rxpromise.md`.
final class FromRXPromiseTests: XCTestCase {
  private struct NoUsers: Error {}

  func testMaking() throws {
    let queue = DispatchQueue(label: "work")
    let gone = Recorded(false)
    // row: [[RXPromise alloc] init]
    let promise = Promise()
    // row: +promiseWithResult:
    let done = Promise.resolved("OK")
    // row: +promiseWithResult: with an NSError
    let refused = Promise.resolved(NoUsers())
    // row: +promiseWithTask:
    let product = Promise.task { 6 * 7 }
    // row: +promiseWithQueue:task:
    let onQueue = Promise.task(on: queue) { 6 * 7 }
    // row: +promiseWithDeallocHandler:
    _ = Promise(onCancel: nil, onAbandon: { gone.change { $0 = true } })
    XCTAssertTrue(promise.isPending)
    XCTAssertEqual(ends(of: done, product, onQueue, refused), ["OK", 42, 42, Rejected(NoUsers.self)])
    XCTAssertTrue(gone.value)
  }

  func testSettling() throws {
    let (promise, failing, following, bound, other) = (Promise(), Promise(), Promise(), Promise(), Promise())
    // row: -fulfillWithValue:
    promise.fulfill("OK")
    // row: -rejectWithReason:
    failing.reject("there are no users")
    // row: -resolveWithResult:
    following.resolve(other)
    // row: -bind:
    bound.bind(other)
    // row: -bind: of a promise that is resolved already
    promise.bind(other)
    other.fulfill(3)
    XCTAssertEqual(try value(of: promise), "OK")
    guard case .rejected(let reason as String) = try reason(of: failing, as: PromiseError.self) else {
      return XCTFail("\(failing)")
    }
    XCTAssertEqual(reason, "there are no users")
    for each in [following, bound] { XCTAssertEqual(try value(of: each), 3) }
  }

  func testCancelling() throws {
    let download = Download()
    // row: a subclass that overrides cancel
    let promise = Promise(onCancel: { _ in download.stop() })
    promise.cancel()
    XCTAssertTrue(download.wasStopped)
    let (root, task) = (Promise(on: .immediate), Promise())
    @Sendable func load() -> Promise { task.then { $0 } }
    let shown = root.then { _ in load() }
    root.fulfill(1)
    // row: cancelling a promise that a handler has returned
    shown.root.cancel()
    XCTAssertTrue(task.isCancelled)
    let (session, request) = (Promise(), Promise())
    // row: a promise that outlives its consumers
    let shared = session.shielded()
    request.bind(shared)
    request.cancel()
    XCTAssertTrue(shared.isPending && session.isPending)
    let failed = Promise()
    // row: asking an error whether it is a cancellation
    let retried = failed.catch { error in if error.isCancellation { throw error } }
    failed.cancel("enough")
    _ = try outcome(of: retried)
    XCTAssertTrue(retried.isCancelled)
  }

  func testTheTasksEnd() throws {
    let (download, abandoned) = (Download(), Download())
    // row: __weak RXPromise* weakPromise
    let (result, resolver) = Promise.pending()
    // row: promise.then(nil, ^id(NSError* error){ [op cancel]; ... })
    resolver.onCancel { _ in download.stop() }
    XCTAssertFalse(download.wasStopped)
    result.cancel()
    XCTAssertTrue(download.wasStopped)
    let task: Resolver
    do {
      let (result, resolver) = Promise.pending()
      task = resolver
      // row: a task that ends when its promise is abandoned
      resolver.onAbandon { abandoned.stop() }
      XCTAssertTrue(result.isPending)
      XCTAssertFalse(abandoned.wasStopped)
    }
    XCTAssertTrue(task.isAbandoned)
    XCTAssertTrue(abandoned.wasStopped)
  }

  func testHandlers() throws {
    let promise = load("numbers")
    let failed = load("nothing")
    let queue = DispatchQueue(label: "work")
    // row: .then(c, e)
    let both = failed.then({ "got \($0)" }, { _ in "got none" })
    // row: .then(c, nil)
    let numbers = promise.then { (text: String) in try parse(text) }
    // row: .then(nil, e)
    let caught = failed.catch { error in "caught \(error)" }
    // row: .thenOn(queue, c, e)
    let onQueue = failed.thenOn(queue, { $0 }, { _ in 0 })
    // row: .thenOn(nil, c, e)
    let onDefault = promise.thenOn(.shared, { $0 }, { _ in 0 })
    // row: .thenOnMain(c, e)
    let onMain = failed.thenOnMain({ _ in false }, { _ in Thread.isMainThread })
    // row: .catchOn(queue, e)
    let caughtOnQueue = failed.catchOn(queue) { _ in 0 }
    // row: .catchOnMain(e)
    let caughtOnMain = failed.catchOnMain { _ in Thread.isMainThread }
    // row: return error
    let turned = promise.then { _ in NoUsers() }
    // row: return promise
    let next = promise.then { _ in load("greeting") }
    // row: return nil
    let nothing = promise.then { _ in nil }
    // row: promise_completionHandler_t
    let completion: @Sendable (Any) throws -> Any = { $0 }
    // row: promise_errorHandler_t
    let error: @Sendable (any Error) throws -> Any = { _ in 0 }
    XCTAssertEqual(ends(of: both, onDefault, onQueue, caughtOnQueue), ["got none", "1 2 3", 0, 0])
    XCTAssertEqual(ends(of: numbers, onMain, caughtOnMain, next), [[1, 2, 3], true, true, "hello"])
    XCTAssertTrue(try value(of: caught, as: String.self).hasPrefix("caught"))
    XCTAssertNoThrow(try reason(of: turned, as: NoUsers.self))
    XCTAssertNil(try value(of: nothing, as: Any?.self))
    XCTAssertEqual(try value(of: promise.then(completion, error)), "1 2 3")
    XCTAssertEqual(try value(of: failed.then(completion, error)), 0)
  }

  func testWhatHandlersReturn() throws {
    let (promise, failed) = (load("numbers"), load("nothing"))
    let numbers = promise.then { (text: String) in try parse(text) }
    // row: return value
    let first = numbers.then { (numbers: [Int]) in numbers[0] }
    // row: return error, in an error handler
    let passedOn = failed.catch { error in throw error }
    // row: @throw in a handler
    let thrown = promise.then { _ in throw NoUsers() }
    // row: several continuations of one promise
    let siblings = ["a", "b"].map { name in promise.then { _ in name } }
    XCTAssertEqual(ends(of: first, passedOn, thrown), [1, Rejected(Missing.self), Rejected(NoUsers.self)])
    XCTAssertEqual(try siblings.map { try value(of: $0, as: String.self) }, ["a", "b"])
  }

  func testContexts() throws {
    let promise = load("user")
    let cache = DispatchQueue(label: "cache", attributes: .concurrent)
    // row: a concurrent queue
    let behindBarrier = promise.thenOn(cache) { $0 }
    // row: a serial queue
    let inTurn = promise.thenOn(.serial("sync_queue")) { $0 }
    // row: dispatch_get_main_queue()
    let onMainQueue = promise.thenOn(.main) { _ in Thread.isMainThread }
    // row: maxConcurrentOperationCount:1
    let oneByOne = promise.thenOn(.operations("sync_queue", width: 1)) { $0 }
    // row: NSOperationQueue
    let asOperation = promise.thenOn(OperationQueue()) { $0 }
    // row: NSThread
    let onThread = promise.thenOn(Thread.withRunLoop(name: "worker")) { $0 }
    for each in [behindBarrier, inTurn, oneByOne, asOperation, onThread] {
      XCTAssertEqual(try value(of: each), "ann")
    }
    XCTAssertEqual(try value(of: onMainQueue), true)
  }

  func testState() throws {
    let (pending, cancelled) = (Promise(), Promise())
    let child = pending.then { $0 }
    // row: -cancel
    cancelled.cancel()
    // row: isPending
    XCTAssertTrue(pending.isPending)
    // row: isFulfilled
    XCTAssertTrue(Promise.resolved(1).isFulfilled)
    // row: isRejected
    XCTAssertTrue(Promise.rejected("no").isRejected)
    // row: isCancelled
    XCTAssertTrue(cancelled.isCancelled)
    // row: parent
    XCTAssertTrue(child.parent === pending)
    // row: root
    XCTAssertTrue(child.root === pending)
    // row: -cancelWithReason:
    pending.cancel("the window was closed")
    XCTAssertTrue(child.isCancelled)
    // row: -debugDescription
    XCTAssertEqual(cancelled.treeDescription, "Promise(cancelled: CancellationError())")
    XCTAssertTrue(cancelled.debugDescription.contains(" at 0x"))
  }

  func testWaiting() throws {
    let promise = load("user")
    // row: -get
    let user = try promise.get()
    // row: -getWithTimeout:
    let soon = try promise.get(timeout: 20)
    // row: -wait
    promise.wait()
    XCTAssertTrue(promise.isSettled)
    let main = promise.thenOnMain { "\($0)!" }
    // row: -runLoopWait
    main.runLoopWait()
    // row: -setTimeout:
    let late = Promise().setTimeout(0.001)
    XCTAssertEqual(user as? String, "ann")
    XCTAssertEqual(soon as? String, "ann")
    XCTAssertEqual(try main.result?.get() as? String, "ann!")
    guard case .timeout = try reason(of: late, as: PromiseError.self) else { return XCTFail("\(late)") }
  }

  func testGroups() throws {
    let (a, b) = (load("user"), load("nothing"))
    let rounds = Recorded(0)
    @Sendable func nextUser() -> Promise? { rounds.increment() < 3 ? load("user") : nil }
    // row: +all:
    let all = Promise.all([a, load("greeting"), nil])
    // row: +allSettled:
    let settled = Promise.allSettled([a, b])
    // row: +any:
    let any = Promise.any([b, a])
    // row: RXSettledResult
    let failures = settled.then { (all: [Result<Any, any Error>]) in all.filter { (try? $0.get()) == nil } }
    // row: +sequence:task:
    let sequence = Promise.sequence(["user", "settings"]) { (name: String) in load(name) }
    // row: +repeat:
    let loop = Promise.repeat { nextUser() }
    let running = Promise()
    let byHand = Promise.sequence([1, 2]) { _ in running }
    // row: +sequence:task: whose result you settle yourself
    byHand.fulfill("OK")
    // row: +sequence:task: with -setTimeout:
    let inTime = Promise.race([sequence, .delay(20, PromiseError.timeout)], cancellingInputs: true)
    // row: +repeat: of a task that is fulfilled with nil
    let ended = Promise.repeat { Promise.resolved(()).then { nil } }
    XCTAssertTrue(running.isPending)
    XCTAssertNil(try value(of: ended, as: Any?.self))
    XCTAssertEqual(try value(of: all, as: [Any].self).count, 3)
    XCTAssertEqual(try value(of: failures, as: [Result<Any, any Error>].self).count, 1)
    for each in [inTime, sequence] { XCTAssertEqual(try value(of: each), ["ann", "dark"]) }
    for each in [any, loop] { XCTAssertEqual(try value(of: each), "ann") }
    XCTAssertEqual(rounds.value, 3)
    // row: rxp_unary_task
    let unary: @Sendable (Any) throws -> Promise = { load($0 as! String) }
    XCTAssertEqual(try value(of: Promise.sequence(["user"], unary)), ["ann"])
    // row: rxp_nullary_task
    let nullary: @Sendable () throws -> Promise? = { nil }
    XCTAssertNil(try value(of: Promise.repeat(nullary), as: Any?.self))
  }

  func testBackgroundTask() throws {
    let ended = Recorded(0)
    @Sendable func endBackgroundTask() { ended.change { $0 += 1 } }
    // row: -makeBackgroundTaskWithName:
    let uploaded = load("user").finally { endBackgroundTask() }
    _ = try outcome(of: uploaded).get()
    XCTAssertEqual(ended.value, 1)
  }

  func testTheFirstTenMinutes() throws {
    let (download, display, note) = (Download(), Log(), Log())
    // example: from-rxpromise
    func user(_ download: Download) -> Promise {  // was: - (RXPromise*) userWithDownload:(Download*)download
      Promise { resolver in  // was: RXPromise* promise = [[RXPromise alloc] init];
        download.start { name in resolver.fulfill(name) }  // was: [promise fulfillWithValue:name];
        resolver.onCancel { _ in download.stop() }  // was: promise.then(nil, ^id(NSError* e) { ... });
      }
    }
    let shown = user(download)
      .then { (name: String) in load("greeting of \(name)") }  // was: .then(^id(NSString* name) { ... }, nil)
      .thenOnMain { (text: String) in display(text) }  // was: .thenOnMain(^id(NSString* text) { ... }, nil)
      .catch { error in note(error) }  // was: .then(nil, ^id(NSError* error) { ... })
    // end
    download.finish("ann")
    _ = try outcome(of: shown)
    XCTAssertEqual(display.lines, ["hello, ann"])

    let stopped = Download()
    let cancelled = user(stopped).catch { error in note(error) }
    cancelled.root.cancel()
    _ = try outcome(of: cancelled)
    XCTAssertTrue(stopped.wasStopped)
    XCTAssertEqual(note.lines.count, 1)
  }
}
