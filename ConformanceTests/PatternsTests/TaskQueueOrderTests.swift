import DynamicPromise
import DynamicPromisePatterns
import DynamicPromiseTesting
import TestSupport
import XCTest

final class TaskQueueOrderTests: XCTestCase {
  private let log = Recorded<[String]>([])

  private func add(_ name: String, _ priority: Int, to queue: TaskQueue) -> Promise {
    queue.add(priority: priority) { [log] in log.append(name) }
  }

  // Spec: P1.9
  func testOrderOnASerialContext() throws {
    let log = Recorded<[Int]>([])
    let queue = TaskQueue(width: 5, on: .serial("tasks"))
    var last = Promise()
    for number in 0..<2000 { last = queue.add { log.append(number) } }
    _ = try outcome(of: queue.addBarrier {})
    XCTAssertTrue(last.isFulfilled)
    XCTAssertEqual(log.value, Array(0..<2000))
  }

  // Spec: P1.9
  func testTasksAreScheduledInOrder() {
    let (context, log) = (DetainingContext(), Recorded<[Int]>([]))
    let queue = TaskQueue(width: 2, on: context)
    let isAdded = DispatchSemaphore(value: 0)
    context.onFirst.change {
      $0 = {
        DispatchQueue.global().async {
          queue.add { log.append(1) }
          isAdded.signal()
        }
        XCTAssertEqual(isAdded.wait(timeout: .now() + 20), .success)
      }
    }
    queue.add { log.append(0) }
    context.jobs.drain()
    XCTAssertEqual(log.value, [0, 1])
  }

  // Spec: P1.9
  func testNoThreadServesForEver() {
    let (context, queues) = (DetainingContext(), Recorded(Set<String>()))
    let queue = TaskQueue(width: .max, on: context)
    queue.pause()
    for _ in 0..<1000 { queue.add {} }
    context.onEach.change {
      $0 = { queues.change { _ = $0.insert(Thread.isMainThread ? "this thread" : "another one") } }
    }
    queue.resume()
    eventually("all scheduled") { context.jobs.pendingJobs == 1000 }
    XCTAssertEqual(queues.value, ["this thread", "another one"])
  }

  // Spec: P1.14
  func testAMillionTasksMakeNoDeepStack() {
    #if DEBUG
      let many = 10_000
    #else
      let many = 500_000
    #endif
    onSmallStack {
      for width in [1, 3] {
        let (queue, count, gate) = (
          TaskQueue(width: width, on: .immediate), Recorded(0), Promise(on: .immediate)
        )
        queue.addBarrier { gate }
        for number in 0..<many {
          queue.add { () -> Promise? in
            count.increment()
            return number % 2 == 0 ? .resolved(number) : nil
          }
        }
        gate.fulfill(1)
        XCTAssertEqual(count.value, many)
      }
    }
  }

  // Spec: P1.14
  func testManyTasksElsewhere() throws {
    let (queue, count) = (TaskQueue(width: 4), Recorded(0))
    for _ in 0..<10_000 { queue.add { count.increment() } }
    _ = try outcome(of: queue.addBarrier {})
    XCTAssertEqual(count.value, 10_000)
  }

  // Spec: P1.17
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

  // Spec: P1.17
  func testNoTaskPassesABarrier() {
    let queue = TaskQueue(width: 3, on: .immediate)
    queue.pause()
    _ = add("low", 0, to: queue)
    queue.addBarrier { [log] in log.append("barrier") }
    queue.addBarrier { [log] in log.append("another") }
    _ = add("later", 1, to: queue)
    _ = add("urgent", 9, to: queue)
    queue.resume()
    XCTAssertEqual(log.value, ["low", "barrier", "another", "urgent", "later"])
  }

  // Spec: P1.17
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

  // Spec: P1.17
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

/// A context that runs an action before it enqueues a job.
private final class DetainingContext: ExecutionContext {
  let jobs = TestContext()
  let onFirst = Recorded<(@Sendable () -> Void)?>(nil)
  let onEach = Recorded<(@Sendable () -> Void)?>(nil)

  func execute(_ job: @escaping @Sendable () -> Void) {
    onFirst.change { action in
      defer { action = nil }
      return action
    }?()
    onEach.value?()
    jobs.execute(job)
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
