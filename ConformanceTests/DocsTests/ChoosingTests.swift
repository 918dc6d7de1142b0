import DynamicPromise
import TestSupport
import XCTest

/// The examples of the page on choosing between promises and async/await.
final class ChoosingTests: XCTestCase {
  func testOneAfterTheOther() async throws {
    // example: choose-async
    func greeting(of user: String) async throws -> String {
      let name = try await load(user).value(as: String.self)
      return try await load("greeting of \(name)").value(as: String.self)
    }
    // end
    let text = try await greeting(of: "user")
    XCTAssertEqual(text, "hello, ann")
  }

  func testTheSameAsAChain() async throws {
    // example: choose-chain
    func greeting(of user: String) -> Promise {
      load(user).then { name in load("greeting of \(name)") }
    }
    // end
    let text = try await greeting(of: "user").value(as: String.self)
    XCTAssertEqual(text, "hello, ann")
  }

  func testSharedWork() async throws {
    let download = Download()
    // example: choose-shared
    let page = Promise { resolver in
      download.start { text in resolver.fulfill(text) }
      resolver.onCancel { _ in download.stop() }
    }
    .cancelsWhenUnwanted()
    let reader = Task { try await page.value(as: String.self) }
    let length = page.then { (text: String) in text.count }
    // end
    // example: choose-shared-reader
    reader.cancel()  // the download continues, for `length`
    // end
    _ = await reader.result
    XCTAssertFalse(download.wasStopped)
    // example: choose-shared-chain
    length.cancel()  // the download stops, because no consumer is left
    // end
    XCTAssertTrue(download.wasStopped)
  }

  func testBothWays() async throws {
    // example: choose-both
    let promise = Promise { try await answer() }  // an async function as a promise
    let number = try await promise.value(as: Int.self)  // a promise in an async function
    // end
    XCTAssertEqual(number, 42)
  }
}
