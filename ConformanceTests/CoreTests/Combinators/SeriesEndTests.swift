// A rejection, a cancel or an outcome by hand ends a series. No task begins afterwards.

import DynamicPromise
import XCTest

final class SeriesEndTests: XCTestCase {
  private typealias Body = @Sendable () throws -> Any
  /// A named series. `start` begins the series on a context, and each task calls the body.
  private typealias Series = (name: String, start: (any ExecutionContext, @escaping Body) -> Promise)

  private let parallel: [Series] = [
    ("map", { context, body in Promise.map(0..<5, on: context) { _ in try body() } }),
    ("filter", { context, body in Promise.filter(0..<5, on: context) { _ in try body() } }),
  ]

  private let serial: [Series] = [
    ("sequence", { context, body in Promise.sequence(0..<5, on: context) { _ in try body() } }),
    ("each", { context, body in Promise.each(0..<5, on: context) { _ in try body() } }),
    ("reduce", { context, body in Promise.reduce(0..<5, 0, on: context) { _, _ in try body() } }),
    ("repeat", { context, body in Promise.repeat(on: context) { try body() } }),
    ("retry", { context, body in Promise.retry(5, on: context) { _ in try body() } }),
  ]

  // Spec: K5.4, K6.4, K9.5, K10.3, K11.2, K12.3
  func testTheFirstRejectionStopsIt() throws {
    // `retry` does not stop at the first rejection.
    for (name, start) in parallel + serial where name != "retry" {
      let failure = Failure()
      let bodies: [Body] = [{ throw failure }, { failure }, { Promise.rejected(failure) }]
      for body in bodies {
        let started = Counter()
        let result = start(.immediate) {
          started.increment()
          return try body()
        }
        XCTAssertTrue(try result.reason() as? Failure === failure, name)
        XCTAssertFalse(result.isCancelled, name)
        XCTAssertEqual(started.value, 1, name)
      }
    }
  }

  // Spec: C4.10, K5.5, K6.5, K9.7, K10.3, K11.2, K12.3, K15.5
  func testACancelReachesTheTaskThatRuns() throws {
    for (name, start) in parallel + serial {
      let (started, waiting, failure) = (Counter(), Promise(), Failure())
      let result = start(.immediate) {
        started.increment()
        return waiting.then { $0 }
      }
      let begun = started.value
      result.cancel(failure)
      XCTAssertTrue(result.isCancelled && waiting.isCancelled, name)
      XCTAssertTrue(try waiting.reason() as? Failure === failure, name)
      XCTAssertEqual(started.value, begun, name)
    }
  }

  // Spec: K5.10, K6.4, K9.7, K10.3, K11.2, K12.3, K15.6
  func testACancelOfWhatATaskReturnedIsARejectionLikeAnyOther() {
    for (name, start) in parallel + serial {
      let (started, waiting) = (Counter(), Promise())
      let result = start(.immediate) {
        started.increment()
        return waiting
      }
      let begun = started.value
      let mended = result.catch { _ in "mended" }
      waiting.cancel()
      XCTAssertTrue(result.isRejected && mended.isFulfilled, name)
      XCTAssertEqual(started.value, begun, name)
    }
  }

  // Spec: K5.6, K6.9, K9.8, K15.7
  func testAnOutcomeByHandLeavesTheTaskAloneAndStartsNoMore() {
    for (name, start) in parallel + serial {
      let (started, waiting) = (Counter(), Promise())
      let result = start(.immediate) {
        started.increment()
        return waiting
      }
      let begun = started.value
      result.fulfill("by hand")
      XCTAssertTrue(waiting.isPending, name)
      if name == "retry" { waiting.reject(Failure()) } else { waiting.fulfill(true) }
      XCTAssertEqual(started.value, begun, name)
    }
  }

  // Spec: K5.7, K6.8, K9.8, K10.3, K11.2, K12.3, K15.7
  func testItRunsToItsEndIfNothingRetainsTheResult() {
    for (name, start) in parallel + serial {
      let (started, done, alive) = (Counter(), Event(), LiveCount())
      _ = start(DefaultContext()) { [canary = alive.make()] in
        withExtendedLifetime(canary) { started.increment() }
        if started.value >= 5 { done.signal() }
        if name == "retry", started.value < 5 { throw Failure() }
        return name == "repeat" && started.value >= 5 ? Int?.none as Any : true
      }
      done.wait("the last task of \(name)")
      alive.waitUntilEmpty()
    }
  }

  // Spec: K9.5, K10.3
  func testScheduledTasksDoNotBeginAfterARejection() throws {
    for (name, start) in parallel {
      let (context, started, failure) = (SteppedContext(), Counter(), Failure())
      let result = start(context) {
        started.increment()
        throw failure
      }
      XCTAssertEqual(context.pendingJobs, 5, name)
      context.drain()
      XCTAssertEqual(started.value, 1, name)
      XCTAssertTrue(try result.reason() as? Failure === failure, name)
    }
  }

  // Spec: K9.5, K9.6
  func testNoTaskOfAnInputThatSettlesAfterTheRejection() throws {
    for cancels in [false, true] {
      let (input, failure, started) = (Promise(on: .immediate), Failure(), Counter())
      let alive = LiveCount()
      let result = Promise.map([input, 1], on: .immediate, cancellingRest: cancels) {
        [canary = alive.make()] _ -> Any in
        use(canary, started.increment())
        throw failure
      }
      XCTAssertTrue(try result.reason() as? Failure === failure)
      alive.waitUntilEmpty()  // The pending input retains nothing of the series.
      XCTAssertTrue(input.isPending, "the input is not cancelled")
      input.fulfill(2)
      XCTAssertTrue(input.isFulfilled)
      XCTAssertEqual(started.value, 1)
    }
  }

  // Spec: K9.5
  func testNoTaskOfAnInputThatIsFulfilledByTheRejection() throws {
    let (source, failure, started) = (Promise(), Failure(), Counter())
    let inputs = [Promise.all([source]), Promise.allSettled([source])]
    let result = Promise.map(inputs, on: .immediate) { _ in started.increment() }
    source.reject(failure)
    XCTAssertTrue(try result.reason() as? Failure === failure)
    XCTAssertEqual(started.value, 0)
  }

  // Spec: K9.5, K5.2
  func testNoThenableIsCalledAfterTheRejection() {
    let (context, called) = (SteppedContext(), Counter())
    let inputs: [Any] = [1, Tracing(onGet: {}, onCall: { called.increment() })]
    let result = Promise.map(inputs, on: context) { _ -> Int in throw Failure() }
    context.drain()
    XCTAssertTrue(result.isRejected)
    XCTAssertEqual(called.value, 0)
  }

  // Spec: K9.6
  func testATaskThatHasBegunIsLeftAlone() throws {
    let (context, failing, running) = (SteppedContext(), Promise(), Promise(on: .immediate))
    let mapped = running.then { $0 as! Int + 1 }
    let result = Promise.map(0..<2, on: context) { (input: Int) in input == 0 ? failing : mapped }
    context.drain()
    failing.reject(Failure())
    XCTAssertTrue(result.isRejected)
    running.fulfill(1)
    XCTAssertEqual(try mapped.value(), 2)
  }

  // Spec: K5.6, K6.9, K9.8, K15.7
  func testScheduledTasksDoNotBeginAfterAnOutcomeByHand() {
    for (name, start) in parallel + serial {
      let (context, started, alive) = (SteppedContext(), Counter(), LiveCount())
      let result = start(context) { [canary = alive.make()] in
        withExtendedLifetime(canary) { started.increment() }
        return 1
      }
      result.fulfill("by hand")
      alive.waitUntilEmpty()  // The context has not run its jobs yet.
      XCTAssertGreaterThan(context.pendingJobs, 0, name)
      context.drain()
      XCTAssertEqual(started.value, 0, name)
      XCTAssertTrue(result.isFulfilled, name)
    }
  }

  // Spec: K5.6, K9.8
  func testNoTaskOfAnInputThatSettlesAfterAnOutcomeByHand() {
    for concurrency in [1, 3] {
      let (input, started, alive) = (Promise(on: .immediate), Counter(), LiveCount())
      let result = Promise.map([input, input], concurrency: concurrency, on: .immediate) {
        [canary = alive.make()] _ in withExtendedLifetime(canary) { started.increment() }
      }
      result.reject(Failure())
      alive.waitUntilEmpty()
      XCTAssertTrue(input.isPending)
      input.fulfill(1)
      XCTAssertEqual(started.value, 0)
    }
  }

  // Spec: K15.7
  func testNeitherThePredicateNorTheDelayIsAskedAfterAnOutcomeByHand() {
    let (context, asked) = (SteppedContext(), Counter())
    let delay = RetryDelay { _, _ -> Double in
      asked.increment()
      return 1
    }
    let result = Promise.retry(
      5, delay: delay,
      while: { _ in
        asked.increment()
        return true
      }, on: context
    ) { () -> Int in throw Failure() }
    context.step()
    XCTAssertEqual(context.pendingJobs, 1, "the predicate is scheduled")
    result.fulfill("by hand")
    context.drain()
    XCTAssertEqual(asked.value, 0)
  }

  // Spec: K5.5, K5.6
  func testNothingBeginsAfterTheEnd() {
    for isCancelled in [false, true] {
      for (name, start) in parallel + serial {
        for isInHandler in [false, true] {
          let (context, started) = (SteppedContext(), Counter())
          let result = start(context) {
            started.increment()
            return 1
          }
          let end = { @Sendable in
            if isCancelled { result.cancel() } else { result.fulfill("by hand") }
            context.drain()
          }
          if isInHandler { Promise.resolved(1).thenOn(.immediate) { _ in end() } } else { end() }
          XCTAssertEqual(started.value, 0, "\(name), in a handler: \(isInHandler)")
        }
      }
    }
  }

  // Spec: K9.5, K9.9
  func testManyTasksThatDoNotBegin() {
    onSmallStack {
      let started = Counter()
      for context in [SteppedContext(), nil] {
        // The tasks are scheduled, or wait for an input.
        let input = Promise(on: .immediate)
        let other: Any = context == nil ? input : 2
        let inputs = Array(repeating: other, count: manyInputs / 4) + [1]
        let result = Promise.map(inputs, on: context ?? ImmediateContext()) { _ -> Any in
          started.increment()
          throw Failure()
        }
        context?.drain()
        XCTAssertTrue(result.isRejected)
        input.fulfill(2)
      }
      XCTAssertEqual(started.value, 2)
    }
  }

  // Spec: K9.5
  func testARejectionWhileAnotherTaskIsAboutToBegin() {
    race(lanes: 3, rounds: 300) { round in
      let (failing, input, started, alive) = (Promise(), Promise(), Counter(), LiveCount())
      let context = SteppedContext()
      let result = Promise.map([1, input, 3], on: context) { [canary = alive.make()] value in
        withExtendedLifetime(canary) { started.increment() }
        return failing
      }
      context.step()
      let parts: [RaceTrack.Part] = [
        { if round % 2 == 0 { failing.reject(Failure()) } else { result.fulfill("by hand") } },
        { input.fulfill(2) }, { context.drain() },
      ]
      let check = {
        XCTAssertTrue(result.isSettled)
        let begun = started.value
        context.drain()
        XCTAssertEqual(started.value, begun)
        alive.waitUntilEmpty()
      }
      return (parts, check)
    }
  }

  // Spec: K5.5, K6.5, K15.5
  func testACancelAgainstTheEndOfAStep() {
    race(lanes: 2, rounds: 1500) { round in
      let (name, start) = serial[round % serial.count]
      let (steps, begun) = ([Promise(), Promise()], Counter())
      let result = start(.immediate) {
        begun.increment()
        return steps[begun.value - 1]
      }
      let parts: [RaceTrack.Part] = [
        { if name == "retry" { steps[0].reject(Failure()) } else { steps[0].fulfill(0) } },
        { result.cancel() },
      ]
      let check = {
        XCTAssertTrue(result.isCancelled, name)
        XCTAssertEqual(steps[1].isCancelled, begun.value == 2, name)
      }
      return (parts, check)
    }
  }
}
