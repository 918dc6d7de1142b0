// `get` and `wait` (H2.5 to H2.7, H2.11).

import DynamicPromise
import XCTest

final class WaitTests: XCTestCase {
  // Spec: H2.5
  func testASettledPromiseIsReturnedAtOnce() throws {
    let failure = Failure()
    let (fulfilled, rejected) = (Promise.resolved(1), Promise.rejected(failure))
    XCTAssertTrue(fulfilled.wait() && rejected.wait())
    XCTAssertTrue(fulfilled.wait())
    XCTAssertEqual(try fulfilled.get() as? Int, 1)
    XCTAssertThrowsError(try rejected.get()) { XCTAssertTrue($0 as? Failure === failure) }
    for timeout in [1, 0, -1, .nan, .infinity] {
      XCTAssertEqual(try fulfilled.get(timeout: timeout) as? Int, 1)
      XCTAssertThrowsError(try rejected.get(timeout: timeout)) { XCTAssertTrue($0 as? Failure === failure) }
    }
  }

  // Spec: H2.5
  func testGetWaitsForAPendingPromise() {
    let failure = Failure()
    let (first, second, third) = (Promise(), Promise(), Promise())
    let handler = second.then { ($0 as! Int) + 1 }
    let (begun, queue) = (Event(), DispatchQueue(label: "settling"))
    queue.async {
      begun.wait()
      first.fulfill(1)
      begun.wait()
      second.fulfill(2)
      begun.wait()
      third.reject(failure)
    }
    begun.signal()
    XCTAssertTrue(first.wait())
    begun.signal()
    XCTAssertEqual(WaitOutcome { try handler.get() }, .value(3))
    begun.signal()
    XCTAssertThrowsError(try third.get(timeout: patience)) { XCTAssertTrue($0 as? Failure === failure) }
  }

  // Spec: H2.5
  func testATimeoutDoesNotAffectThePromise() {
    let promise = Promise()
    for timeout in [0.001, 0, -1, .nan] {
      XCTAssertEqual(WaitOutcome { try promise.get(timeout: timeout) }, .timeout)
      XCTAssertEqual(WaitOutcome { try promise.get(as: Int.self, timeout: timeout) }, .timeout)
    }
    promise.fulfill(1)
    XCTAssertEqual(WaitOutcome { try promise.get(timeout: 0) }, .value(1))
  }

  // Spec: H2.8, H2.7
  func testGetCastsTheValue() throws {
    let promise = Promise.resolved(1)
    let number: Int = try promise.get(as: Int.self)
    let optional: Int? = try promise.get(as: Int?.self, timeout: patience)
    XCTAssertEqual([number, optional], [1, 1])
    for wrong: () throws -> String in [
      { try promise.get(as: String.self) }, { try promise.get(as: String.self, timeout: patience) },
    ] {
      XCTAssertThrowsError(try wrong()) { error in
        guard case PromiseError.typeMismatch(let expected, let found, _, _) = error else {
          return XCTFail("\(error)")
        }
        XCTAssertTrue(expected == String.self && found == Int.self)
      }
    }
    let failure = Failure()
    XCTAssertThrowsError(try Promise.rejected(failure).get(as: Int.self)) {
      XCTAssertTrue($0 as? Failure === failure)
    }
  }

  // Spec: H2.11
  func testAHookMayWaitForTheCleanUpBelow() {
    let contexts: [any ExecutionContext] = [.immediate, .shared, DispatchQueue(label: "serial")]
    for context in contexts {
      inTime {
        let (promise, resolver) = Promise.pending(on: context)
        let cleaned = Counter()
        let cleanUp = promise.catch { _ in cleaned.increment() }
        let waits = Log<Bool>()
        resolver.onCancel { _ in waits.append(cleanUp.wait()) }
        promise.cancel()
        XCTAssertEqual(waits.all, [true])
        XCTAssertEqual(cleaned.value, 1)
      }
    }
  }

  /// The wait fails, because the sibling's handler runs on this stack after the waiting handler has returned.
  // Spec: H2.11
  func testAHandlerInPlaceMayWaitForItsSibling() {
    inTime {
      let promise = Promise(on: .immediate)
      let waits = Log<Bool>()
      let late = Log<Promise>()
      promise.then { _ in waits.append(late.all[0].wait()) }
      late.append(promise.then { _ in })
      promise.fulfill(1)
      XCTAssertEqual(waits.all, [false])
      XCTAssertTrue(late.all[0].isFulfilled)
    }
  }

  // Spec: X6.4
  func testManyHandlersInPlaceThatWaitNeedABoundedStack() {
    let (never, count, outer) = (Promise(), Counter(), Promise(on: .immediate))
    let many = min(depthBeyondTheStack, 100_000) / 2
    outer.then { _ in
      for _ in 0..<many {
        Promise.resolved(0, on: .immediate).then { _ in
          _ = try? never.get(timeout: 1e-6)
          count.increment()
        }
      }
    }
    onSmallStack { outer.fulfill(0) }
    eventually("each handler") { count.value == many }
  }
}
