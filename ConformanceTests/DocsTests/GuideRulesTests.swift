import DynamicPromise
import Foundation
import TestSupport
import XCTest

/// The guide's examples: cancellation, contexts, lifetime, sharing.
final class GuideRulesTests: XCTestCase {
  func testCancel() throws {
    let log = Recorded<[String]>([])
    let root = Promise()
    @Sendable func save(_ value: Any) { log.change { $0.append("saved") } }
    @Sendable func note(_ reason: any Error) { log.change { $0.append("\(reason)") } }
    // example: cancel
    let page = root.then { text in save(text) }
    let noted = page.catch { reason in note(reason) }
    page.cancel("the window was closed")

    assert(page.isCancelled)  // at once
    assert(root.isPending)  // a cancel does not affect parents
    // end
    _ = try outcome(of: noted)
    XCTAssertTrue(noted.isCancelled)
    XCTAssertEqual(log.value, ["cancelled: the window was closed"])
  }

  func testForwarding() throws {
    let download = Download()
    // example: forwarding
    let text = Promise { resolver in
      download.start { text in resolver.fulfill(text) }
      resolver.onCancel { _ in download.stop() }
      resolver.onAbandon { download.stop() }
    }
    // end
    XCTAssertFalse(download.wasStopped)
    text.cancel()
    XCTAssertTrue(download.wasStopped)
  }

  func testBind() throws {
    let other = Promise()
    // example: bind
    let outer = Promise()
    outer.bind(other)
    outer.cancel()  // cancels `other` as well: it has no other consumer
    // end
    XCTAssertTrue(other.isCancelled)
  }

  func testErrorIsNoMessage() throws {
    // example: recover
    let calm = load("user")
      .then { _ in throw CancellationError() }
      .catch { _ in "never mind" }
    // end
    XCTAssertEqual(try value(of: calm), "never mind")
  }

  func testContexts() throws {
    // example: contexts
    let log = DispatchQueue(label: "log")
    let cache = DispatchQueue(label: "cache", attributes: .concurrent)

    let done = load("numbers")
      .then { (text: String) in try parse(text) }  // the private concurrent default
      .thenOn(log) { (numbers: [Int]) in numbers.count }  // in order with the queue's other blocks
      .thenOn(cache) { $0 }  // behind a barrier: alone on its queue
      .thenOn(.reading(cache)) { $0 }  // without a barrier: beside other readers
      .thenOnMain { count in "\(count) numbers" }  // on the main actor
    // end
    XCTAssertEqual(try value(of: done), "3 numbers")
  }

  func testDefaultContext() throws {
    let key = DispatchSpecificKey<Bool>()
    let model = DispatchQueue(label: "model")
    model.setSpecific(key: key, value: true)
    @Sendable func isOnModel() -> Bool { DispatchQueue.getSpecific(key: key) == true }
    // example: default-context
    let root = Promise(on: model)
    let first = root.then { _ in isOnModel() }  // on `model`
    let second = root.thenOnMain { _ in 0 }.then { _ in isOnModel() }  // on `model` again
    root.fulfill(1)
    // end
    for each in [first, second] { XCTAssertEqual(try value(of: each), true) }
  }

  func testOwnContext() throws {
    // example: own-context
    struct Utility: ExecutionContext {
      func execute(_ job: @escaping @Sendable () -> Void) {
        DispatchQueue.global(qos: .utility).async(execute: job)
      }
    }
    let sum = load("numbers").thenOn(Utility()) { (text: String) in try parse(text).count }
    // end
    XCTAssertEqual(try value(of: sum), 3)
  }

  func testBroken() throws {
    // example: broken
    let forgotten = Promise { _ in }  // releases the resolver, so the promise is broken
    let report = forgotten.catch { (error: PromiseError) in "\(error)" }
    // end
    guard case .broken = try reason(of: forgotten, as: PromiseError.self) else {
      return XCTFail("\(forgotten)")
    }
    XCTAssertTrue(try value(of: report, as: String.self).hasPrefix("broken"))
  }

  func testDiscarded() throws {
    let uploaded = expectation(description: "uploaded")
    let login = { load("user") }
    let upload: @Sendable (Any) -> Void = { _ in uploaded.fulfill() }
    // example: discarded
    login().then { user in upload(user) }
    // end
    wait(for: [uploaded], timeout: 20)
  }

  func testSharing() throws {
    // example: sharing
    final class Cart {
      var items: [String] = []
    }
    let shop = DispatchQueue(label: "shop")
    let cart = Promise.task(on: shop) { Cart() }
    let filled = cart.then { (cart: Cart) in cart.items.append("tea") }  // on `shop`, the default of its root
    let counted = filled.then { cart.then { (cart: Cart) in cart.items.count } }  // on `shop`
    // end
    XCTAssertEqual(try value(of: counted), 1)
  }
}
