import DynamicPromise
import DynamicPromisePatterns
import DynamicPromiseTesting
import TestSupport
import XCTest

final class LatestTests: XCTestCase {
  func testANewCallCancelsTheOneBefore() {
    let (latest, source, log) = (Latest(on: .immediate), Source(), Recorded<[String]>([]))
    let old = latest.run { source.next().then { $0 } }
    old.then { _ in XCTFail("the handler of a replaced call ran") }
    old.catch { error in log.append("\(type(of: error))") }
    old.finally { log.append("finally") }
    let new = latest.run { source.next() }
    XCTAssertTrue(old.isCancelled && source.all[0].isCancelled)
    XCTAssertEqual(log.value, ["CancellationError", "finally"])
    source.all[1].fulfill("new")
    XCTAssertEqual(try new.result?.get() as? String, "new")
  }

  func testAScheduledHandlerOfAnOlderCallDoesNotRun() {
    let (context, log) = (TestContext(), Recorded<[String]>([]))
    let latest = Latest(on: context)
    let old = latest.run { "old" }
    let below = old.then { _ in Promise.resolved(0, on: context).then { _ in 1 } }
    below.then { _ in log.append("old") }
    while old.isPending { context.step() }
    context.step()
    XCTAssertTrue(below.isPending)
    latest.run { "new" }.then { (text: String) in log.append(text) }
    context.drain()
    XCTAssertTrue(old.isFulfilled && below.isCancelled)
    XCTAssertEqual(log.value, ["new"])
  }

  func testACallCancelsTheSwiftTaskOfTheOneBefore() throws {
    let (latest, ended) = (Latest(), expectation(description: "ended"))
    let begun = expectation(description: "begun")
    let old = latest.run { () async throws -> Int in
      begun.fulfill()
      defer { ended.fulfill() }
      try await Task.sleep(for: .seconds(3600))
      return 1
    }
    wait(for: [begun], timeout: 20)
    XCTAssertEqual(try value(of: latest.run { 2 }), 2)
    wait(for: [ended], timeout: 20)
    XCTAssertTrue(old.isCancelled)
  }

  func testAPause() {
    let (clock, log) = (TestContext(), Recorded<[String]>([]))
    let latest = Latest(pause: 0.3, on: clock)
    @Sendable func type(_ text: String) { latest.run { log.append(text) } }
    type("a")
    clock.advance(by: 0.2)
    type("ab")
    clock.advance(by: 0.2)
    type("abc")
    clock.advance(by: 0.29)
    XCTAssertEqual(log.value, [])
    XCTAssertTrue(latest.isRunning)
    clock.advance(by: 0.01)
    XCTAssertEqual(log.value, ["abc"])
    XCTAssertFalse(latest.isRunning)
    XCTAssertEqual(clock.pendingTimers, 0)
  }

  func testWaitingForCleanUp() {
    for waits in [true, false] {
      let (latest, source) = (Latest(waitsForCleanUp: waits, on: .immediate), Source())
      let (stepped, log) = (TestContext(), Recorded<[String]>([]))
      latest.run {
        source.next().catchOn(stepped) { error in
          log.append("cleaned up")
          throw error
        }
      }
      latest.run { log.append("replaced") }
      latest.run { log.append("new") }
      stepped.drain()
      XCTAssertEqual(log.value, waits ? ["cleaned up", "new"] : ["replaced", "new", "cleaned up"])
    }
  }

  func testObservers() {
    let (clock, source) = (TestContext(), Source())
    let (seen, seenElsewhere) = (Recorded<[Bool]>([]), Recorded<[Bool]>([]))
    let latest = Latest(pause: 1, on: clock)
    latest.onRunning { isRunning in seen.append(isRunning) }
    latest.onRunning(on: .immediate) { isRunning in seenElsewhere.append(isRunning) }
    for _ in 0..<3 {
      latest.run { source.next() }
      clock.advance(by: 1)
    }
    XCTAssertEqual(seen.value, [true])
    source.all[2].fulfill(1)
    XCTAssertEqual(seenElsewhere.value, [true, false])
    clock.drain()
    XCTAssertEqual(seen.value, [true, false])
    latest.run { 1 }
    latest.cancel()
    clock.drain()
    XCTAssertEqual(seen.value, [true, false], "both changes were over before the observer ran")
    XCTAssertEqual(seenElsewhere.value, [true, false, true, false])
  }

  func testAnObserverOfARunningCallHearsOfItsEnd() {
    let (latest, source, seen) = (Latest(on: .immediate), Source(), Recorded<[Bool]>([]))
    latest.run { source.next() }
    latest.onRunning { isRunning in seen.append(isRunning) }
    source.all[0].fulfill(1)
    XCTAssertEqual(seen.value, [false])
  }

  func testCallsOfAnObserverDoNotOverlap() {
    let (latest, source, log) = (Latest(on: .immediate), Source(), Recorded<[String]>([]))
    let first = source.next()
    latest.onRunning(on: InPlace()) { isRunning in
      log.append("begins: \(isRunning)")
      if isRunning {
        latest.cancel()
        latest.run { 1 }
        latest.run { first }
        latest.cancel()
      }
      log.append("ends")
    }
    latest.run { first }
    XCTAssertEqual(log.value, ["begins: true", "ends", "begins: false", "ends"])
  }

  func testCancelling() {
    let (latest, source) = (Latest(on: .immediate), Source())
    let first = latest.run { source.next() }
    latest.cancel("enough")
    XCTAssertTrue(first.isCancelled && source.all[0].isCancelled && !latest.isRunning)
    XCTAssertTrue(latest.run { 1 }.isFulfilled)
    latest.cancel()
    let clock = TestContext()
    let paused = Latest(pause: 1, on: clock)
    let waiting = paused.run { XCTFail("a cancelled call ran") }
    waiting.withdraw()
    XCTAssertTrue(waiting.isCancelled && !paused.isRunning)
    clock.advance(by: 1)
  }

  func testReleasing() {
    let (clock, released, log) = (TestContext(), Recorded(false), Recorded<[String]>([]))
    do {
      let latest = Latest(pause: 1, on: clock)
      latest.onRunning { _ in XCTFail("the observer of a released object ran") }
      latest.run { log.append("run") }
    }
    clock.advance(by: 1)
    XCTAssertEqual(log.value, ["run"])
    let kept = Latest(on: .immediate)
    kept.run { Canary { released.change { $0 = true } } }
    XCTAssertTrue(released.value, "the value is not kept")
    withExtendedLifetime(kept) {}
  }

  func testAnObserverOnTheMainActor() {
    onMainActor(self) { test in
      let (latest, source, ended) = (Latest(), Source(), test.expectation(description: "ended"))
      var seen: [Bool] = []
      latest.onRunningOnMain { isRunning in
        seen.append(isRunning)
        if isRunning { source.all[0].fulfill(1) } else { ended.fulfill() }
      }
      let first = source.next()
      latest.run { first }
      test.wait(for: [ended], timeout: 20)
      XCTAssertEqual(seen, [true, false])
    }
  }

  func testCallsOnSeveralThreads() throws {
    for _ in 0..<raceRounds(500) {
      let (latest, promises, isShown) = (Latest(), Recorded<[Promise]>([]), Recorded(false))
      latest.onRunning { isRunning in isShown.change { $0 = isRunning } }
      @Sendable func call() {
        for number in 0..<5 {
          let gate = Promise()
          let promise = latest.run { gate.then { _ in number } }
          promises.append(promise)
          gate.fulfill(())
        }
      }
      together(call, call, call)
      for promise in promises.value { _ = try outcome(of: promise) }
      XCTAssertFalse(latest.isRunning)
      eventually("hidden") { !isShown.value }
      XCTAssertTrue(promises.value.contains { $0.isFulfilled }, "the newest call is fulfilled")
    }
  }
}

private struct InPlace: ExecutionContext { func execute(_ job: @escaping @Sendable () -> Void) { job() } }
