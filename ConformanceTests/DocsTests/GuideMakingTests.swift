import DynamicPromise
import Foundation
import TestSupport
import XCTest

/// The guide's examples: making promises, chaining, errors.
final class GuideMakingTests: XCTestCase {
  func testResolver() throws {
    // example: resolver
    func load(_ name: String) -> Promise {
      Promise { resolver in
        fetch(name) { text, error in resolver.resolve(text, error) }
      }
    }
    // end
    XCTAssertEqual(try value(of: load("greeting")), "hello")
    XCTAssertEqual(try reason(of: load("nothing")), Missing(name: "nothing"))
  }

  func testPending() throws {
    // example: pending
    let (promise, resolver) = Promise.pending()
    DispatchQueue.global().async { resolver.fulfill(42) }
    // end
    XCTAssertEqual(try value(of: promise), 42)
  }

  func testOtherMakers() throws {
    // example: makers
    let three = Promise.resolved(3)
    let refused = Promise.rejected("no connection")
    let parsed = Promise.task(on: .serial("parser")) { try parse("1 2 3") }
    let awaited = Promise { try await answer() }
    // end
    XCTAssertEqual(try value(of: three), 3)
    XCTAssertEqual("\(try reason(of: refused, as: PromiseError.self))", "rejected: no connection")
    XCTAssertEqual(try value(of: parsed), [1, 2, 3])
    XCTAssertEqual(try value(of: awaited), 42)
  }

  func testChain() throws {
    // example: chain
    let report = load("numbers")
      .then { text in try parse(text as! String) }
      .then { (numbers: [Int]) in numbers.reduce(0, +) }
      .then { sum in "The sum is \(sum)." }
    // end
    XCTAssertEqual(try value(of: report), "The sum is 6.")
  }

  func testAdoption() throws {
    // example: adoption
    let greeting = load("user").then { name in load("greeting of \(name)") }
    // end
    XCTAssertEqual(try value(of: greeting), "hello, ann")
  }

  func testReturningAnything() throws {
    let settings = load("user").then { _ in
      // example: anything
      load("settings").then { text in
        if (text as! String).isEmpty { return nil }
        return Int(text as! String) ?? text
      }
      // end
    }
    XCTAssertEqual(try value(of: settings), "dark")
  }

  func testTypedBranches() throws {
    // example: typed-branches
    let size = load("settings").then { (text: String) -> Any? in
      if text.isEmpty { return nil }
      return Int(text) ?? text.count
    }
    // end
    XCTAssertEqual(try value(of: size), 4)
  }

  func testTyped() throws {
    // example: typed
    let count = load("user").then { (name: String) in name.count }
    let wrong = count.then { (name: String) in name.uppercased() }
    // end
    XCTAssertEqual(try value(of: count), 3)
    let text = "\(try reason(of: wrong, as: PromiseError.self))"
    XCTAssertTrue(text.contains("String") && text.contains("Int"), text)
  }

  func testErrors() throws {
    let log = Recorded<[String]>([])
    let load = { (name: String) in GuideTasks.load(name) }
    @Sendable func hideSpinner() { log.change { $0.append("hidden") } }
    @Sendable func show(_ text: Any) { log.change { $0.append("\(text)") } }
    // example: errors
    let shown = load("nothing")
      .then { (text: String) in try parse(text) }
      .catch { (missing: Missing) in "There is no \(missing.name)." }
      .catch { error in "Something else went wrong: \(error)" }
      .finally { hideSpinner() }
      .then { text in show(text) }
    // end
    _ = try value(of: shown, as: Void.self)
    XCTAssertEqual(log.value, ["hidden", "There is no nothing."])
  }

  func testBothHandlers() throws {
    let cached: Promise = .rejected("empty")
    // example: both
    let text = cached.then({ $0 }, { _ in load("greeting") })
    let same = text.then(nil, { reason in "failed: \(reason)" })
    // end
    for each in [text, same] { XCTAssertEqual(try value(of: each), "hello") }
  }

  func testThenable() throws {
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
    XCTAssertEqual(try value(of: launched), "lift-off")
  }
}
