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
    queue.addBarrier {}
    _ = add("behind the barrier", 9, to: queue)
    XCTAssertEqual(log.value, [], "the running task is not affected")
    source.all[0].fulfill(1)
    XCTAssertEqual(log.value, ["2.2", "2.4", "1.5", "0.0", "0.3", "-1.1", "behind the barrier"])
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
}
