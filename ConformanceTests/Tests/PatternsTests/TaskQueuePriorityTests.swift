import DynamicPromise
import DynamicPromisePatterns
import TestSupport
import XCTest

final class TaskQueuePriorityTests: XCTestCase {
  private let log = Recorded<[String]>([])

  private func add(_ name: String, _ priority: Int, to queue: TaskQueue) -> Promise {
    queue.add(priority: priority) { [log] in log.append(name) }
  }

  func testHigherPrioritiesStartFirst() {
    let (queue, source) = (TaskQueue(on: .immediate), Source())
    queue.add { source.next() }
    for (number, priority) in [0, -1, 2, 0, 2, 1].enumerated() {
      _ = add("\(priority).\(number)", priority, to: queue)
    }
    XCTAssertEqual(log.value, [], "the running task is not affected")
    source.all[0].fulfill(1)
    XCTAssertEqual(log.value, ["2.2", "2.4", "1.5", "0.0", "0.3", "-1.1"])
  }

  func testCancelledTasksAreLeftOut() {
    let (queue, source) = (TaskQueue(on: .immediate), Source())
    queue.add { source.next() }
    for number in 0..<200 {
      let removed = add("removed", number % 7, to: queue)
      if number % 50 == 0 { _ = add("\(number)", number, to: queue) }
      removed.cancel()
    }
    XCTAssertEqual(queue.waitingCount, 4)
    source.all[0].fulfill(1)
    XCTAssertEqual(log.value, ["150", "100", "50", "0"])
    queue.pause()
    _ = add("cancelled", 1, to: queue)
    queue.cancelAll()
    _ = add("after", 0, to: queue)
    queue.resume()
    XCTAssertEqual(log.value.last, "after")
  }

  func testRandomPriorities() {
    var random = Seeded()
    for _ in 0..<50 {
      log.change { $0 = [] }
      let queue = TaskQueue(on: .immediate)
      queue.pause()
      var expected: [(section: Int, priority: Int, name: String)] = []
      var section = 0
      for number in 0..<100 {
        if Int.random(in: 0..<10, using: &random) == 0 {
          queue.addBarrier {}
          section += 1
        }
        let priority = Int.random(in: -2...2, using: &random)
        let promise = add("\(number)", priority, to: queue)
        if Bool.random(using: &random) {
          promise.cancel()
        } else {
          expected.append((section, priority, "\(number)"))
        }
      }
      queue.resume()
      // The offset keeps the order of tasks with the same priority.
      let order = expected.enumerated().sorted {
        ($0.element.section, -$0.element.priority, $0.offset) < (
          $1.element.section, -$1.element.priority, $1.offset
        )
      }
      XCTAssertEqual(log.value, order.map(\.element.name))
    }
  }
}

/// A generator that returns the same numbers in every run.
private struct Seeded: RandomNumberGenerator {
  private var state: UInt64 = 7

  mutating func next() -> UInt64 {
    state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
    return state ^ (state >> 29)
  }
}
