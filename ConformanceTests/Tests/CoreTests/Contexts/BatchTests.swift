// Handlers of one promise may share a block of their dispatch queue (X2.7). The effect must be the same as
// with one block per handler.

import Dispatch
import DynamicPromise
import XCTest

final class BatchTests: XCTestCase {
  private let queues = [
    DispatchQueue(label: "serial"), DispatchQueue(label: "concurrent", attributes: .concurrent),
  ]

  // Spec: X2.2, X2.7
  func testBlocksOfAHandlerRunBeforeTheNextStepOfEachBranch() {
    for queue in queues {
      for count in [1, 150] {
        let (trail, group) = (Log<String>(), DispatchGroup())
        let promise = Promise(on: queue)
        for number in 0..<count {
          group.enter()
          promise.then { _ in
            trail.append("handler \(number)")
            queue.async(flags: .barrier) { trail.append("block \(number)") }
          }.thenOn(queue) { _ in
            trail.append("next \(number)")
            group.leave()
          }
        }
        promise.fulfill(0)
        XCTAssertEqual(group.wait(timeout: .now() + patience), .success)
        let all = trail.all
        for number in 0..<count {
          let places = ["handler", "block", "next"].compactMap { all.firstIndex(of: "\($0) \(number)") }
          XCTAssertEqual(places, places.sorted(), "\(number)")
        }
        for kind in ["handler", "block", "next"] {
          XCTAssertEqual(all.filter { $0.hasPrefix(kind) }, (0..<count).map { "\(kind) \($0)" })
        }
      }
    }
  }

  // Spec: A4.1, X2.7
  func testAnotherContextInBetweenKeepsItsPlace() {
    for queue in queues {
      let trail = Log<String>()
      let between = EnqueuingContext(queue: queue, trail: trail)
      let promise = Promise()
      var expected: [String] = []
      queue.suspend()
      for number in 0..<100 {
        promise.thenOn(queue) { _ in trail.append("handler \(number)") }
        expected.append("handler \(number)")
        guard number % 7 == 3 else { continue }
        promise.thenOn(between) { _ in }
        expected.append("block")
      }
      promise.fulfill(0)
      queue.resume()
      queue.sync(flags: .barrier) {}
      XCTAssertEqual(trail.all, expected)
    }
  }

  // Spec: X2.7
  func testTheOutcomeOfAHandlerIsPassedOnBeforeTheNextHandlerRuns() {
    for queue in queues {
      let (trail, promise) = (Log<Int>(), Promise())
      for number in 0..<100 {
        promise.thenOn(queue) { _ in trail.append(2 * number) }
          .thenOn(.immediate) { _ in trail.append(2 * number + 1) }
      }
      promise.fulfill(0)
      queue.sync(flags: .barrier) {}
      XCTAssertEqual(trail.all, Array(0..<200))
    }
  }

  // Spec: X2.7
  func testChildrenWithoutAHandlerForTheOutcomeAreNoPartOfIt() throws {
    for queue in queues {
      let promise = Promise()
      let children = (0..<100).map { number in
        number % 3 == 0 ? promise.catchOn(queue) { _ in -1 } : promise.thenOn(queue) { _ in number }
      }
      promise.fulfill(1000)
      let values = try children.map { try $0.value(as: Int.self) }
      XCTAssertEqual(values, (0..<100).map { $0 % 3 == 0 ? 1000 : $0 })
    }
  }

  // Spec: X2.1, X2.7
  func testEachHandlerRunsOnTheQueueThatItNames() throws {
    let key = DispatchSpecificKey<Int>()
    let named = (0..<3).map { number in
      let queue = DispatchQueue(label: "\(number)")
      queue.setSpecific(key: key, value: number)
      return queue
    }
    let promise = Promise(on: named[2])
    // The pattern repeats queues, changes queues and returns to earlier queues, for siblings and for a chain.
    let pattern = [0, 0, 1, 1, 1, 0, 2, 1, 2, 2, 0, 0, 0]
    var chain = promise
    let children = pattern.flatMap { number in
      let sibling = promise.thenOn(named[number]) { _ in DispatchQueue.getSpecific(key: key) }
      chain = chain.thenOn(named[number]) { _ in DispatchQueue.getSpecific(key: key) }
      return [sibling, chain]
    }
    promise.fulfill(0)
    XCTAssertEqual(try children.map { try $0.value(as: Int.self) }, pattern.flatMap { [$0, $0] })
  }

  // Spec: X2.7, C9.2, C9.3
  func testACancelledHandlerIsWithdrawn() {
    for queue in queues {
      let (ran, freed, promise, children) = (Log<Int>(), Log<Int>(), Promise(), Log<Promise>())
      queue.suspend()
      for number in 0..<100 {
        let canary = Canary { freed.append(number) }
        children.append(
          promise.thenOn(queue) { _ in
            use(canary, ran.append(number))
            if number == 60 { children.all[61].cancel() }
          })
      }
      promise.fulfill(0)
      children.all[50].cancel()
      XCTAssertEqual(freed.all, [50])
      queue.resume()
      queue.sync(flags: .barrier) {}
      XCTAssertEqual(ran.all, (0..<100).filter { $0 != 50 && $0 != 61 })
      XCTAssertEqual(freed.count, 100)
      // Handler 60 cancels child 61. The captures of handler 61 are freed before those of handler 60.
      XCTAssertLessThan(freed.all.firstIndex(of: 61)!, freed.all.firstIndex(of: 60)!)
    }
  }

  // Spec: X2.3, X2.7
  func testNoOtherBlockRunsDuringAnyOfThem() {
    let queue = queues[1]
    let (inside, outside, overlaps) = (Counter(), Counter(), Counter())
    let look: @Sendable () -> Void = { if inside.value != outside.value { overlaps.increment() } }
    let promise = Promise()
    for _ in 0..<200 {
      promise.thenOn(queue) { _ in
        inside.increment()
        queue.async(execute: look)
        letThePoolRun(blocks: 1)
        outside.increment()
      }
    }
    for _ in 0..<100 { queue.async(execute: look) }
    promise.fulfill(0)
    for _ in 0..<100 { queue.async(execute: look) }
    queue.sync(flags: .barrier) {}
    XCTAssertEqual([inside.value, outside.value, overlaps.value], [200, 200, 0])
  }

  // Spec: X2.7
  func testHandlersScheduledBeforeAHandlerThatBlocksRun() {
    for queue in queues {
      let (begun, ran) = (Event(), Event())
      let promise = Promise()
      for number in 0..<100 {
        promise.thenOn(queue) { _ in if number == 99 { ran.signal() } }
      }
      // Blocks the stack that schedules the handlers until the earlier handlers have run.
      promise.thenOn(.immediate) { _ in ran.wait("the earlier handlers") }
      promise.thenOn(queue) { _ in begun.signal() }
      promise.fulfill(0)
      begun.wait("the later handler")
    }
  }
}

/// For each job, enqueues a block on a queue, then runs the job at once.
private struct EnqueuingContext: ExecutionContext {
  let queue: DispatchQueue
  let trail: Log<String>

  func execute(_ job: @escaping @Sendable () -> Void) {
    queue.async(flags: .barrier) { [trail] in trail.append("block") }
    job()
  }
}
