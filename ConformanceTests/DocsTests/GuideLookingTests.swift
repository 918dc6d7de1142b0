import DynamicPromise
import Foundation
import TestSupport
import XCTest

/// The guide's examples: the first settlement, taps, observers, and errors that are cancellations.
final class GuideLookingTests: XCTestCase {
  func testWinning() throws {
    let (promise, resolver) = Promise.pending()
    let notes = Recorded<[String]>([])
    @Sendable func note(_ text: String) { notes.change { $0.append(text) } }
    // example: winning
    if !resolver.fulfill("the answer") { note("too late") }
    if promise.cancel() { note("stopped in time") }
    // end
    XCTAssertEqual(notes.value, [])
    XCTAssertEqual(try value(of: promise), "the answer")
  }

  func testTap() throws {
    let notes = Recorded<[String]>([])
    @Sendable func note(_ thing: Any) { notes.change { $0.append("\(thing)") } }
    @Sendable func store(_ text: String) -> Promise { Promise.delay(0.001).then { _ in note("stored") } }
    // example: tap
    let greeting = load("greeting")
      .tap { text in note(text) }
      .tap { (text: String) in store(text) }  // a promise: the chain waits for it
      .tapCatch { error in note(error) }  // handles nothing: the rejection continues
    // end
    XCTAssertEqual(try value(of: greeting), "hello")
    XCTAssertEqual(notes.value, ["hello", "stored"])
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

  func testCancellable() throws {
    // example: cancellable-use
    let input = Promise.rejected(DialogueError.closed)
    assert(input.isCancelled)  // reads as cancelled
    let name = input.catch { _ in "nobody" }  // and a `catch` recovers from it
    // end
    XCTAssertEqual(try value(of: name), "nobody")
  }

  func testRecover() throws {
    // example: recover-all
    let text = load("nothing").catch { _ in "a default" }
    let other = load("nothing").catch { (_: Missing) in load("greeting") }
    // end
    XCTAssertEqual(try value(of: text), "a default")
    XCTAssertEqual(try value(of: other), "hello")
  }

  func testSeveralTypes() throws {
    struct Offline: Error {}
    // example: catch-several
    let text = load("nothing").catch { error -> String in
      switch error {
      case let missing as Missing: "There is no \(missing.name)."
      case is Offline, PromiseError.timeout: "No answer."
      default: throw error
      }
    }
    // end
    XCTAssertEqual(try value(of: text), "There is no nothing.")
  }

  func testASpinnerThatDependsOnTheOutcome() throws {
    let spinner = Recorded("turns")
    // example: finally-outcome
    let text = load("nothing").tapResult { outcome in
      switch outcome {
      case .success: spinner.change { $0 = "hidden" }
      case .failure(let error): spinner.change { $0 = error.isCancellation ? "hidden" : "red" }
      }
    }
    // end
    _ = try reason(of: text, as: Missing.self)
    XCTAssertEqual(spinner.value, "red")
  }
}
