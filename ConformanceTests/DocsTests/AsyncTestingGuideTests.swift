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

/// The async examples of `docs/testing.md`.
final class AsyncTestingGuideTests: XCTestCase {
  // example: testing-async
  func testTitleOfAPage() async throws {
    let context = TestContext()
    let page = Promise(on: context)
    let title = page.then { (text: String) in text.uppercased() }

    page.bind(Promise { try await loadText("page") })
    let arrived = await context.nextJob()
    XCTAssertTrue(arrived)
    context.drain()
    let text = try await title.value(as: String.self)
    XCTAssertEqual(text, "A PAGE")
  }
  // end

  func testTimer() async throws {
    let context = TestContext()
    // example: testing-timer
    let page = Promise(on: context)
    let late = page.delay(60)
    page.bind(Promise { try await loadText("page") })

    await context.nextTimer()  // the load has settled `page`, which started the delay
    context.advance(by: 60)
    let text = try await late.value(as: String.self)
    // end
    XCTAssertEqual(text, "a page")
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
      #expect(await context.nextJob())  // the handler of `title` is ready
      context.drain()
      try await shown.value(as: Void.self)  // the main queue runs `thenOnMain`
      #expect(await Label.main.text == "A PAGE")
    }
    // end
  }
#endif
