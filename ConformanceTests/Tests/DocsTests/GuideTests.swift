import DynamicPromise
import Foundation
import TestSupport
import XCTest

/// The downloads of the gallery's images.
private let downloads = ["first": Download(), "second": Download()]

private func image(_ name: String) -> Promise { text(of: downloads[name]!) }

/// The examples of `docs/guide.md`.
final class GuideTests: XCTestCase {
  func testChaining() throws {
    // example: typed
    let count = load("user").then { (name: String) in name.count }
    let wrong = count.then { (name: String) in name.uppercased() }
    // end
    // example: adoption
    let greeting = load("user").then { name in load("greeting of \(name)") }
    // end
    // example: optional
    let name = load("user").then { (name: String?) in name ?? "nobody" }
    // end
    // example: typed-branches
    let size = load("settings").then { (text: String) -> Any? in
      if text.isEmpty { return nil }
      return Int(text) ?? text.count
    }
    // end
    let mismatch = "\(try reason(of: wrong, as: PromiseError.self))"
    XCTAssertTrue(mismatch.contains("String") && mismatch.contains("Int"), mismatch)
    XCTAssertEqual(ends(of: greeting, count, name, size), ["hello, ann", 3, "ann", 4])
  }

  func testValuesThatMayBeNil() throws {
    func program(_ value: Any?) -> Promise {
      func load(_ name: String) -> Promise { .resolved(value) }
      // example: optional-any
      let isMissing = load("settings").then { (x: Any?) in x == nil }
      // end
      return isMissing
    }
    XCTAssertEqual(ends(of: program("dark"), program(nil), program(3)), [false, true, false])
  }

  func testTap() throws {
    let note = Log()
    @Sendable func store(_ text: String) -> Promise { Promise.delay(0.001).then { _ in note("stored") } }
    // example: tap
    let greeting = load("greeting")
      .tap { text in note(text) }
      .tap { (text: String) in store(text) }  // a promise: the chain waits for it
      .tapResult { result in note(result) }  // of a rejection too, which continues
    // end
    XCTAssertEqual(try value(of: greeting), "hello")
    XCTAssertEqual(note.lines, ["hello", "stored", "success(\"hello\")"])
  }

  func testObservers() {
    let shown = expectation(description: "shown")
    @Sendable func show(_ text: Any) { shown.fulfill() }
    let hint = Recorded("")
    // example: observers
    let text = load("greeting")
      .onSuccess { text in show(text) }
      .onFail { error in hint.change { $0 = "\(error)" } }
      .onCancel { hint.change { $0 = "never mind" } }
    // end
    wait(for: [shown], timeout: 20)
    XCTAssertTrue(text.isFulfilled)
    XCTAssertEqual(hint.value, "")
  }

  func testErrors() throws {
    let show = Log()
    @Sendable func hideSpinner() { show("hidden") }
    // example: errors
    let shown = load("nothing")
      .then { (text: String) in try parse(text) }
      .catch { (missing: Missing) in "There is no \(missing.name)." }
      .catch { error in "Something else went wrong: \(error)" }
      .finally { hideSpinner() }
      .then { text in show(text) }
    // end
    _ = try value(of: shown, as: Void.self)
    XCTAssertEqual(show.lines, ["hidden", "There is no nothing."])
  }

  func testErrorHandlers() throws {
    // example: recover-all
    let text = load("nothing").catch { _ in "a default" }
    let other = load("nothing").catch { (_: Missing) in load("greeting") }
    // end
    struct Offline: Error {}
    // example: catch-several
    let message = load("nothing").catch { error -> String in
      switch error {
      case let missing as Missing: "There is no \(missing.name)."
      case is Offline, PromiseError.timeout: "No answer."
      default: throw error
      }
    }
    // end
    let cached: Promise = .rejected("empty")
    // example: both
    let greeting = cached.then({ $0 }, { _ in load("greeting") })
    let same = greeting.then(nil, { reason in "failed: \(reason)" })
    // end
    XCTAssertEqual(ends(of: text, other, message), ["a default", "hello", "There is no nothing."])
    XCTAssertEqual(ends(of: greeting, same), ["hello", "hello"])
  }

  func testMakers() throws {
    // example: pending
    let (promise, resolver) = Promise.pending()
    DispatchQueue.global().async { resolver.fulfill(42) }
    // end
    // example: makers
    let three = Promise.resolved(3)
    let refused = Promise.rejected("no connection")
    let parsed = Promise.task(on: .serial("parser")) { try parse("1 2 3") }
    let awaited = Promise { try await answer() }
    // end
    XCTAssertEqual("\(try reason(of: refused, as: PromiseError.self))", "rejected: no connection")
    XCTAssertEqual(ends(of: promise, three, awaited, parsed), [42, 3, 42, [1, 2, 3]])
  }

  func testALongLoop() throws {
    let (drawn, begun) = (Log(), Promise())
    let page = Recorded<Promise?>(nil)
    @Sendable func draw(_ number: Int) {
      _ = try? begun.get(timeout: 20)
      drawn(number)
      guard number == 2 else { return }
      page.value?.cancel()
      XCTAssertEqual(page.value?.finished().isPending, true)
    }
    // example: loop
    func render(_ pages: Int, progress: @escaping @Sendable (Double) -> Void) -> Promise {
      Promise { resolver in
        resolver.alwaysCallsBack()  // `finished()` waits for the loop
        DispatchQueue.global().async {
          for page in 1...pages {
            if resolver.isCancelled { return }
            draw(page)
            progress(Double(page) / Double(pages))
          }
          resolver.fulfill(pages)
        }
      }
    }
    // end
    let rendered = render(4) { _ in }
    page.change { $0 = rendered }
    begun.fulfill(())
    _ = try outcome(of: rendered.finished())
    page.change { $0 = nil }
    XCTAssertEqual(drawn.lines, ["1", "2"])
    XCTAssertEqual(try value(of: render(1) { XCTAssertEqual($0, 1) }), 1)
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
      XCTAssertEqual(try? outcome(of: text).get() as? String, isCancelled ? nil : "hello")
      XCTAssertEqual(text.isCancelled, isCancelled)
      XCTAssertEqual(begun.value, isCancelled ? 0 : 1)
    }
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

  func testTimeAndSeveralPromises() throws {
    // example: timeout-guide
    let text = load("greeting").timeout(10, cancelling: true)
    let soon = Promise.delay(0.01, "now")
    let user = Promise.retry(3, delay: 0.01) { load("user") }
    // end
    // example: several
    let both = Promise.all([load("user"), load("settings")])
      .spread { (name: String, theme: String) in "\(name) likes it \(theme)" }
    let first = Promise.any([load("nothing"), load("greeting")])
    let inTurn = Promise.map(["user", "settings"], concurrency: 2) { (name: String) in load(name) }
    // end
    XCTAssertEqual(ends(of: text, soon, user), ["hello", "now", "ann"])
    XCTAssertEqual(ends(of: both, first, inTurn), ["ann likes it dark", "hello", ["ann", "dark"]])
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
