// The jobs of a test context, which a test steps by hand.

import Dispatch
import DynamicPromise
import DynamicPromiseTesting
import Foundation
import TestSupport
import XCTest

final class TestContextTests: XCTestCase {
  private let context = TestContext()

  func testNothingRunsByItself() {
    let promise = Promise(on: context)
    let child = promise.then { $0 as! Int + 1 }
    XCTAssertEqual(context.pendingJobs, 0)
    promise.fulfill(1)
    XCTAssertEqual(context.pendingJobs, 1)
    XCTAssertTrue(child.isPending)
    XCTAssertTrue(context.step())
    XCTAssertEqual(try child.result?.get() as? Int, 2)
    XCTAssertEqual(context.pendingJobs, 0)
    XCTAssertFalse(context.step())
  }

  func testJobsRunInOrder() {
    let ran = Recorded([Int]())
    // The context shortens its array after 4,096 jobs.
    let count = 10_000
    for number in 0..<count { context.execute { ran.append(number) } }
    XCTAssertEqual(context.pendingJobs, count)
    for _ in 0..<5000 { context.step() }
    XCTAssertEqual(context.pendingJobs, count - 5000)
    for number in count..<(count + 10) { context.execute { ran.append(number) } }
    XCTAssertEqual(context.drain(), count - 5000 + 10)
    XCTAssertEqual(ran.value, Array(0..<(count + 10)))
  }

  // Spec: H10.7
  func testDrainStopsAtItsLimit() {
    final class Endless: Sendable {
      func run(_ context: TestContext) { context.execute { self.run(context) } }
    }
    Endless().run(context)
    XCTAssertEqual(context.drain(limit: 100), 100)
    XCTAssertEqual(context.pendingJobs, 1)
    for limit in [0, -1, .min] { XCTAssertEqual(context.drain(limit: limit), 0) }
    context.dropAll()
  }

  func testAJobMayUseTheContext() {
    let context = TestContext()
    let ran = Recorded([String]())
    context.execute {
      ran.append("outer begins")
      context.step()
      XCTAssertEqual(context.pendingJobs, 1)
      context.execute { ran.append("new") }
      ran.append("outer ends")
    }
    context.execute { ran.append("second") }
    context.execute { ran.append("third") }
    context.drain()
    XCTAssertEqual(ran.value, ["outer begins", "second", "outer ends", "third", "new"])
  }

  func testJobsAreReleasedBeforeTheNextStep() {
    let context = TestContext()
    weak var seen: Canary?
    do {
      let captured = Canary { _ = context.pendingJobs }  // Hangs if the lock is held.
      seen = captured
      context.execute { withExtendedLifetime(captured) {} }
      context.execute {}
    }
    XCTAssertNotNil(seen)
    context.step()
    XCTAssertNil(seen)
    context.drain()
  }

  func testDroppedJobsBreakTheirPromises() throws {
    let promise = Promise(on: context)
    let ran = Recorded([Int]())
    let children = (0..<3).map { number in promise.then { _ in ran.append(number) } }
    let later = Promise.delay(1, "late", on: context)
    promise.fulfill(1)
    context.dropAll()
    XCTAssertEqual(context.pendingJobs, 0)
    XCTAssertEqual(context.pendingTimers, 0)
    XCTAssertFalse(context.step())
    context.advance(by: 2)
    XCTAssertEqual(ran.value.count, 0)
    for promise in children + [later] {
      guard case .failure(PromiseError.broken)? = promise.result else { return XCTFail("\(promise)") }
    }
  }

  func testWaitsForAJobFromAnotherThread() {
    let context = TestContext()
    XCTAssertFalse(context.waitForJob(timeout: 0))
    for odd: Double in [-1, -.infinity, .nan] { XCTAssertFalse(context.waitForJob(timeout: odd)) }
    let promise = Promise(on: context)
    let child = promise.then { $0 }
    for _ in 0..<200 {
      let other = Promise(on: context)
      other.then { $0 }
      let waits = DispatchSemaphore(value: 0)
      DispatchQueue.global().async {
        waits.wait()
        other.fulfill(1)
      }
      waits.signal()
      XCTAssertTrue(context.waitForJob(timeout: 30))
      XCTAssertEqual(context.drain(), 1)
    }
    promise.fulfill(1)
    XCTAssertTrue(context.waitForJob(timeout: 0))
    XCTAssertTrue(child.isPending, "the wait runs no job")
    context.drain()
  }

  func testJobsFromManyThreadsAreAllRunOnce() {
    let context = TestContext()
    let ran = Recorded([Int]())
    let lanes = DispatchGroup()
    for lane in 0..<4 {
      DispatchQueue.global().async(group: lanes) {
        for number in 0..<500 { context.execute { ran.append(lane * 500 + number) } }
      }
    }
    while ran.value.count < 2000, context.waitForJob(timeout: 30) { context.drain() }
    XCTAssertEqual(lanes.wait(timeout: .now() + 30), .success)
    XCTAssertEqual(ran.value.sorted(), Array(0..<2000))
    for lane in 0..<4 {
      let own = ran.value.filter { $0 / 500 == lane }
      XCTAssertEqual(own, own.sorted(), "the jobs of one thread keep their order")
    }
  }
}
