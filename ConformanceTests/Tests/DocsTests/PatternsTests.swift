import DynamicPromise
import DynamicPromisePatterns
import DynamicPromiseTesting
import Foundation
import TestSupport
import XCTest

/// The recipes of `docs/patterns.md`.
final class PatternsTests: XCTestCase {
  func testDelegate() throws {
    // example: pattern-delegate
    final class Picker: Sendable {
      private let chosen = Promise.pending()
      var choice: Promise { chosen.promise }

      func didChoose(_ name: String) { chosen.resolver.fulfill(name) }
      func didClose() { chosen.resolver.reject(CancellationError()) }
    }
    // end
    let (picker, closed) = (Picker(), Picker())
    picker.didChoose("tea")
    picker.didClose()
    closed.didClose()
    XCTAssertEqual(try picker.choice.get(timeout: 20) as? String, "tea")
    XCTAssertTrue(closed.choice.isCancelled)
  }

  func testQueue() throws {
    let log = Log()
    @Sendable func upload(_ name: String) -> Promise { load(name).then { _ in log(name) } }
    @Sendable func report() { log("that was all") }
    // example: pattern-fifo
    let uploads = TaskQueue()  // one after the other; `TaskQueue(width: 3)`: three at a time
    let user = uploads.add { upload("user") }
    let settings = uploads.add { upload("settings") }
    uploads.addBarrier { report() }  // begins when all earlier ones are finished
    let greeting = uploads.add { upload("greeting") }
    settings.cancel()  // removes it, or cancels it if it runs
    // end
    _ = try value(of: greeting, as: Any.self)
    XCTAssertTrue(user.isFulfilled && settings.isSettled)
    XCTAssertEqual(log.lines.filter { $0 != "settings" }, ["user", "that was all", "greeting"])
  }

  func testCache() throws {
    let (loads, clock) = (Recorded(0), TestContext())
    @Sendable func fetchImage(_ name: String) -> Promise {
      loads.increment()
      return load(name)
    }
    // example: pattern-cache
    let images = PromiseCache<String>(lifetime: 300, limit: 100)
    @Sendable func image(_ name: String) -> Promise {
      images.promise(for: name) { fetchImage(name) }  // called if it is neither cached nor loading
    }
    // end
    let (a, b) = (image("user"), image("user"))
    a.cancel()
    XCTAssertEqual(try value(of: b), "ann")
    XCTAssertEqual(try value(of: image("user")), "ann")
    XCTAssertEqual(loads.value, 1)
    // example: pattern-cache-clock
    let cache = PromiseCache<String>(lifetime: 300, on: clock)
    _ = cache.promise(for: "user") { "ann" }
    clock.advance(by: 300)
    XCTAssertEqual(cache.count, 0)
    // end
  }

  func testScope() throws {
    let (user, friends) = (Promise(), Promise())
    @Sendable func loadUser() -> Promise { user.then { $0 } }
    @Sendable func loadFriends() -> Promise { friends.then { $0 } }
    let show = Log()
    // example: pattern-scope
    let session = CancelBag()
    let screen = CancelBag(in: session)  // cancelled with the session, and by itself
    screen.add(loadUser().then { name in show(name) })
    loadFriends().then { names in show(names) }.cancelled(with: screen)  // the same
    session.cancel()  // both are cancelled, with what they wait for
    // end
    XCTAssertTrue(user.isCancelled && friends.isCancelled)
    XCTAssertEqual(show.lines, [])
  }

  func testMistakes() throws {
    // example: anti-nesting
    // Not: load("user").then { name in load("greeting of \(name)").then { text in ... } }
    let flat = load("user")
      .then { name in load("greeting of \(name)") }
      .then { (text: String) in text.uppercased() }
    // end
    // example: anti-forgotten
    let early = load("user").then { name in _ = load("greeting of \(name)") }  // fulfilled too early, with ()
    let right = load("user").then { name in load("greeting of \(name)") }
    // end
    // example: anti-wrapping
    // Not: Promise { resolver in load("user").then { name in resolver.fulfill(name) } }
    // It loses the rejection and the cancellation. `then` gives a promise already:
    let name = load("user").then { (name: String) in name.uppercased() }
    // end
    XCTAssertTrue(try value(of: early, as: Any.self) is Void)
    XCTAssertEqual(ends(of: flat, right, name), ["HELLO, ANN", "hello, ann", "ANN"])
  }

  func testFiles() throws {
    let log = Log()
    struct File: Sendable {
      let name: String
      let log: Log

      func close() { log("close \(name)") }
    }
    @Sendable func open(_ name: String) -> Promise { .resolved(File(name: name, log: log)) }
    @Sendable func copy(_ from: File, _ to: File) -> Promise { load("user") }
    // example: pattern-using
    let copied = Promise.using(
      open("old").closing { (file: File) in file.close() },
      open("new").closing { (file: File) in file.close() }
    ) { (old: File, new: File) in copy(old, new) }
    // end
    XCTAssertEqual(try value(of: copied), "ann")
    XCTAssertEqual(log.lines, ["close new", "close old"])
  }

  @MainActor func testLatest() async throws {
    let clock = TestContext()
    // example: pattern-latest
    @MainActor final class SearchModel {
      private(set) var results: [String] = []
      private(set) var isSearching = false
      private(set) var message = ""
      private let searches: Latest

      init(on context: (any ExecutionContext)? = nil) {
        searches = Latest(pause: 0.3, on: context)
        searches.onRunningOnMain { [weak self] in self?.isSearching = $0 }
      }

      func textChanged(_ text: String) {
        searches.run { search(text) }
          .thenOnMain { [weak self] (found: [String]) in self?.results = found }
          .catchOnMain { [weak self] error in
            if !error.isCancellation { self?.message = "\(error)" }
          }
      }
    }
    // end
    // example: pattern-latest-clock
    let model = SearchModel(on: clock)
    for text in ["u", "us", "user"] { model.textChanged(text) }
    clock.advance(by: 0.3)
    try await Promise.resolved(()).thenOnMain {}.value(as: Void.self)
    XCTAssertEqual(model.results, ["found user"])
    // end
    XCTAssertEqual(searched.lines, ["user"])
    XCTAssertEqual(model.message, "")
    XCTAssertFalse(model.isSearching)
  }
}

private let searched = Log()

private func search(_ text: String) -> Promise {
  searched(text)
  return .resolved(["found \(text)"])
}
