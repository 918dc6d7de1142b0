import DynamicPromise
import Foundation
import TestSupport
import XCTest

/// The queue of asynchronous tasks in `docs/patterns.md`.
final class QueuePatternTests: XCTestCase {
  /// A queue, whatever its class is called, and what its tasks say.
  private struct Line {
    let add: @Sendable (@escaping @Sendable () -> Promise) -> Promise
    let log = Recorded<[String]>([])

    func say(_ text: String) { log.change { $0.append(text) } }

    /// A task that says that it runs, and returns a promise.
    func add(_ name: String, _ result: Promise = .resolved(())) -> Promise {
      add {
        say(name)
        return result
      }
    }
  }

  private func line() -> Line {
    // example: pattern-fifo
    final class FIFO: @unchecked Sendable {
      private let queue = DispatchQueue(label: "fifo")
      private var last = Promise.resolved(())

      func add(_ task: @escaping @Sendable () -> Promise) -> Promise {
        let next = Promise()
        queue.sync {
          last = last.then { _ -> Promise? in  // stays inside, so that nobody can cancel it
            if next.isSettled { return nil }  // cancelled before its turn
            let work = task()
            next.bind(work)  // whoever cancels `next` cancels `work`, which nobody else wants
            let end = Promise()
            work.finally { end.fulfill(()) }  // hears of its end, and does not want it
            return end
          }
        }
        return next
      }
    }
    // end
    let fifo = FIFO()
    return Line(add: fifo.add)
  }

  func testOrder() throws {
    let (line, first) = (line(), Promise())
    let one = line.add("one", first)
    let two = line.add("two", load("nothing"))
    let three = line.add("three")
    let four = line.add("four", .resolved(4))
    XCTAssertTrue(one.isPending && two.isPending)
    first.fulfill(1)
    XCTAssertEqual(try value(of: four), 4)
    XCTAssertEqual(line.log.value, ["one", "two", "three", "four"])
    XCTAssertEqual(try value(of: one), 1)
    XCTAssertEqual(try reason(of: two), Missing(name: "nothing"))
    XCTAssertTrue(three.isFulfilled)
  }

  func testCancellingTheTaskThatRuns() throws {
    let (line, running) = (line(), Promise())
    let hasBegun = expectation(description: "begun")
    let one = line.add {
      hasBegun.fulfill()
      return running
    }
    wait(for: [hasBegun], timeout: 20)
    let two = line.add("two", .resolved(2))
    one.cancel()
    let three = line.add("three", .resolved(3))
    XCTAssertEqual(try value(of: two), 2)
    XCTAssertEqual(try value(of: three), 3)
    XCTAssertTrue(one.isCancelled && running.isCancelled)
    XCTAssertEqual(try value(of: line.add("four", .resolved(4))), 4)
    XCTAssertEqual(line.log.value, ["two", "three", "four"])
  }

  /// The task is a chain, and whoever follows what `add` returned is cancelled.
  func testCancellingAFollowerOfAChain() throws {
    let (line, root) = (line(), Promise())
    let hasBegun = expectation(description: "begun")
    let one = line.add {
      hasBegun.fulfill()
      return root.then { $0 }.catch { reason -> Any in
        line.say("cleaned up")
        throw reason
      }
    }
    wait(for: [hasBegun], timeout: 20)
    let two = line.add("two", .resolved(2))
    Promise.resolved(one).cancel()
    XCTAssertEqual(try value(of: two), 2)
    XCTAssertTrue(one.isCancelled && root.isCancelled)
    XCTAssertEqual(line.log.value, ["cleaned up", "two"])
  }

  func testCancellingATaskThatWaits() throws {
    let (line, gate) = (line(), DispatchSemaphore(value: 0))
    let one = line.add {
      gate.wait()
      line.say("one")
      return .resolved(1)
    }
    let two = line.add("two")
    two.cancel()
    let three = line.add("three", .resolved(3))
    XCTAssertTrue(two.isCancelled)
    gate.signal()
    XCTAssertEqual(try value(of: three), 3)
    XCTAssertEqual(try value(of: one), 1)
    XCTAssertEqual(line.log.value, ["one", "three"])
  }

  /// The others wait until its body has returned, and what that returned is cancelled.
  func testCancellingATaskWhoseBodyIsUnderWay() throws {
    let (line, gate, result) = (line(), DispatchSemaphore(value: 0), Promise())
    let hasBegun = expectation(description: "begun")
    let one = line.add {
      hasBegun.fulfill()
      gate.wait()
      line.say("one")
      return result
    }
    wait(for: [hasBegun], timeout: 20)
    one.cancel()
    XCTAssertTrue(one.isCancelled)
    let two = line.add("two", .resolved(2))
    gate.signal()
    XCTAssertEqual(try value(of: two), 2)
    XCTAssertTrue(result.isCancelled)
    XCTAssertEqual(line.log.value, ["one", "two"])
  }
}
