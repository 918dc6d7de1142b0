import DynamicPromise
import Foundation
import TestSupport
import XCTest

/// The rows of `docs/migration/when.md`.
final class FromWhenTests: XCTestCase {
  func testMakingAndSettling() throws {
    let (failing, queue) = (Promise(), DispatchQueue(label: "work"))
    // row: Promise<T>()
    let promise = Promise()
    // row: Promise(queue:)
    let onQueue = Promise(on: queue)
    // row: Promise({ return value })
    let product = Promise.task { 6 * 7 }
    // row: Promise({ resolve, reject in })
    let user = Promise { resolver in fetch("user") { text, error in resolver.resolve(text, error) } }
    // row: Promise(state: .resolved(value:))
    let done = Promise.resolved("ann")
    // row: promise.resolve(_:)
    promise.resolve("ann")
    // row: promise.reject(_:)
    failing.reject(NotFound())
    // row: promise.cancel()
    onQueue.cancel()
    // row: state
    XCTAssertTrue(promise.isFulfilled && failing.isRejected && !promise.isPending)
    for each in [promise, user, done] { XCTAssertEqual(try value(of: each), "ann") }
    XCTAssertEqual(ends(of: product, failing), [42, Rejected(NotFound.self)])
    // row: PromiseError.cancelled
    XCTAssertTrue(try reason(of: onQueue, as: CancellationError.self).isCancellation)
  }

  func testHandlers() throws {
    let (promise, failed, queue) = (load("user"), load("nothing"), DispatchQueue(label: "work"))
    let hear = Log()
    // row: done { }
    let done = promise.thenOnMain { (name: String) in hear(name) }
    // row: fail { }
    let failedLoudly = failed.catchOnMain { error in if !error.isCancellation { hear("failed") } }
    // row: fail(policy: .allErrors) { }
    let failedAnyhow = failed.catchOnMain { _ in hear("failed anyhow") }
    // row: always { result in }
    let always = failed.thenOnMain({ _ in hear("good") }, { _ in hear("bad") })
    // row: then { }
    let count = promise.thenOnMain { (name: String) in name.count }
    // row: then(on:) { }
    let onQueue = promise.thenOn(queue) { (name: String) in name.count }
    // row: then(on: instantQueue) { }
    let inPlace = promise.thenOn(.immediate) { (name: String) in name.count }
    // row: thenInBackground { }
    let inBackground = promise.then { (name: String) in name.count }
    // row: then { promise }
    let greeting = promise.then { (name: String) in load("greeting of \(name)") }
    // row: asVoid()
    let empty = promise.then { _ in () }
    // row: recover { }
    let mended = failed.catch { _ in load("user") }
    for each in [done, failedLoudly, failedAnyhow, always, empty] {
      XCTAssertNoThrow(try value(of: each, as: Void.self))
    }
    for each in [count, onQueue, inPlace, inBackground] { XCTAssertEqual(try value(of: each), 3) }
    XCTAssertEqual(ends(of: greeting, mended), ["hello, ann", "ann"])
    XCTAssertEqual(Set(hear.lines), ["ann", "failed", "failed anyhow", "bad"])
  }

  func testSeveral() throws {
    let (a, b) = (load("user"), load("settings"))
    // row: when([a, b])
    let all = Promise.all([a, b])
    // row: when(a, b).done { x, y in }
    let text = Promise.all([a, b]).spread { (name: String, theme: String) in "\(name) \(theme)" }
    XCTAssertEqual(ends(of: all, text), [["ann", "dark"], "ann dark"])
  }

  func testTheFirstTenMinutes() throws {
    let show = Log()
    // example: from-when
    load("numbers").then { (text: String) in  // was: .thenInBackground({ text -> [Int] in ... })
      try parse(text)
    }.thenOnMain { (numbers: [Int]) in  // was: .done({ numbers in ... })
      show("\(numbers.count)")
    }.catchOnMain { error in  // was: .fail({ error in ... })
      if !error.isCancellation { show("\(error)") }
    }
    // end
    waitUntil { !show.lines.isEmpty }
    XCTAssertEqual(show.lines, ["3"])
  }
}
