import DynamicPromise
import Foundation
import TestSupport
import XCTest

/// The downloads of the gallery's images.
private let downloads = ["first": Download(), "second": Download()]

private func image(_ name: String) -> Promise { text(of: downloads[name]!) }

/// The guide's examples: cancellation, functions that return chains, contexts, lifetime, memory, sharing.
final class GuideRulesTests: XCTestCase {
  func testCancel() throws {
    let (root, save, note) = (Promise(), Log(), Log())
    // example: cancel
    let page = root.then { text in save(text) }
    let noted = page.catch { reason in note(reason) }
    page.cancel("the window was closed")

    assert(page.isCancelled)  // at once
    assert(root.isPending)  // a cancel does not affect parents
    // end
    _ = try outcome(of: noted)
    XCTAssertTrue(noted.isCancelled)
    XCTAssertEqual([save.lines, note.lines], [[], ["cancelled: the window was closed"]])
  }

  func testForwarding() throws {
    let downloads = [Download(), Download()]
    var texts = downloads.map { text(of: $0) }
    XCTAssertEqual(downloads.map(\.wasStopped), [false, false])
    texts[0].cancel()
    XCTAssertEqual(downloads.map(\.wasStopped), [true, false])
    texts = []
    XCTAssertEqual(downloads.map(\.wasStopped), [true, true])
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

  func testFunctions() throws {
    let (login, download, note) = (Promise(on: .immediate), Download(), Log())
    // example: functions
    @Sendable func numbers(_ download: Download) -> Promise {
      text(of: download)
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
    waitUntil { !note.lines.isEmpty }
    XCTAssertEqual(note.lines, ["cancelled: the window was closed"])
    XCTAssertTrue(sum.isCancelled && login.isFulfilled)
  }

  func testIsCancellation() throws {
    let begun = Recorded(0)
    @Sendable func load(_ name: String) -> Promise {
      begun.increment()
      return DocsTests.load(name)
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

  func testOwner() throws {
    // example: owner
    final class Gallery: @unchecked Sendable {
      private let bag = CancelBag()
      private(set) var shown: [String] = []

      func show(_ name: String) {
        image(name)
          .thenOn(.immediate) { [weak self] (image: String) in self?.shown.append(image) }
          .cancelled(with: bag)
      }
    }
    // end
    var gallery: Gallery? = Gallery()
    gallery?.show("first")
    gallery?.show("second")
    downloads["first"]?.finish("a picture")
    XCTAssertEqual(gallery?.shown, ["a picture"])
    weak var former: Gallery?
    former = gallery
    gallery = nil
    XCTAssertNil(former)
    XCTAssertEqual(downloads["second"]?.wasStopped, true)
  }

  func testCapture() {
    final class Counter: @unchecked Sendable {
      var total = 0
      private let numbers: Promise
      init(_ numbers: Promise) { self.numbers = numbers }
      // example: weak-self
      func start() {
        numbers.then { [weak self] (number: Int) in
          guard let self else { return }
          self.total += number
        }
      }
      // end
    }
    let numbers = Promise(on: .immediate)
    let kept = Counter(numbers)
    kept.start()
    weak var former: Counter?
    do {
      let counter = Counter(numbers)
      counter.start()
      former = counter
    }
    XCTAssertNil(former, "the pending chain does not retain the counter")
    numbers.fulfill(3)
    XCTAssertEqual(kept.total, 3)
  }
}
