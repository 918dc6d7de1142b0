import DynamicPromise
import DynamicPromisePatterns
import DynamicPromiseTesting
import TestSupport
import XCTest

final class TaskQueueCancellationTests: XCTestCase {
  func testCancellingATaskThatWaits() {
    let (queue, source, released) = (TaskQueue(on: .immediate), Source(), Recorded(false))
    queue.add { source.next() }
    let waiting = queue.add { [canary = Canary { released.change { $0 = true } }] in
      withExtendedLifetime(canary) { XCTFail("a cancelled task ran") }
    }
    let last = queue.add { 3 }
    waiting.cancel("enough")
    XCTAssertTrue(waiting.isCancelled)
    XCTAssertTrue(released.value, "the closure is released at once")
    XCTAssertEqual(queue.waitingCount, 1)
    source.all[0].fulfill(1)
    XCTAssertEqual(try last.result?.get() as? Int, 3)
  }

  func testCancellingABarrierThatWaits() {
    let (queue, source) = (TaskQueue(width: 2, on: .immediate), Source())
    queue.add { source.next() }
    let barrier = queue.addBarrier { XCTFail("a cancelled barrier ran") }
    let behind = queue.add { 3 }
    XCTAssertTrue(behind.isPending)
    barrier.cancel()
    XCTAssertTrue(behind.isFulfilled)
  }

  func testCancellingATaskThatRuns() {
    let (queue, source) = (TaskQueue(on: .immediate), Source())
    let (log, stepped) = (Recorded<[String]>([]), TestContext())
    let one = queue.add {
      source.next().then { $0 }.catchOn(stepped) { reason in
        log.append("cleaning up")
        throw reason
      }
    }
    let two = queue.add { log.append("two") }
    Promise.resolved(one).cancel("enough")
    XCTAssertTrue(one.isCancelled)
    XCTAssertTrue(source.all[0].isCancelled)
    XCTAssertTrue(two.isPending, "the cancelled task is still cleaning up")
    stepped.drain()
    XCTAssertTrue(two.isFulfilled)
    XCTAssertEqual(log.value, ["cleaning up", "two"])
  }

  func testWhatHasOtherConsumersContinues() {
    let (queue, source) = (TaskQueue(on: .immediate), Source())
    let shared = source.next()
    let other = shared.then { $0 }
    let one = queue.add { shared }
    let two = queue.add { 2 }
    one.cancel()
    XCTAssertTrue(one.isCancelled)
    XCTAssertTrue(shared.isPending && two.isPending, "the cancelled task keeps its place")
    shared.fulfill(1)
    XCTAssertTrue(two.isFulfilled && other.isFulfilled)
  }

  func testCancellingATaskWhoseBodyRuns() throws {
    let (queue, source, gate) = (TaskQueue(), Source(), DispatchSemaphore(value: 0))
    let begun = expectation(description: "begun")
    let one = queue.add {
      begun.fulfill()
      gate.wait()
      return source.next()
    }
    wait(for: [begun], timeout: 20)
    one.cancel()
    let two = queue.add { 2 }
    XCTAssertTrue(one.isCancelled && two.isPending)
    gate.signal()
    XCTAssertEqual(try value(of: two), 2)
    XCTAssertTrue(source.all[0].isCancelled)
  }

  func testCancellingAll() throws {
    let (queue, source) = (TaskQueue(width: 2, on: .immediate), Source())
    let log = Recorded<[Int]>([])
    let results = (0..<4).map { number in
      let result = queue.add { source.next() }
      result.catchOn(.immediate) { _ in
        log.append(number)
        if number == 0 { queue.add { log.append(9) } }
      }
      return result
    }
    queue.addBarrier { XCTFail("a cancelled barrier ran") }
    queue.cancelAll("enough")
    XCTAssertTrue(results.allSatisfy(\.isCancelled))
    XCTAssertTrue(source.count == 2 && source.all.allSatisfy(\.isCancelled))
    guard case .cancelled(let why as String) = try reason(of: results[3], as: PromiseError.self) else {
      return XCTFail("\(results[3])")
    }
    XCTAssertEqual(why, "enough")
    XCTAssertEqual(log.value.filter { $0 < 9 }, [0, 1, 2, 3])
    XCTAssertTrue(log.value.contains(9), "a task that is added during the cancel runs")
    queue.cancelAll()
    XCTAssertEqual(try queue.add { 5 }.result?.get() as? Int, 5, "there was nothing to cancel")
  }

  func testADroppedQueueRunsItsTasks() {
    let (source, log) = (Source(), Recorded<[Int]>([]))
    var queue: TaskQueue? = TaskQueue(on: .immediate)
    let object = WeakReference(queue!)
    queue?.add { source.next() }  // Nothing retains the promises.
    for number in 1..<3 { queue?.add { log.append(number) } }
    queue = nil
    XCTAssertNotNil(object.object)
    source.all[0].fulfill(1)
    XCTAssertEqual(log.value, [1, 2])
    XCTAssertNil(object.object)
  }

  func testADroppedQueueThatWasPausedBreaksWhatWaits() {
    let source = Source()
    var queue: TaskQueue? = TaskQueue(on: .immediate)
    let one = queue!.add { source.next() }
    let two = queue!.add { 2 }
    queue?.pause()
    queue = nil
    XCTAssertTrue(one.isPending && two.isPending)
    source.all[0].fulfill(1)
    XCTAssertTrue(one.isFulfilled)
    guard case .failure(PromiseError.broken)? = two.result else { return XCTFail("\(two)") }
  }

  func testAddingCancellingAndPausingFromSeveralThreads() throws {
    for round in 0..<raceRounds(400) {
      let width = 1 + round % 3
      let queue = TaskQueue(width: width)
      let (running, most, begun, barred) = (Recorded(0), Recorded(0), Recorded(0), Recorded(true))
      let results = Recorded<[Promise]>([])
      @Sendable func add(_ isBarrier: Bool) {
        let task: @Sendable () -> Promise = {
          begun.increment()
          let now = running.increment()
          most.change { $0 = max($0, now) }
          if isBarrier, now != 1 { barred.change { $0 = false } }
          // The count falls as soon as the work settles, before the next task may begin.
          return Promise.delay(0, on: .immediate).finallyOn(.immediate) { running.change { $0 -= 1 } }
        }
        results.append(isBarrier ? queue.addBarrier(task) : queue.add(task))
      }
      together(
        { for number in 0..<8 { add(number == 4) } },
        { for number in 0..<8 { add(number == 2) } },
        {
          for _ in 0..<4 {
            results.value.randomElement()?.cancel()
            queue.pause()
            queue.resume()
          }
        },
        { if round % 4 == 0 { queue.cancelAll() } else { queue.width = width } }
      )
      _ = try outcome(of: queue.addBarrier {})
      XCTAssertTrue(results.value.count == 16 && results.value.allSatisfy(\.isSettled))
      XCTAssertLessThanOrEqual(most.value, width)
      XCTAssertTrue(barred.value, "a barrier ran beside another task")
      XCTAssertEqual(running.value, 0)
      XCTAssertGreaterThanOrEqual(begun.value, results.value.count { !$0.isCancelled })
      if !barred.value || most.value > width { return }
    }
  }

  func testACancelAtTheMomentOfTheTurn() throws {
    for _ in 0..<raceRounds(1000) {
      let (queue, gate) = (TaskQueue(), Promise())
      queue.add { gate }
      let one = queue.add { Promise() }
      let two = queue.add { 2 }
      together({ gate.fulfill(1) }, { one.cancel() })
      XCTAssertTrue(one.isCancelled)
      XCTAssertEqual(try value(of: two), 2)
    }
  }

  func testCancellingAllTakesLinearTime() {
    /// The steps and the processor's time of a cancel.
    func cost(_ count: Int) -> (Int, Double) {
      let queue = TaskQueue()
      queue.add { Promise() }
      let all = (0..<count).map { _ in queue.add { 1 } }
      let start = clock()
      let work = LockedWork.count { queue.cancelAll() }
      XCTAssertTrue(all.allSatisfy(\.isCancelled))
      return (work.steps + work.sections, Double(clock() - start))
    }
    let (few, many) = (cost(500), cost(8000))
    XCTAssertLessThanOrEqual(many.0, few.0 * 17)
    // A quadratic part would take 256 times as long.
    XCTAssertLessThan(many.1, few.1 * 100)
  }
}
