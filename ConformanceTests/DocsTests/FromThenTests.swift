import DynamicPromise
import Foundation
import TestSupport
import XCTest

/// The rows of `docs/migration/then.md`.
final class FromThenTests: XCTestCase {
  private struct TooYoung: Error {}
  private struct Failed: Error {}

  func testMakingAndStarting() throws {
    let failing = Promise()
    // row: Promise { resolve, reject in }
    let user = Promise { resolver in fetch("user") { text, error in resolver.resolve(text, error) } }
    // row: a promise that has not been started
    let later: @Sendable () -> Promise = { load("user") }
    // row: start()
    let started = later()
    // row: registerThen { }
    let counted: @Sendable () -> Promise = { later().then { (name: String) in name.count } }
    // row: registerOnError { }, registerFinally { }
    let watched: @Sendable () -> Promise = { later().catch { _ in "nobody" }.finally {} }
    // row: Promise.resolve(_:)
    let done = Promise.resolved("ann")
    // row: Promise.reject(error:)
    let refused = Promise.rejected(Missing(name: "user"))
    // row: Promise<T>(), fulfill(_:), reject(_:)
    failing.reject(Missing(name: "user"))
    // row: async { }
    let asynchronous = Promise { try await load("user").value(as: String.self) }
    for each in [user, started, watched(), done, asynchronous] { XCTAssertEqual(try value(of: each), "ann") }
    XCTAssertEqual(try value(of: counted()), 3)
    for each in [refused, failing] { XCTAssertEqual(try reason(of: each), Missing(name: "user")) }
  }

  func testHandlers() throws {
    let (promise, failed, age) = (load("user"), load("nothing"), Promise.resolved(12))
    let (ended, nothing) = (Recorded(0), String?.none)
    @Sendable func end() { ended.change { $0 += 1 } }
    // row: then { }
    let greeting = promise.then { (name: String) in load("greeting of \(name)") }
    // row: then(function)
    let parsed = load("numbers").then(parse)
    // row: then(otherPromise)
    let next = promise.then { _ in load("settings") }
    // row: onError { }
    let caught = failed.catch { error in "\(error)" }
    // row: finally { }
    let finished = promise.finally { end() }
    // row: noMatterWhat { }
    let cleared = failed.finally { end() }
    // row: recover(with: value)
    let mended = failed.catch { _ in "nobody" }
    // row: recover(with: promise)
    let other = failed.catch { _ in load("user") }
    // row: recover(error, with: value)
    let mendedOne = failed.catch { (error: Missing) in "nobody" }
    // row: recover { error in }
    let chosen = failed.catch { error in if error is Missing { "nobody" } else { throw error } }
    // row: validate { }
    let grown = age.then { (age: Int) in if age > 18 { age } else { throw TooYoung() } }
    // row: bridgeError(to:)
    let bridged = failed.catch { _ in Failed() }
    // row: bridgeError(_:to:)
    let bridgedOne = failed.catch { (error: Missing) in Failed() }
    // row: unwrap(_:)
    let unwrapped = Promise { resolver in resolver.resolve(nothing ?? Missing(name: "id") as Any) }
    // row: convertErrorToNil()
    let optional = failed.catch { _ in nil }
    // row: first, last
    let last = parsed.then { (numbers: [Int]) in numbers.last }
    // row: resolveOnMainThread()
    let onMain = promise.thenOnMain { (name: String) in Thread.isMainThread }
    // row: toVoid
    let empty = promise.then { _ in () }
    XCTAssertEqual(ends(of: greeting, next, finished, other, last), ["hello, ann", "dark", "ann", "ann", 3])
    XCTAssertEqual(ends(of: parsed, grown, onMain), [[1, 2, 3], Rejected(TooYoung.self), true])
    XCTAssertNoThrow(try value(of: caught, as: String.self))
    for each in [mended, mendedOne, chosen] { XCTAssertEqual(try value(of: each), "nobody") }
    for each in [cleared, unwrapped] { XCTAssertNoThrow(try reason(of: each, as: Missing.self)) }
    for each in [bridged, bridgedOne] { XCTAssertNoThrow(try reason(of: each, as: Failed.self)) }
    XCTAssertNil(try value(of: optional, as: Any?.self))
    XCTAssertNoThrow(try value(of: empty, as: Void.self))
    XCTAssertEqual(ended.value, 2)
  }

  func testSeveralAndTime() throws {
    let (a, b) = (load("user"), load("settings"))
    // row: whenAll(a, b)
    let all = Promise.all([a, b])
    // row: Promises.lazyWhenAll
    let inTurn = Promise.sequence(["user", "settings"]) { (name: String) in load(name) }
    // row: race(a, b)
    let quickest = Promise.race([a, Promise()])
    // row: zip(a, b)
    let both = Promise.all([a, b]).then { (all: [Any]) in (all[0], all[1]) }
    // row: timeout(_:)
    let inTime = Promise().setTimeout(0.001)
    // row: Promise.delay(_:)
    let later = Promise.delay(0.001, "ann")
    // row: await(promise)
    let name = try a.get(as: String.self)
    // row: ..promise
    let again = try a.get(as: String.self)
    // row: ..?promise
    let perhaps = try? b.get(as: String.self)
    let (odd, even) = (Promise.resolved([1, 3]), Promise.resolved([2]))
    // row: promise + promise, whenAll of arrays
    let joined = Promise.all([odd, even]).then { (lists: [[Int]]) in lists.flatMap { $0 } }
    XCTAssertTrue(try value(of: both, as: (String, String).self) == ("ann", "dark"))
    XCTAssertEqual([name, again, perhaps], ["ann", "ann", "dark"])
    // row: isStarted, state
    XCTAssertTrue(a.isSettled && a.isFulfilled && !a.isRejected)
    // row: value, error
    XCTAssertNotNil(a.result)
    let (tries, seen) = (Recorded(0), Recorded(0))
    @Sendable func attempt() -> Promise { load(tries.increment() < 3 ? "nothing" : "user") }
    // row: retry(_:)
    let user = Promise.retry(3) { attempt() }
    // row: chain { }
    let chained = user.tap { seen.change { $0 += 1 } }
    // row: delay(_:)
    let late = chained.delay(0.001)
    XCTAssertEqual(ends(of: quickest, later, late, joined), ["ann", "ann", "ann", [1, 3, 2]])
    XCTAssertEqual(
      ends(of: all, inTurn, inTime), [["ann", "dark"], ["ann", "dark"], Rejected(PromiseError.self)])
    XCTAssertEqual([tries.value, seen.value], [3, 1])
  }

  func testTheFirstTenMinutes() throws {
    let (begun, show) = (Recorded(0), Log())
    // example: from-then
    @Sendable func users() -> Promise {  // starts when it is called, not at the first `then`
      Promise { resolver in
        begun.change { $0 += 1 }
        fetch("user") { text, error in resolver.resolve(text, error) }
      }
    }
    let fetchUsers: @Sendable () -> Promise = {  // was: users().registerThen { ... }
      users().then { (name: String) in [name] }
    }
    fetchUsers().thenOnMain { (names: [String]) in  // was: fetchUsers.then { names in ... }
      show(names.joined())
    }.catchOnMain { error in  // was: .onError { error in ... }
      show("\(error)")
    }
    // end
    waitUntil { !show.lines.isEmpty }
    XCTAssertEqual(show.lines, ["ann"])
    XCTAssertEqual(begun.value, 1)
    _ = fetchUsers()
    XCTAssertEqual(begun.value, 2)
  }
}
