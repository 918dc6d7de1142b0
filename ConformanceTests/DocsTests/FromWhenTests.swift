import DynamicPromise
import Foundation
import TestSupport
import XCTest

/// The rows of `docs/migration/when.md`: each `// row:` is followed by the line of code that the table shows.
final class FromWhenTests: XCTestCase {
  private struct NotFound: Error {}

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
    XCTAssertEqual(try value(of: product), 42)
    XCTAssertNoThrow(try reason(of: failing, as: NotFound.self))
    // row: PromiseError.cancelled
    XCTAssertTrue(try reason(of: onQueue, as: CancellationError.self).isCancellation)
  }

  func testHandlers() throws {
    let (promise, failed, queue) = (load("user"), load("nothing"), DispatchQueue(label: "work"))
    let heard = Recorded([String]())
    @Sendable func hear(_ text: String) { heard.change { $0.append(text) } }
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
    XCTAssertEqual(try value(of: greeting), "hello, ann")
    XCTAssertEqual(try value(of: mended), "ann")
    XCTAssertEqual(Set(heard.value), ["ann", "failed", "failed anyhow", "bad"])
  }

  func testSeveral() throws {
    let (a, b) = (load("user"), load("settings"))
    // row: when([a, b])
    let all = Promise.all([a, b])
    // row: when(a, b).done { x, y in }
    let text = Promise.all([a, b]).spread { (name: String, theme: String) in "\(name) \(theme)" }
    XCTAssertEqual(try value(of: all), ["ann", "dark"])
    XCTAssertEqual(try value(of: text), "ann dark")
  }

  // The page shows this program at the top.
  func testTheFirstTenMinutes() throws {
    let shown = Recorded([String]())
    @Sendable func show(_ text: String) { shown.change { $0.append(text) } }
    // example: from-when
    load("numbers").then { (text: String) in  // was: .thenInBackground({ text -> [Int] in ... })
      try parse(text)
    }.thenOnMain { (numbers: [Int]) in  // was: .done({ numbers in ... })
      show("\(numbers.count)")
    }.catchOnMain { error in  // was: .fail({ error in ... })
      if !error.isCancellation { show("\(error)") }
    }
    // end
    _ = try value(of: load("numbers").then { (text: String) in show(text) }, as: Void.self)
    XCTAssertTrue(shown.value.contains("1 2 3"))
  }
}
