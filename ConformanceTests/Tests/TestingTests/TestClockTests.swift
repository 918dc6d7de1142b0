// The clock of the test context.

import DynamicPromise
import DynamicPromiseTesting
import TestSupport
import XCTest

final class TestClockTests: XCTestCase {
  private let context = TestContext()
  private let log = Recorded([String]())

  /// Sets a timer that logs its name and the time.
  @discardableResult
  private func timer(_ name: String, after seconds: Double) -> @Sendable () -> Void {
    let (context, log) = (context, log)
    return context.schedule(after: seconds) { log.append("\(name) at \(context.now)") }
  }

  func testTheClockStandsStill() {
    XCTAssertEqual(context.now, 0)
    timer("a", after: 1)
    context.drain()
    XCTAssertEqual(context.now, 0)
    XCTAssertEqual(log.value, [])
    XCTAssertEqual(context.pendingTimers, 1)
    XCTAssertEqual(context.nextTimer, 1)
    XCTAssertEqual(context.pendingJobs, 0)
  }

  func testTimersRunAtTheirTimesInTheirOrder() {
    timer("late", after: 3)
    timer("early", after: 1)
    timer("late, too", after: 3)
    timer("too late", after: 5)
    context.advance(by: 0.5)
    XCTAssertEqual(log.value, [])
    XCTAssertEqual(context.now, 0.5)
    context.advance(by: 3.5)
    XCTAssertEqual(log.value, ["early at 1.0", "late at 3.0", "late, too at 3.0"])
    XCTAssertEqual(context.now, 4)
    XCTAssertEqual(context.nextTimer, 5)
    context.advance(by: 1)
    XCTAssertEqual(log.value.last, "too late at 5.0", "a timer at the end of the span runs")
  }

  func testHandlersOfATimerRunAtItsTime() {
    let (context, log) = (context, log)
    context.execute { _ = context.schedule(after: 1) { log.append("first") } }
    let done = Promise.delay(2, "second", on: context)
      .then { value -> Promise in
        log.append("\(value) at \(context.now)")
        return .delay(2, "third", on: context)
      }
      .then { value in log.append("\(value) at \(context.now)") }
    context.advance(by: 10)
    XCTAssertEqual(log.value, ["first", "second at 2.0", "third at 4.0"])
    XCTAssertTrue(done.isFulfilled)
    XCTAssertEqual(context.now, 10)
  }

  func testAdvanceToTheNextTimerRunsNothing() {
    timer("a", after: 2)
    timer("b", after: 2)
    timer("c", after: 3)
    XCTAssertTrue(context.advanceToNextTimer())
    XCTAssertEqual(context.now, 2)
    XCTAssertEqual(log.value, [])
    XCTAssertEqual(context.pendingJobs, 2)
    context.step()
    XCTAssertEqual(log.value, ["a at 2.0"])
    context.drain()
    XCTAssertTrue(context.advanceToNextTimer())
    context.drain()
    XCTAssertFalse(context.advanceToNextTimer())
    XCTAssertEqual(log.value, ["a at 2.0", "b at 2.0", "c at 3.0"])
    XCTAssertEqual(context.now, 3)
  }

  func testATimerIsCalledOff() {
    let callOff = timer("a", after: 1)
    timer("b", after: 2)
    callOff()
    callOff()
    XCTAssertEqual(context.pendingTimers, 1)
    XCTAssertEqual(context.nextTimer, 2)
    context.advance(by: 5)
    callOff()
    XCTAssertEqual(log.value, ["b at 2.0"])
  }

  func testATimerThatIsDueIsCalledOff() {
    let (context, log) = (context, log)
    weak var seen: Canary?
    let callOff = {
      let captured = Canary {}
      seen = captured
      return context.schedule(after: 1) { withExtendedLifetime(captured) { log.append("called off") } }
    }()
    context.advanceToNextTimer()
    XCTAssertNotNil(seen)
    callOff()
    XCTAssertNil(seen)
    context.drain()
    XCTAssertEqual(log.value, [])
  }

  func testACalledOffJobIsReleasedAtOnce() {
    let context = context
    weak var seen: Canary?
    let callOff = {
      let captured = Canary { _ = context.pendingTimers }  // Hangs if the lock is held.
      seen = captured
      return context.schedule(after: 1) { withExtendedLifetime(captured) {} }
    }()
    XCTAssertNotNil(seen)
    callOff()
    XCTAssertNil(seen)
  }

  // Spec: H10.7
  func testUnusualTimes() {
    timer("never", after: .infinity)
    for seconds in [0, -1, .nan] { timer("\(seconds)", after: seconds) }
    context.drain()
    XCTAssertEqual(log.value, [], "no timer runs before the clock advances")
    context.advance(by: 0)
    XCTAssertEqual(log.value, ["0.0 at 0.0", "-1.0 at 0.0", "nan at 0.0"])
    for seconds in [0, -1, .nan] { context.advance(by: seconds) }
    XCTAssertEqual(context.now, 0)
    timer("last", after: 7)
    XCTAssertEqual(context.nextTimer, 7)
    context.advance(by: .infinity)
    XCTAssertEqual(log.value.last, "last at 7.0")
    XCTAssertEqual(context.now, 7)
    XCTAssertEqual(context.pendingTimers, 1)
    XCTAssertNil(context.nextTimer)
    XCTAssertFalse(context.advanceToNextTimer())
  }

  func testAProgramThatNeverEndsReachesTheLimit() {
    let context = context
    @Sendable func arm() { _ = context.schedule(after: 1, arm) }
    arm()
    XCTAssertFalse(context.advance(by: .infinity, limit: 10))
    XCTAssertEqual(context.now, 10)
    XCTAssertFalse(context.advance(by: 100, limit: 10))
    XCTAssertEqual(context.now, 20)
    XCTAssertTrue(context.advance(by: 10.5))
    XCTAssertEqual(context.now, 30.5)
    @Sendable func turn() { context.execute(turn) }
    turn()
    XCTAssertFalse(context.advance(by: 0, limit: 10))
  }

  func testTheWorkOfManyTimersGrowsWithTheirNumber() {
    /// Sets `count` timers, cancels the first or the last half of them, and runs the others.
    func work(_ count: Int, fromTheLast: Bool) -> Int {
      let context = TestContext()
      let ran = Recorded([Int]())
      var cancels = (0..<count).map { index in
        context.schedule(after: Double(index * 7919 % count)) { ran.append(index) }
      }
      if fromTheLast { cancels.reverse() }
      for cancel in cancels.prefix(count / 2) { cancel() }
      XCTAssertEqual(context.pendingTimers, count - count / 2)
      context.advance(by: Double(count))
      XCTAssertEqual(ran.value.count, count - count / 2)
      XCTAssertEqual(ran.value.map { $0 * 7919 % count }, ran.value.map { $0 * 7919 % count }.sorted())
      return context.timerWork
    }
    for fromTheLast in [false, true] {
      let (few, many) = (work(1000, fromTheLast: fromTheLast), work(10000, fromTheLast: fromTheLast))
      XCTAssertLessThan(many, 20 * few, "\(few)")
      XCTAssertLessThan(many, 40 * 10000)
    }
  }

  func testManyTimersOfOneTimeRunInTheirOrder() {
    let ran = Recorded([Int]())
    let cancels = (0..<1000).map { index in context.schedule(after: 1) { ran.append(index) } }
    for index in 0..<1000 where index % 3 != 0 { cancels[index]() }
    context.advance(by: 1)
    XCTAssertEqual(ran.value, (0..<1000).filter { $0 % 3 == 0 })
  }
}
