import DynamicPromise
import Foundation
import TestSupport
import XCTest

/// The examples of `docs/combinators.md`.
final class CombinatorsTests: XCTestCase {
  func testAll() throws {
    // example: all
    let page = Promise.all([load("user"), load("greeting"), 3])
      .then { (parts: [Any]) in "\(parts[1]), \(parts[0])! \(parts[2]) messages." }
    // end
    XCTAssertEqual(try value(of: page), "hello, ann! 3 messages.")
  }

  func testAnySequence() throws {
    // example: all-sequence
    let names = ["user", "settings"]
    let texts = Promise.all(names.lazy.map { load($0) })
      .then { ($0 as! [Any]).map { $0 as! String } }
    // end
    XCTAssertEqual(try value(of: texts), ["ann", "dark"])
  }

  func testAllSettled() throws {
    // example: allsettled
    let count = Promise.allSettled([load("user"), load("nothing")])
      .then { (outcomes: [Result<Any, any Error>]) in
        outcomes.filter { if case .failure = $0 { true } else { false } }.count
      }
    // end
    XCTAssertEqual(try value(of: count), 1)
  }

  func testAny() throws {
    // example: any
    let text = Promise.any([load("nothing"), load("greeting")])
    let hopeless = Promise.any([load("nothing"), load("nowhere")])
      .catch { (error: PromiseError) in "\(error)" }
    // end
    XCTAssertEqual(try value(of: text), "hello")
    let sentence: String = try value(of: hopeless)
    XCTAssertTrue(sentence.hasPrefix("none of 2 was fulfilled"), sentence)
  }

  func testRace() throws {
    let (mirror, resolver) = Promise.pending()
    // example: race
    let fastest = Promise.race([load("greeting"), mirror], cancellingInputs: true)
    // end
    XCTAssertEqual(try value(of: fastest), "hello")
    XCTAssertTrue(mirror.isCancelled)
    withExtendedLifetime(resolver) {}
  }

  func testSequence() throws {
    // example: sequence
    let done = Promise.sequence(["user", "settings", "greeting"]) { (name: String) in
      load(name).then { text in "\(name): \(text)" }
    }
    // end
    XCTAssertEqual(try value(of: done), ["user: ann", "settings: dark", "greeting: hello"])
  }

  func testRepeat() throws {
    let pages = Recorded(["first", "second", "last"])
    @Sendable func nextPage() -> Promise {
      .resolved(pages.change { $0.isEmpty ? nil : $0.removeFirst() } as Any)
    }
    // example: repeat
    let last = Promise.repeat {
      nextPage().then { page in page }  // fulfilled with `nil` after the last one
    }
    // end
    XCTAssertEqual(try value(of: last), "last")
  }

  func testTimeout() throws {
    let (slow, resolver) = Promise.pending()
    // example: timeout
    let answer = slow.setTimeout(0.01)
      .catch { (error: PromiseError) -> Any in
        guard case .timeout = error else { throw error }
        return "nobody answers"
      }
    // end
    XCTAssertEqual(try value(of: answer), "nobody answers")
    XCTAssertTrue(slow.isPending)
    withExtendedLifetime(resolver) {}
  }

  func testTimeoutThatCancels() throws {
    let download = Download()
    // example: timeout-cancel
    let file = Promise { resolver in
      download.start { text in resolver.fulfill(text) }
      resolver.onCancel { _ in download.stop() }
      resolver.onAbandon { download.stop() }
    }
    let timer = Promise.delay(0.01, PromiseError.timeout)
    let inTime = Promise.race([file, timer], cancellingInputs: true)
    // end
    guard case .timeout = try reason(of: inTime, as: PromiseError.self) else { return XCTFail() }
    XCTAssertTrue(download.wasStopped)
  }

  func testRetry() throws {
    let failures = Recorded(2)
    @Sendable func attempt() throws -> String {
      let left = failures.change { left in
        left -= 1
        return left
      }
      if left >= 0 { throw Missing(name: "connection") }
      return "connected"
    }
    // example: retry
    @Sendable func retry(_ times: Int) -> Promise {
      Promise.task { try attempt() }.catch { error -> Any in
        if times == 0 || error.isCancellation { throw error }
        return Promise.delay(0.001).then { retry(times - 1) }
      }
    }
    let connected = retry(3)
    // end
    XCTAssertEqual(try value(of: connected), "connected")
    failures.change { $0 = 1 }
    let cancelled = retry(3)
    cancelled.root.cancel()
    _ = try outcome(of: cancelled)
    XCTAssertTrue(cancelled.isSettled)
  }

  func testDelayStep() throws {
    // example: delay-step
    let greeting = load("greeting").delay(0.001).then { text in "\(text), at last" }
    // end
    XCTAssertEqual(try value(of: greeting), "hello, at last")
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
