import DynamicPromise
import Foundation
import TestSupport
import XCTest

/// The guide's examples: making promises, chaining, observing, errors.
final class GuideMakingTests: XCTestCase {
  func testMakers() throws {
    XCTAssertEqual(try value(of: load("greeting")), "hello")
    XCTAssertEqual(try reason(of: load("nothing")), Missing(name: "nothing"))
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

  func testChaining() throws {
    // example: chain
    let report = load("numbers")
      .then { text in try parse(text as! String) }
      .then { (numbers: [Int]) in numbers.reduce(0, +) }
      .then { sum in "The sum is \(sum)." }
    // end
    // example: adoption
    let greeting = load("user").then { name in load("greeting of \(name)") }
    // end
    let settings = load("user").then { _ in
      // example: anything
      load("settings").then { text in
        if (text as! String).isEmpty { return nil }
        return Int(text as! String) ?? text
      }
      // end
    }
    // example: typed
    let count = load("user").then { (name: String) in name.count }
    let wrong = count.then { (name: String) in name.uppercased() }
    // end
    let text = "\(try reason(of: wrong, as: PromiseError.self))"
    XCTAssertTrue(text.contains("String") && text.contains("Int"), text)
    // example: thenable
    struct Countdown: Thenable {
      var then: ThenMethod? {
        { resolve, reject in
          DispatchQueue.global().async { resolve("lift-off") }
        }
      }
    }
    let launched = Promise.resolved(()).then { Countdown() }
    // end
    // example: typed-branches
    let size = load("settings").then { (text: String) -> Any? in
      if text.isEmpty { return nil }
      return Int(text) ?? text.count
    }
    // end
    XCTAssertEqual(
      ends(of: report, greeting, settings, count, size), ["The sum is 6.", "hello, ann", "dark", 3, 4])
    XCTAssertEqual(try value(of: launched), "lift-off")
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

  func testWinning() throws {
    let (promise, resolver) = Promise.pending()
    let note = Log()
    // example: winning
    if !resolver.fulfill("the answer") { note("too late") }
    if promise.cancel() { note("stopped in time") }
    // end
    XCTAssertEqual(note.lines, [])
    XCTAssertEqual(try value(of: promise), "the answer")
  }

  func testTap() throws {
    let note = Log()
    @Sendable func store(_ text: String) -> Promise { Promise.delay(0.001).then { _ in note("stored") } }
    // example: tap
    let greeting = load("greeting")
      .tap { text in note(text) }
      .tap { (text: String) in store(text) }  // a promise: the chain waits for it
      .tapCatch { error in note(error) }  // handles nothing: the rejection continues
    // end
    XCTAssertEqual(try value(of: greeting), "hello")
    XCTAssertEqual(note.lines, ["hello", "stored"])
  }

  func testObservers() {
    let shown = expectation(description: "shown")
    @MainActor func show(_ text: Any) { shown.fulfill() }
    let hint = Recorded("")
    // example: observers
    let text = load("greeting")
      .onSuccessOnMain { text in show(text) }
      .onFail { error in hint.change { $0 = "\(error)" } }
      .onCancel { hint.change { $0 = "never mind" } }
    // end
    wait(for: [shown], timeout: 20)
    XCTAssertTrue(text.isFulfilled)
    XCTAssertEqual(hint.value, "")
  }

  // example: cancellable
  enum DialogueError: CancellableError {
    case closed, invalidInput

    var isCancelled: Bool { self == .closed }
  }
  // end

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
    let spinner = Recorded("turns")
    // example: finally-outcome
    let loaded = load("nothing").tapResult { outcome in
      switch outcome {
      case .success: spinner.change { $0 = "hidden" }
      case .failure(let error): spinner.change { $0 = error.isCancellation ? "hidden" : "red" }
      }
    }
    // end
    _ = try reason(of: loaded, as: Missing.self)
    XCTAssertEqual(spinner.value, "red")
    // example: cancellable-use
    let input = Promise.rejected(DialogueError.closed)
    assert(input.isCancelled)  // reads as cancelled
    let name = input.catch { _ in "nobody" }  // and a `catch` recovers from it
    // end
    XCTAssertEqual(ends(of: text, other, message), ["a default", "hello", "There is no nothing."])
    XCTAssertEqual(ends(of: greeting, same, name), ["hello", "hello", "nobody"])
  }
}
