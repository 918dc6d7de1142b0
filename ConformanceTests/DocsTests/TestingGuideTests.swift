import DynamicPromise
import DynamicPromiseTesting
import Foundation
import TestSupport
import XCTest

/// The examples of `docs/testing.md`.
final class TestingGuideTests: XCTestCase {
  func testStep() throws {
    // example: testing-step
    let context = TestContext()
    let (page, resolver) = Promise.pending(on: context)
    let title = page.then { (text: String) in text.uppercased() }

    resolver.fulfill("hello")
    assert(title.isPending)  // the handler waits for its turn
    context.step()
    assert(title.isFulfilled)
    // end
    XCTAssertEqual(try title.result?.get() as? String, "HELLO")
  }

  func testClock() throws {
    let context = TestContext()
    // example: testing-clock
    let answer = Promise(on: context)
    let limited = answer.setTimeout(3600).catch { _ in "no answer" }

    context.advance(by: 3599)
    assert(limited.isPending)
    context.advance(by: 1)
    assert(limited.isFulfilled)
    // end
    XCTAssertEqual(try limited.result?.get() as? String, "no answer")
    XCTAssertTrue(answer.isPending)
  }

  func testDrop() throws {
    let context = TestContext()
    // example: testing-drop
    let saved = Promise.task(on: context) { "saved" }
    context.dropAll()
    assert(saved.isRejected)  // PromiseError.broken
    // end
    guard case .failure(PromiseError.broken)? = saved.result else { return XCTFail("\(saved)") }
  }

  func testWait() throws {
    let context = TestContext()
    // example: testing-wait
    let numbers = Promise(on: context)
    let count = numbers.then { (text: String) in try parse(text).count }
    numbers.bind(load("numbers"))  // settles on a thread of its own

    let arrived = context.waitForJob(timeout: 20)
    context.drain()
    // end
    XCTAssertTrue(arrived)
    XCTAssertEqual(try count.result?.get() as? Int, 3)
  }
}
