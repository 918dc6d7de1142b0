// What RXPromise's documents promise of concurrency: unrelated trees, a dedicated queue, a concurrent one
// with its barrier, the main thread, background threads; and of time-outs.

import Dispatch
import DynamicPromise
import XCTest

final class RXPromiseContextTests: XCTestCase {
  // Spec: X1.2, R5.1
  func testUnrelatedTreesRunTogether() {
    let (inFirst, inSecond, done) = (Event(), Event(), Event())
    // Each handler returns only after the other one has begun.
    Promise.resolved(1).then { _ in
      inFirst.signal()
      inSecond.wait("handler of the other tree")
      done.signal()
    }
    Promise.resolved(2).then { _ in
      inSecond.signal()
      inFirst.wait("handler of the other tree")
      done.signal()
    }
    done.wait("first tree")
    done.wait("second tree")
  }

  // Spec: X2.1, R5.2
  func testHandlersOfManyTreesOnOneSerialQueueTakeTurns() throws {
    final class Account: @unchecked Sendable { var balance = 0 }
    let account = Account()
    let queue = DispatchQueue(label: "account")
    let all = (0..<4).flatMap { _ -> [Promise] in
      let root = Promise()
      let children = (0..<50).map { _ in root.thenOn(queue) { _ in account.balance += 1 } }
      DispatchQueue.global().async { root.fulfill(1) }
      return children
    }
    for child in all { _ = try child.outcome().get() }
    XCTAssertEqual(queue.sync { account.balance }, 200)
  }

  // Spec: X2.3, R5.3
  func testHandlersOnAConcurrentQueueAreAlone() throws {
    final class Cache: @unchecked Sendable {
      var entries: [Int] = []
      var readers = 0
    }
    let cache = Cache()
    let lock = DispatchQueue(label: "readers")
    let queue = DispatchQueue(label: "cache", attributes: .concurrent)
    let root = Promise()
    let writers = (0..<20).map { index in
      root.thenOn(queue) { _ in
        XCTAssertEqual(lock.sync { cache.readers }, 0)
        cache.entries.append(index)
      }
    }
    for _ in 0..<20 {
      queue.async {
        lock.sync { cache.readers += 1 }
        _ = cache.entries.count
        lock.sync { cache.readers -= 1 }
      }
    }
    root.fulfill(1)
    for writer in writers { _ = try writer.outcome().get() }
    XCTAssertEqual(queue.sync { cache.entries }, Array(0..<20))
  }

  // Spec: X2.3, R5.3
  func testLateHandlersOnAConcurrentQueueAreAloneAsWell() throws {
    let queue = DispatchQueue(label: "cache", attributes: .concurrent)
    let root = Promise.resolved(1)
    let (reading, goOn) = (Event(), Event())
    let log = Log<String>()
    queue.async {
      reading.signal()
      goOn.wait("leave to continue")
      log.append("read before")
    }
    reading.wait("the reader")
    let writers = (0..<3).map { index in root.thenOn(queue) { _ in log.append("write \(index)") } }
    queue.async { log.append("read after") }
    goOn.signal()
    for writer in writers { _ = try writer.outcome().get() }
    queue.sync(flags: .barrier) {}
    XCTAssertEqual(log.all, ["read before", "write 0", "write 1", "write 2", "read after"])
  }

  // Spec: X2.5, R5.1, R5.4
  func testTheMainThreadAndBack() {
    let log = Log<Bool>()
    let ran = expectation(description: "ran")
    Promise.resolved(1)
      .then { _ in log.append(Thread.isMainThread) }
      .thenOnMain { _ in log.append(Thread.isMainThread) }
      .then { _ in log.append(Thread.isMainThread) }
      .thenOnMain({ _ in throw Failure("no") }, nil)
      .thenOnMain(nil, { _ in log.append(Thread.isMainThread) })
      .finally { ran.fulfill() }
    wait(for: [ran], timeout: patience)
    XCTAssertEqual(log.all, [false, true, false, true])
  }

  // Spec: A4.1, X2.1, R5.2
  func testSettledOnABackgroundThreadWithLateHandlers() throws {
    let queue = DispatchQueue(label: "dedicated")
    let log = Log<Int>()
    let root = Promise()
    let early = (0..<10).map { index in root.thenOn(queue) { _ in log.append(index) } }
    let settled = Event()
    Thread.detachNewThread {
      root.fulfill(1)
      settled.signal()
    }
    settled.wait("settling")
    let late = (10..<20).map { index in root.thenOn(queue) { _ in log.append(index) } }
    for child in early + late { _ = try child.outcome().get() }
    XCTAssertEqual(log.all, Array(0..<20))
  }

  // Spec: K7.1, R6.5
  func testATimeoutLeavesThePromiseAlone() throws {
    let promise = Promise()
    let timed = promise.setTimeout(0.001)
    guard case PromiseError.timeout = try timed.reason() else { return XCTFail("\(timed)") }
    XCTAssertTrue(promise.isPending)
    promise.fulfill(1)
    XCTAssertEqual(try promise.value(), 1)
    let early = Promise()
    let patient = early.setTimeout(3600)
    early.reject(Failure("at once"))
    XCTAssertEqual((try patient.reason() as? Failure)?.name, "at once")
  }
}
