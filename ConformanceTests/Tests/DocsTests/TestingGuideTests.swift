import DynamicPromise
import DynamicPromiseTesting
import TestSupport
import XCTest

#if canImport(Testing)
  import Testing
#endif

@MainActor private final class Label {
  static let main = Label()
  var text = ""
}

private func loadText(_ name: String) async throws -> String {
  await Task.yield()
  return "a \(name)"
}

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
    // example: testing-clock
    let context = TestContext()
    let answer = Promise(on: context)
    let limited = answer.timeout(3600).catch { _ in "no answer" }

    context.advance(by: 3599)
    assert(limited.isPending)
    context.advance(by: 1)
    assert(limited.isFulfilled)
    // end
    XCTAssertEqual(try limited.result?.get() as? String, "no answer")
    XCTAssertTrue(answer.isPending)
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

  func testSettle() async throws {
    actor Desk {
      var notes: [Any] = []
      func note(_ text: Any) { notes.append(text) }
    }
    let (desk, context) = (Desk(), TestContext())
    let page = Promise(on: context)
    // example: testing-settle
    let shown = page.thenOn(desk) { desk, text in desk.note(text) }.thenOnMain { Label.main.text = "noted" }
    page.fulfill("hello")
    try await context.settle()
    assert(shown.isFulfilled)
    // end
    let text = await Label.main.text
    XCTAssertEqual(text, "noted")
  }
}

#if canImport(Testing)
  /// The example for Swift Testing.
  struct SwiftTestingGuideTests {
    // example: testing-swift-testing
    @Test func titleOfAPage() async throws {
      let context = TestContext()
      let page = Promise(on: context)
      let title = page.then { (text: String) in text.uppercased() }
      let shown = title.thenOnMain { (text: String) in Label.main.text = text }

      page.bind(Promise { try await loadText("page") })  // an async load, on the pool of async code
      try await context.nextJob()  // the handler of `title` is ready
      context.drain()
      try await shown.value(as: Void.self)  // the main queue runs `thenOnMain`
      #expect(await Label.main.text == "A PAGE")
    }
    // end
  }
#endif
