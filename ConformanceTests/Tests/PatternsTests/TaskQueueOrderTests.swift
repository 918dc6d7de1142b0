import DynamicPromise
import DynamicPromisePatterns
import DynamicPromiseTesting
import TestSupport
import XCTest

final class TaskQueueOrderTests: XCTestCase {
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

  func testAMillionTasksMakeNoDeepStack() {
    #if DEBUG
      let many = 10_000
    #else
      let many = 500_000
    #endif
    onSmallStack {
      for width in [1, 3] {
        let (queue, count) = (TaskQueue(width: width, on: .immediate), Recorded(0))
        let gate = Promise(on: .immediate)
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
