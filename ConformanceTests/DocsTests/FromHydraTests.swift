import DynamicPromise
import Foundation
import TestSupport
import XCTest

/// The rows of `docs/migration/hydra.md`.
final class FromHydraTests: XCTestCase {
  func testMaking() throws {
    let (promise, failing, queue) = (Promise(), Promise(), DispatchQueue(label: "work"))
    // row: Promise { resolve, reject, _ in }
    let user = Promise { resolver in fetch("user") { text, error in resolver.resolve(text, error) } }
    // row: Promise(in: context) { }
    let onQueue = Promise.task(on: queue) { 6 * 7 }
    // row: a promise without a handler
    let later: @Sendable () -> Promise = { load("user") }
    // row: Promise(resolved:)
    let done = Promise.resolved("ann")
    // row: Promise(rejected:)
    let refused = Promise.rejected(NotFound())
    // row: promise.resolve(_:)
    promise.resolve("ann")
    // row: promise.reject(_:)
    failing.reject(NotFound())
    // row: async { }
    let asynchronous = Promise { try await load("user").value(as: String.self) }
    for each in [user, later(), done, promise, asynchronous] { XCTAssertEqual(try value(of: each), "ann") }
    XCTAssertEqual(try value(of: onQueue), 42)
    for each in [refused, failing] { XCTAssertNoThrow(try reason(of: each, as: NotFound.self)) }
  }

  func testHandlers() throws {
    let (promise, failed, queue) = (load("user"), load("nothing"), DispatchQueue(label: "work"))
    let ended = Recorded(0)
    @Sendable func end() { ended.change { $0 += 1 } }
    // row: then(in: .main) { }
    let onMain = promise.thenOnMain { (name: String) in Thread.isMainThread }
    // row: then(in: .background) { }
    let greeting = promise.then { (name: String) in load("greeting of \(name)") }
    // row: then(in: .custom(queue:)) { }
    let onQueue = promise.thenOn(queue) { (name: String) in name.count }
    // row: catch { }
    let caught = failed.catchOnMain { error in "\(error)" }
    // row: always { }
    let always = failed.finallyOnMain { end() }
    // row: recover { }
    let mended = failed.catch { _ in load("user") }
    // row: validate { }
    let valid = promise.then { (name: String) in if name.count > 5 { name } else { throw NotFound() } }
    // row: timeout(timeout:error:)
    let inTime = Promise().setTimeout(0.001).catch { _ in throw NotFound() }
    // row: defer(_:)
    let deferred = Promise.delay(0.001).then { _ in load("user") }
    // row: void
    let empty = promise.then { _ in () }
    // row: add(in:onResolve:onReject:)
    let both = promise.then({ "got \($0)" }, { "no \($0)" })
    XCTAssertEqual(ends(of: onMain, greeting, onQueue, both), [true, "hello, ann", 3, "got ann"])
    XCTAssertNoThrow(try value(of: caught, as: String.self))
    XCTAssertEqual(ends(of: always, mended, deferred), [Rejected(Missing.self), "ann", "ann"])
    XCTAssertEqual(ended.value, 1)
    for each in [valid, inTime] { XCTAssertNoThrow(try reason(of: each, as: NotFound.self)) }
    XCTAssertNoThrow(try value(of: empty, as: Void.self))
  }

  func testSeveral() throws {
    let names = ["user", "settings"]
    // row: all(_:)
    let all = Promise.all(names.map { load($0) })
    // row: any(_:)
    let first = Promise.race([Promise(), load("user")])
    // row: zip(a, b)
    let both = Promise.all([load("user"), load("settings")]).then { (all: [Any]) in (all[0], all[1]) }
    // row: map(.parallel, items) { }
    let parallel = Promise.all(names.map { load($0) })
    // row: map(.series, items) { }
    let inTurn = Promise.sequence(names) { (name: String) in load(name) }
    // row: await(promise)
    let name = try load("user").get(as: String.self)
    // row: ..promise
    let again = try load("user").get(as: String.self)
    // row: ..!promise
    let perhaps = try? load("nothing").get(as: String.self)
    for each in [all, parallel, inTurn] { XCTAssertEqual(try value(of: each), ["ann", "dark"]) }
    XCTAssertEqual(try value(of: first), "ann")
    XCTAssertTrue(try value(of: both, as: (String, String).self) == ("ann", "dark"))
    XCTAssertEqual([name, again, perhaps], ["ann", "ann", nil])
  }

  func testCancelling() throws {
    let (download, promise) = (Download(), Promise.resolved("ann"))
    // row: Promise(token:) { }
    let task = Promise(onCancel: { _ in download.stop() })
    let shown = task.then { $0 }
    // row: token.invalidate()
    shown.root.cancel()
    XCTAssertTrue(download.wasStopped)
    // row: status.isCancelled
    let stopped = Promise { resolver in if !resolver.isCancelled { resolver.fulfill("ann") } }
    let cancelled = Promise()
    // row: promise.cancel()
    cancelled.cancel()
    // row: cancelled { }
    let heard = cancelled.catch { error in if error.isCancellation { throw error } }
    XCTAssertTrue(try reason(of: heard, as: (any Error).self).isCancellation)
    let slow = Promise().setTimeout(0.001)
    // row: PromiseError.timeout
    let late = slow.catch { error in if case PromiseError.timeout = error { "late" } else { throw error } }
    // row: isPending, state
    XCTAssertTrue(!promise.isPending && promise.isFulfilled)
    // row: result, error
    XCTAssertNotNil(promise.result)
    XCTAssertEqual(ends(of: stopped, late), ["ann", "late"])
  }

  func testTheFirstTenMinutes() throws {
    let (begun, show) = (Recorded(0), Log())
    // example: from-hydra
    @Sendable func image() -> Promise {  // starts when it is called, not at the first `then`
      Promise { resolver in  // was: Promise<String>(in: .background) { resolve, reject, _ in
        begun.change { $0 += 1 }
        fetch("user") { text, error in resolver.resolve(text, error) }
      }
    }
    image().thenOnMain { (text: String) in  // was: .then(in: .main) { text in
      show(text)
    }.catchOnMain { error in  // was: .catch(in: .main) { error in
      show("\(error)")
    }
    // end
    waitUntil { !show.lines.isEmpty }
    XCTAssertEqual(show.lines, ["ann"])
    XCTAssertEqual(begun.value, 1)
    _ = image()
    XCTAssertEqual(begun.value, 2)
  }

  func testRetryPassAndConcurrency() throws {
    let (tries, seen, names) = (Recorded(0), Recorded(0), ["user", "settings"])
    // Each retry succeeds at its third attempt or earlier, because both retries share the counter.
    @Sendable func attempt() -> Promise { load(tries.increment() < 3 ? "nothing" : "user") }
    // row: retry(_:) { }
    let user = Promise.retry(3, while: { error in error is Missing }) { attempt() }
    // row: retryWhen
    let slower = Promise.retry(3, delay: .exponential(0.001)) { attempt() }
    // row: pass { }
    let passed = user.tap { seen.change { $0 += 1 } }
    // row: all(_:concurrency:)
    let all = Promise.map(names, concurrency: 2) { (name: String) in load(name) }
    // row: reduce(_:) { }
    let letters = Promise.reduce(names, "") { (text: String, name: String) in text + name }
    // row: promise.delay(_:)
    let late = passed.delay(0.001)
    for each in [user, passed, late] { XCTAssertEqual(try value(of: each), "ann") }
    _ = try outcome(of: slower)
    XCTAssertEqual(seen.value, 1)
    XCTAssertEqual(ends(of: all, letters), [["ann", "dark"], "usersettings"])
  }
}
