import DynamicPromise
import Foundation
import TestSupport
import XCTest

/// The examples of `docs/combinators.md`.
final class CombinatorsTests: XCTestCase {
  func testSeveral() throws {
    // example: all
    let page = Promise.all([load("user"), load("greeting"), 3])
      .then { (parts: [Any]) in "\(parts[1]), \(parts[0])! \(parts[2]) messages." }
    // end
    // example: allsettled
    let count = Promise.allSettled([load("user"), load("nothing")])
      .then { (outcomes: [Result<Any, any Error>]) in
        outcomes.filter { if case .failure = $0 { true } else { false } }.count
      }
    // end
    // example: any
    let text = Promise.any([load("nothing"), load("greeting")])
    let hopeless = Promise.any([load("nothing"), load("nowhere")])
      .catch { (error: PromiseError) in "\(error)" }
    // end
    XCTAssertEqual(ends(of: page, count), ["hello, ann! 3 messages.", 1])
    XCTAssertEqual(try value(of: text), "hello")
    let sentence: String = try value(of: hopeless)
    XCTAssertTrue(sentence.hasPrefix("none of 2 was fulfilled"), sentence)
  }

  func testSpread() throws {
    // example: spread
    let page = Promise.all([load("user"), load("greeting"), 3])
      .spread { (name: String, greeting: String, messages: Int) in
        "\(greeting), \(name)! \(messages) messages."
      }
    // end
    XCTAssertEqual(try value(of: page), "hello, ann! 3 messages.")
  }

  func testRace() throws {
    let mirror = Promise()
    // example: race
    let fastest = Promise.race([load("greeting"), mirror], cancellingRest: true)
    // end
    XCTAssertEqual(try value(of: fastest), "hello")
    // The thread that settled `fastest` cancels `mirror` a moment later.
    XCTAssertNoThrow(try outcome(of: mirror))
    XCTAssertTrue(mirror.isCancelled)
  }

  func testTasksInSequence() throws {
    let pages = Recorded(["first", "second", "last"])
    @Sendable func nextPage() -> Promise {
      .resolved(pages.change { $0.isEmpty ? nil : $0.removeFirst() } as Any)
    }
    // example: sequence
    let done = Promise.sequence(["user", "settings", "greeting"]) { (name: String) in
      load(name).then { text in "\(name): \(text)" }
    }
    // end
    // example: reduce
    let sentence = ["user", "settings"].reduce(Promise.resolved("")) { sentence, name in
      sentence.then { (text: String) in load(name).then { part in "\(text) \(name): \(part)." } }
    }
    // end
    // example: repeat
    let last = Promise.repeat {
      nextPage().then { page in page }  // fulfilled with `nil` after the last one
    }
    // end
    XCTAssertEqual(ends(of: done, last), [["user: ann", "settings: dark", "greeting: hello"], "last"])
    XCTAssertEqual(try value(of: sentence), " user: ann. settings: dark.")
  }

  func testALimit() throws {
    // example: map
    let texts = Promise.map(["user", "settings", "greeting"], concurrency: 2) { (name: String) in
      load(name).then { text in "\(name): \(text)" }
    }
    // end
    // example: map-settled
    let count = Promise.map(["user", "nothing", "settings"], concurrency: 2) { (name: String) in
      load(name).reflect()
    }
    .then { (outcomes: [Result<Any, any Error>]) in
      outcomes.filter { if case .failure = $0 { true } else { false } }.count
    }
    // end
    XCTAssertEqual(ends(of: texts, count), [["user: ann", "settings: dark", "greeting: hello"], 1])
  }

  func testTimeout() throws {
    let slow = Promise()
    // example: timeout
    let answer = slow.timeout(0.01)
      .catch { (error: PromiseError) -> Any in
        guard case .timeout = error else { throw error }
        return "nobody answers"
      }
    // end
    XCTAssertEqual(try value(of: answer), "nobody answers")
    XCTAssertTrue(slow.isPending)
    answer.cancel()
    XCTAssertTrue(slow.isPending, "the cancel of a fulfilled promise must not cancel `slow`")
  }

  func testRetry() throws {
    let attempts = Recorded(0)
    @Sendable func connect(_ attempt: Int) throws -> String {
      if attempts.increment() < 3 { throw Missing(name: "connection") }
      return "connected"
    }
    // example: retry
    let connected = Promise.retry(
      5, delay: .exponential(0.001, ceiling: 1, jitter: 0.5), while: { $0 is Missing }
    ) { attempt in
      try connect(attempt)
    }
    // end
    XCTAssertEqual(try value(of: connected), "connected")
    XCTAssertEqual(attempts.value, 3)
  }

  func testClock() throws {
    // example: clock
    final class Clock: TimerContext {
      let queue = DispatchQueue(label: "simulation")

      func execute(_ job: @escaping @Sendable () -> Void) { queue.async(execute: job) }

      /// In the simulation, a minute is a millisecond.
      func schedule(after seconds: Double, _ job: @escaping @Sendable () -> Void) -> @Sendable () -> Void {
        nonisolated(unsafe) let item = DispatchWorkItem(block: job)
        queue.asyncAfter(deadline: .now() + seconds / 60_000, execute: item)
        return { item.cancel() }
      }
    }
    let arrival = Promise.delay(600, "landed", on: Clock())
    // end
    XCTAssertEqual(try value(of: arrival), "landed")
  }
}
