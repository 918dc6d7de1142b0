import DynamicPromise
import DynamicPromisePatterns
import Foundation
import TestSupport
import XCTest

/// The rows of `docs/migration/futuristics.md`.
final class FromFuturisticsTests: XCTestCase {
  func testTheTasksSide() throws {
    let (failing, resolved) = (Promise(), Promise())
    // row: Promise<T>()
    let promise = Promise()
    // row: promise.future
    let future = promise.future
    // row: promise.fulfill(_:)
    promise.fulfill("ann")
    // row: promise.reject(_:)
    failing.reject(Missing(name: "user"))
    // row: promise.resolve { try ... }
    let parsed = Promise.task { try parse("1 2 3") }
    // row: promise.correlate(_:)
    resolved.bind(load("user"))
    // row: isPending
    XCTAssertFalse(future.isPending)
    XCTAssertEqual(try reason(of: failing), Missing(name: "user"))
    XCTAssertEqual(ends(of: parsed, promise, resolved), [[1, 2, 3], "ann", "ann"])
  }

  func testHandlers() throws {
    let (future, failed, queue) = (load("user"), load("nothing"), DispatchQueue(label: "work"))
    let closed = Recorded(0)
    // row: onSuccess { }
    let shown = future.thenOnMain { (name: String) in Thread.isMainThread }
    // row: onSuccess(onMainQueue) { }
    let onMain = future.thenOn(.mainImmediate) { (name: String) in Thread.isMainThread }
    // row: onSuccess(onBackgroundQueue) { }
    let inBackground = future.then { (name: String) in name.count }
    // row: onSuccess(onQueue(queue)) { }
    let onQueue = future.thenOn(queue) { (name: String) in name.count }
    // row: onFailure { }
    let caught = failed.catchOnMain { error in Thread.isMainThread }
    // row: finally { }
    let ended = failed.finallyOnMain { closed.change { $0 += 1 } }
    for each in [shown, onMain, caught] { XCTAssertEqual(try value(of: each), true) }
    XCTAssertEqual(ends(of: inBackground, onQueue, ended), [3, 3, Rejected(Missing.self)])
    XCTAssertEqual(closed.value, 1)
  }

  func testTheFirstTenMinutes() throws {
    let show = Log()
    @Sendable func sum(_ text: String) throws -> Int { try parse(text).reduce(0, +) }
    // example: from-futuristics
    let request: @Sendable (String) -> Promise = { name in load(name) }  // was: (String) -> Future<String>
    request("numbers").then(sum)  // was: request >>> onBackgroundQueue(sum)
      .thenOnMain { (total: Int) in  // was: .onSuccess(onMainQueue) { total in
        show("\(total)")
      }
      .catchOnMain { error in  // was: .onFailure(onMainQueue)
        show("\(error)")
      }
    // end
    waitUntil { !show.lines.isEmpty }
    XCTAssertEqual(show.lines, ["6"])
  }

  func testCompositionAndBlocking() throws {
    let queue = DispatchQueue(label: "work")
    let request: @Sendable (String) -> Promise = { name in load(name) }
    // row: f >>> g
    let numbers = request >>> parse
    // row: x \|> f
    let piped = "numbers" |> request
    // row: future \|> f
    let parsed = load("numbers") |> parse
    // row: onBackgroundQueue(f)
    let inBackground = onBackgroundQueue(parse)
    // row: onMainQueue(f)
    let onMain = onMainQueue(parse)
    // row: onQueue(queue)(f)
    let onOther = onQueue(queue)(parse)
    XCTAssertEqual(ends(of: numbers("numbers"), piped, parsed), [[1, 2, 3], "1 2 3", [1, 2, 3]])
    for each in [inBackground, onMain, onOther] { XCTAssertEqual(try value(of: each("1 2 3")), [1, 2, 3]) }
    let (a, b) = (load("user"), load("nothing"))
    // row: onBackgroundQueue(after:)(f)
    let later = { @Sendable (text: String) in Promise.delay(0.001, text) } >>> parse
    // row: await(a, b)
    let areSettled = Promise.allSettled([a, b]).wait()
    XCTAssertEqual(try value(of: later("1 2")), [1, 2])
    XCTAssertTrue(areSettled && a.isFulfilled && b.isRejected)
  }
}
