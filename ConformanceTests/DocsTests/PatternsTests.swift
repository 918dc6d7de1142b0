import DynamicPromise
import DynamicPromiseDiagnostics
import Foundation
import TestSupport
import XCTest

/// The recipes of `docs/patterns.md`.
final class PatternsTests: XCTestCase {
  func testCallback() throws {
    let wrong = load("nothing")
    // example: pattern-callback
    func text(_ name: String) -> Future {
      Promise { resolver in
        fetch(name) { text, error in resolver.resolve(text, error) }
      }.future
    }
    // end
    XCTAssertEqual(try XCTUnwrap(text("user").get(timeout: 20) as? String), "ann")
    XCTAssertEqual(try reason(of: wrong, as: Missing.self), Missing(name: "nothing"))
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

  func testCache() throws {
    let loads = Recorded(0)
    @Sendable func fetchImage(_ name: String) -> Promise {
      loads.change { $0 += 1 }
      return load(name)
    }
    // example: pattern-cache
    final class Images: @unchecked Sendable {
      private let queue = DispatchQueue(label: "images")
      private var promises: [String: Promise] = [:]
      private let fetchImage: @Sendable (String) -> Promise

      init(_ fetchImage: @escaping @Sendable (String) -> Promise) { self.fetchImage = fetchImage }

      func image(_ name: String) -> Promise {
        let shared = queue.sync {
          if let known = promises[name] { return known }  // loaded, or being loaded
          let made = fetchImage(name).shielded()  // goes on, though whoever asked has left
          promises[name] = made
          return made
        }
        shared.catchOn(queue) { [weak self] _ in  // failures are not kept; a newer load is
          if let self, promises[name] === shared { promises[name] = nil }
        }
        return shared.then { $0 }  // a child for each, to be cancelled as each likes
      }
    }
    // end
    let images = Images(fetchImage)
    let (a, b) = (images.image("user"), images.image("user"))
    a.cancel()
    XCTAssertEqual(try value(of: b), "ann")
    XCTAssertEqual(try value(of: images.image("user")), "ann")
    XCTAssertEqual(loads.value, 1)
    _ = try reason(of: images.image("nothing"), as: Missing.self)

    // Those who asked are cancelled, themselves and by who followed them; the image is loaded all the same.
    let source = Promise()
    let gallery = Images { _ in source.then { $0 } }
    let asked = [gallery.image("user"), gallery.image("user")]
    asked[0].cancel()
    Promise.resolved(asked[1]).cancel()
    XCTAssertTrue(asked[1].isCancelled)
    source.fulfill("ann")
    XCTAssertEqual(try value(of: gallery.image("user")), "ann")

    // A failure is not kept. Two hear of the same one: what is loaded after the first has heard stays.
    let made = Recorded<[Promise]>([])
    let album = Images { _ in
      let promise = Promise()
      made.change { $0.append(promise) }
      return promise
    }
    let (one, two) = (album.image("user"), album.image("user"))
    made.value[0].reject(Missing(name: "user"))
    _ = try reason(of: one, as: Missing.self)
    var again = album.image("user")
    while made.value.count == 1 {  // until its queue has come to it
      _ = try reason(of: again, as: Missing.self)
      again = album.image("user")
    }
    _ = try reason(of: two, as: Missing.self)
    let last = album.image("user")
    XCTAssertEqual(made.value.count, 2, "it is still being loaded")
    made.value[1].fulfill("ann")
    XCTAssertEqual(try value(of: again), "ann")
    XCTAssertEqual(try value(of: last), "ann")
  }

  func testBatch() throws {
    // example: pattern-batch
    let batch = Promise.allSettled(["user", "nothing", "settings"].map { load($0) })
      .then { (outcomes: [Result<Any, any Error>]) in
        outcomes.map { (try? $0.get()) as? String ?? "-" }
      }
    // end
    XCTAssertEqual(try value(of: batch), ["ann", "-", "dark"])
  }

  func testRetry() throws {
    let tries = Recorded(0)
    @Sendable func unsteady() -> Promise {
      tries.change { $0 += 1 }
      return load(tries.value < 3 ? "nothing" : "user")
    }
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

    // Cancelled in the first attempt, and in a later one: no other begins.
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
      // Its root is cancelled, or whoever follows it.
      if failures == 0 { retried.root.cancel() } else { Promise.resolved(retried).cancel("enough") }
      wait(for: [heard], timeout: 20)
      XCTAssertTrue(try outcome(of: retried).isCancellation)
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
    XCTAssertTrue(slow.isPending, "it has its value, and the receiver is its own")
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
    // The clock's thread is about to cancel it. To wait for its value would be to want it.
    let heard = expectation(description: "its time is over")
    late.finally { heard.fulfill() }
    wait(for: [heard], timeout: 20)
    XCTAssertTrue(late.isCancelled)
    let result = within(3600, cancelled.then { $0 })
    result.cancel()
    XCTAssertTrue(cancelled.isCancelled)
    XCTAssertEqual(try value(of: within(3600, load("user"))), "ann")
    // Somebody else waits for it, and has more patience.
    let shared = Promise()
    let patient = shared.then { $0 }
    _ = try reason(of: within(0.001, shared), as: PromiseError.self)
    shared.fulfill("in the end")
    XCTAssertEqual(try value(of: patient), "in the end")
  }

  func testOneAtATime() throws {
    let loads = Recorded(0)
    @Sendable func reload() -> Promise {
      loads.change { $0 += 1 }
      return load("user")
    }
    // example: pattern-refresh
    final class Feed: @unchecked Sendable {
      private let queue = DispatchQueue(label: "feed")
      private var running: Promise?
      private let reload: @Sendable () -> Promise

      init(_ reload: @escaping @Sendable () -> Promise) { self.reload = reload }

      func refresh() -> Promise {
        queue.sync {
          if let running, running.isPending { return running.then { $0 } }
          let next = reload().shielded()  // goes on, though whoever asked has left
          running = next
          return next.then { $0 }  // a child for each, to be cancelled as each likes
        }
      }
    }
    // end
    let gate = Promise()
    let feed = Feed { reload().then { (text: String) in gate.then { _ in text } } }
    let (first, second) = (feed.refresh(), feed.refresh())
    Promise.resolved(first).cancel()
    let third = feed.refresh()
    third.cancel()
    XCTAssertTrue(first.isCancelled && third.isCancelled)
    XCTAssertTrue(second.isPending, "the others wait for the one that runs")
    gate.fulfill(1)
    XCTAssertEqual(try value(of: second), "ann")
    XCTAssertEqual(try value(of: feed.refresh()), "ann")
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
    let early = load("user").then { name in _ = load("greeting of \(name)") }  // fulfilled too soon, with ()
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
}

extension Result where Failure == any Error {
  fileprivate var isCancellation: Bool {
    if case .failure(let error) = self { error.isCancellation } else { false }
  }
}
