import DynamicPromise
import DynamicPromiseDiagnostics
import DynamicPromisePatterns
import DynamicPromiseTesting
import Foundation
import TestSupport
import XCTest

/// The recipes of `docs/patterns.md`.
final class PatternsTests: XCTestCase {
  func testCallback() throws {
    // example: pattern-callback
    func text(_ name: String) -> Future {
      Promise { resolver in
        fetch(name) { text, error in resolver.resolve(text, error) }
      }.future
    }
    // end
    XCTAssertEqual(try text("user").get(timeout: 20) as? String, "ann")
  }

  func testDelegate() throws {
    // example: pattern-delegate
    final class Picker: Sendable {
      private let chosen = Promise.pending()
      var choice: Future { chosen.promise.future }

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
    let log = Recorded<[String]>([])
    @Sendable func upload(_ name: String) -> Promise {
      load(name).then { _ in log.change { $0.append(name) } }
    }
    @Sendable func report() { log.change { $0.append("that was all") } }
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
    XCTAssertEqual(log.value.filter { $0 != "settings" }, ["user", "that was all", "greeting"])
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
    let shown = Recorded<[String]>([])
    @Sendable func show(_ text: Any) { shown.change { $0.append("\(text)") } }
    // example: pattern-scope
    let session = CancelScope()
    let screen = CancelScope(in: session)  // cancelled with the session, and by itself
    screen.add(loadUser()).then { name in show(name) }
    screen.add(loadFriends()).then { names in show(names) }
    screen.cancel()  // both, with everything below them, and what they wait for
    // end
    XCTAssertTrue(user.isCancelled && friends.isCancelled && !session.isCancelled)
    XCTAssertEqual(shown.value, [])
  }

  func testBatch() throws {
    let log = Recorded<[String]>([])
    @Sendable func show(_ index: Int, _ outcome: Result<Any, any Error>) {
      log.change { $0.append("\(index): \((try? outcome.get()) ?? "-")") }
    }
    @Sendable func warn(_ index: Int, _ error: any Error) { log.change { $0.append("\(index) has failed") } }
    // example: pattern-batch
    let batch = Batch(["user", "nothing", "settings"].map { load($0) })
    let shown = batch.onEach { index, outcome in show(index, outcome) }  // one at a time, as they come
    let warned = batch.onFirstFailure { index, error in warn(index, error) }
    let names = batch.allSettled.then { (outcomes: [Result<Any, any Error>]) in
      outcomes.map { (try? $0.get()) as? String ?? "-" }
    }
    // end
    XCTAssertEqual(try value(of: names), ["ann", "-", "dark"])
    _ = try value(of: shown, as: Any.self)
    _ = try value(of: warned, as: Any.self)
    XCTAssertEqual(log.value.sorted(), ["0: ann", "1 has failed", "1: -", "2: dark"])
  }

  func testComposition() throws {
    let shown = Recorded<[Int]>([])
    @Sendable func sum(_ numbers: [Int]) -> Int { numbers.reduce(0, +) }
    let show: @MainActor @Sendable (Int) -> Void = { sum in shown.change { $0.append(sum) } }
    // example: pattern-composition
    let total = load >>> onBackgroundQueue(parse) >>> sum  // a function from a name to a promise
    let done = "numbers" |> total >>> onMainQueue(show)
    // end
    _ = try value(of: done, as: Any.self)
    XCTAssertEqual(shown.value, [6])
    XCTAssertEqual(try value(of: total("numbers")), 6)
  }

  func testRetry() throws {
    let tries = Recorded(0)
    @Sendable func unsteady() -> Promise { load(tries.increment() < 3 ? "nothing" : "user") }
    // example: pattern-retry
    @Sendable func retry(_ times: Int, _ task: @escaping @Sendable () -> Promise) -> Promise {
      task().catch { reason -> Promise in
        if times <= 1 || reason.isCancellation { throw reason }
        return Promise.delay(0.001).then { _ in retry(times - 1, task) }
      }
    }
    let user = retry(5) { unsteady() }
    // end
    XCTAssertEqual(try value(of: user), "ann")
    XCTAssertEqual(tries.value, 3)

    // After a cancel in the first or in a later attempt, no other attempt begins.
    for failures in 0..<2 {
      let (attempts, begun) = (Recorded<[Promise]>([]), DispatchSemaphore(value: 0))
      let retried = retry(5) {
        let attempt = Promise()
        attempts.change { $0.append(attempt) }
        begun.signal()
        return attempt.then { $0 }
      }
      for number in 0...failures {
        XCTAssertEqual(begun.wait(timeout: .now() + 20), .success)
        if number < failures { attempts.value[number].reject(Missing(name: "user")) }
      }
      let heard = expectation(description: "heard")
      attempts.value[failures].catch { _ in heard.fulfill() }
      // Cancels either the root or a follower.
      if failures == 0 { retried.root.cancel() } else { Promise.resolved(retried).cancel("enough") }
      wait(for: [heard], timeout: 20)
      XCTAssertTrue(try reason(of: retried, as: (any Error).self).isCancellation)
      XCTAssertTrue(attempts.value[failures].isCancelled)
      XCTAssertEqual(attempts.value.count, failures + 1)
    }
  }

  func testFallback() throws {
    let slow = Promise()
    // example: pattern-fallback
    let text = slow.setTimeout(0.001)
      .catch { (error: PromiseError) -> Promise in
        guard case .timeout = error else { throw error }
        return load("greeting")
      }
    // end
    XCTAssertEqual(try value(of: text), "hello")
    XCTAssertTrue(slow.isPending)
    text.cancel()
    XCTAssertTrue(slow.isPending, "the cancel of a fulfilled promise must not cancel `slow`")
  }

  func testWithin() throws {
    // example: pattern-within
    func within(_ seconds: Double, _ work: Promise) -> Promise {
      .race([work, .delay(seconds, PromiseError.timeout)], cancellingInputs: true)
    }
    // end
    let (late, cancelled) = (Promise(), Promise())
    guard case .timeout = try reason(of: within(0.001, late.then { $0 }), as: PromiseError.self) else {
      return XCTFail("\(late)")
    }
    // Waits for the timer's cancel with `finally`, because a consumer of `late` would prevent this cancel.
    let heard = expectation(description: "the time limit has passed")
    late.finally { heard.fulfill() }
    wait(for: [heard], timeout: 20)
    XCTAssertTrue(late.isCancelled)
    let result = within(3600, cancelled.then { $0 })
    result.cancel()
    XCTAssertTrue(cancelled.isCancelled)
    XCTAssertEqual(try value(of: within(3600, load("user"))), "ann")
    // Another consumer waits longer for `shared`.
    let shared = Promise()
    let patient = shared.then { $0 }
    _ = try reason(of: within(0.001, shared), as: PromiseError.self)
    shared.fulfill("in the end")
    XCTAssertEqual(try value(of: patient), "in the end")
  }

  func testOneAtATime() throws {
    let (loads, gate) = (Recorded(0), Promise())
    @Sendable func reload() -> Promise {
      loads.increment()
      return load("user").then { (text: String) in gate.then { _ in text } }
    }
    // example: pattern-refresh
    let feed = PromiseCache<String>(lifetime: 0)  // shared while it runs, then forgotten
    @Sendable func refresh() -> Promise { feed.promise(for: "feed") { reload() } }
    // end
    let (first, second) = (refresh(), refresh())
    first.cancel()
    XCTAssertTrue(first.isCancelled)
    XCTAssertTrue(second.isPending, "the second call waits for the running load")
    gate.fulfill(1)
    XCTAssertEqual(try value(of: second), "ann")
    XCTAssertEqual(try value(of: refresh()), "ann")
    XCTAssertEqual(loads.value, 2)
  }

  func testCurrent() throws {
    let key = DispatchSpecificKey<Bool>()
    let model = DispatchQueue(label: "model")
    model.setSpecific(key: key, value: true)
    // example: pattern-current
    let stays = load("numbers").thenOn(model) { (text: String) in
      load("user").thenOn(.current) { name in (text, name) }  // on `model` again
        .thenOn(.current) { _ in DispatchQueue.getSpecific(key: key) == true }
    }
    // end
    XCTAssertEqual(try value(of: stays), true)
  }

  func testTree() throws {
    let (login, page) = (Promise(), Promise())
    // example: pattern-tree
    let shown = login.then { _ in page }.then { $0 }
    login.fulfill("ann")
    print(shown.treeDescription)
    // end
    XCTAssertEqual(shown.treeDescription.split(separator: "\n").count, 3)
    page.fulfill(1)
    XCTAssertEqual(try value(of: shown), 1)
  }

  func testNesting() throws {
    // example: anti-nesting
    // Not: load("user").then { name in load("greeting of \(name)").then { text in ... } }
    let flat = load("user")
      .then { name in load("greeting of \(name)") }
      .then { (text: String) in text.uppercased() }
    // end
    XCTAssertEqual(try value(of: flat), "HELLO, ANN")
  }

  func testForgottenReturn() throws {
    // example: anti-forgotten
    let early = load("user").then { name in _ = load("greeting of \(name)") }  // fulfilled too early, with ()
    let right = load("user").then { name in load("greeting of \(name)") }
    // end
    XCTAssertTrue(try value(of: early, as: Any.self) is Void)
    XCTAssertEqual(try value(of: right), "hello, ann")
  }

  func testWrappingAPromise() throws {
    // example: anti-wrapping
    // Not: Promise { resolver in load("user").then { name in resolver.fulfill(name) } }
    // It loses the rejection and the cancellation. `then` gives a promise already:
    let name = load("user").then { (name: String) in name.uppercased() }
    // end
    XCTAssertEqual(try value(of: name), "ANN")
  }

  func testFailureIsNoValue() throws {
    // example: anti-optional
    // Not: resolver.fulfill(nil) when there is none
    let name = load("nothing").catch { (missing: Missing) in "nobody" }
    // end
    XCTAssertEqual(try value(of: name), "nobody")
  }

  func testFiles() throws {
    let log = Recorded<[String]>([])
    struct File: Sendable {
      let name: String
      let log: Recorded<[String]>

      func close() { log.change { $0.append("close \(name)") } }
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
    XCTAssertEqual(log.value, ["close new", "close old"])
  }
}
