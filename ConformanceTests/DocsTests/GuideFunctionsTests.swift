import DynamicPromise
import Foundation
import TestSupport
import XCTest

/// The guide's examples: functions that return chains, and the cancellation of such chains.
final class GuideFunctionsTests: XCTestCase {
  func testFunctions() throws {
    let (login, download) = (Promise(on: .immediate), Download())
    let notes = Recorded<[String]>([])
    let noted = expectation(description: "noted")
    @Sendable func note(_ reason: any Error) {
      notes.change { $0.append("\(reason)") }
      noted.fulfill()
    }
    // example: functions
    @Sendable func numbers(_ download: Download) -> Promise {
      Promise { resolver in
        download.start { text in resolver.fulfill(text) }
        resolver.onCancel { _ in download.stop() }
        resolver.onAbandon { download.stop() }
      }
      .then { (text: String) in try parse(text) }
      .catch { error -> [Int] in
        note(error)
        throw error
      }
    }
    let sum = login.then { _ in numbers(download) }
      .then { (numbers: [Int]) in numbers.reduce(0, +) }
    // end
    login.fulfill("ann")
    XCTAssertFalse(download.wasStopped)
    // example: functions-cancel
    sum.withdraw("the window was closed")  // stops the download; its `catch` runs with this reason
    // end
    XCTAssertTrue(download.wasStopped)
    wait(for: [noted], timeout: 20)
    XCTAssertEqual(notes.value, ["cancelled: the window was closed"])
    XCTAssertTrue(sum.isCancelled && login.isFulfilled)
  }

  func testConsumers() {
    let (login, shared) = (Promise(on: .immediate), Promise())
    // example: consumers
    let first = login.then { _ in shared }
    let second = login.then { _ in shared }
    // end
    login.fulfill("ann")
    // example: consumers-cancel
    first.cancel()  // `shared` continues, for `second`
    second.cancel()  // now `shared` is cancelled
    // end
    XCTAssertTrue(shared.isCancelled)
  }

  func testShielded() throws {
    let login = Promise(on: .immediate)
    let connection = Promise()
    @Sendable func connect(_ name: Any) -> Promise { connection }
    // example: shielded
    let session = login.then { name in connect(name) }.shielded()
    let request = session.then { session in load("greeting of \(session)") }
    // end
    login.fulfill("ann")
    Promise.resolved(request).cancel()
    XCTAssertTrue(request.isCancelled)
    XCTAssertTrue(session.isPending && connection.isPending)
    connection.fulfill("ann")
    let next = session.then { session in load("greeting of \(session)") }
    XCTAssertEqual(try value(of: next), "hello, ann")
  }

  func testIsCancellation() throws {
    let begun = Recorded(0)
    @Sendable func load(_ name: String) -> Promise {
      begun.increment()
      return GuideTasks.load(name)
    }
    for isCancelled in [true, false] {
      let source = Promise()
      // example: is-cancellation
      let text = source.catch { error -> Promise in
        if error.isCancellation { throw error }
        return load("greeting")
      }
      // end
      if isCancelled { source.cancel("the window was closed") } else { source.reject(Missing(name: "user")) }
      let outcome = try outcome(of: text)
      XCTAssertEqual(try? outcome.get() as? String, isCancelled ? nil : "hello")
      XCTAssertEqual(text.isCancelled, isCancelled)
      XCTAssertEqual(begun.value, isCancelled ? 0 : 1)
    }
  }
}
