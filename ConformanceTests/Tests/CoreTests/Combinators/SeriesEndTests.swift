// The end of a series by a rejection or a cancel (K5, K6, K9, K15).

import DynamicPromise
import XCTest

final class SeriesEndTests: XCTestCase {
  private let parallel: [Series] = [
    ("map", { context, body in Promise.map(0..<5, on: context) { _ in try body() } })
  ]

  private let serial: [Series] = [
    ("sequence", { context, body in Promise.sequence(0..<5, on: context) { _ in try body() } }),
    ("repeat", { context, body in Promise.repeat(on: context) { try body() } }),
    ("retry", { context, body in Promise.retry(5, on: context) { _ in try body() } }),
  ]

  private typealias Body = @Sendable () throws -> Any

  /// A named series. `start` begins the series on a context, and each task calls the body.
  private typealias Series = (name: String, start: (any ExecutionContext, @escaping Body) -> Promise)

  /// Starts a series, and counts its tasks.
  private func begin(
    _ series: Series, on context: any ExecutionContext = .immediate, _ body: @escaping Body
  ) -> (result: Promise, started: Counter) {
    let started = Counter()
    let result = series.start(context) {
      started.increment()
      return try body()
    }
    return (result, started)
  }

  // Spec: K5.4, K6.4, K9.5, R6.2
  func testTheFirstRejectionEndsTheSeries() throws {
    // `retry` does not stop at the first rejection.
    for series in parallel + serial where series.name != "retry" {
      let failure = Failure()
      let bodies: [Body] = [{ throw failure }, { failure }, { Promise.rejected(failure) }]
      for body in bodies {
        let (result, started) = begin(series, body)
        XCTAssertTrue(try result.reason() as? Failure === failure, series.name)
        XCTAssertFalse(result.isCancelled, series.name)
        XCTAssertEqual(started.value, 1, series.name)
      }
    }
  }

  // Spec: C4.10, K5.5, K6.5, K9.7, K15.5, R6.3, R6.6
  func testACancelledSeriesWithdrawsFromTheRunningTask() throws {
    for series in parallel + serial {
      let (waiting, failure) = (Promise(), Failure())
      let (result, started) = begin(series) { waiting.then { $0 } }
      let begun = started.value
      result.cancel(failure)
      XCTAssertTrue(result.isCancelled && waiting.isCancelled, series.name)
      XCTAssertTrue(try waiting.reason() as? Failure === failure, series.name)
      XCTAssertEqual(started.value, begun, series.name)
    }
  }

  // Spec: C4.12, K5.5, K9.7
  func testACancelledSeriesWithdrawsFromItsInputs() {
    typealias Start = ([Promise]) -> Promise
    let series: [(name: String, start: Start)] = [
      ("sequence", { Promise.sequence($0) { $0 } }),
      ("map", { Promise.map($0) { $0 } }), ("map in turn", { Promise.map($0, concurrency: 1) { $0 } }),
      ("sequence that leaves its inputs", { Promise.sequence($0, cancellingInputs: false) { $0 } }),
      ("map that leaves its inputs", { Promise.map($0, cancellingInputs: false) { $0 } }),
    ]
    for (name, start) in series {
      let (inputs, shared, failure) = ([Promise(), Promise(), Promise()], Promise(), Failure())
      let (result, reader) = (start(inputs + [shared]), shared.then { $0 })
      inputs[2].then { $0 }.withdraw()
      XCTAssertTrue(inputs[2].isPending, "\(name) is a consumer of an input that it has not reached")
      result.cancel(failure)
      for input in inputs.prefix(2) {
        XCTAssertTrue(input.reasonNow === (name.contains("leaves") ? nil : failure), name)
      }
      XCTAssertTrue(inputs[2].isCancelled, "its last consumer has left \(name)")
      XCTAssertTrue(shared.isPending && reader.isPending, name)
    }
  }

  // Spec: K5.10, K6.4, K9.7, K15.6, R6.4
  func testACancelOfATasksPromiseIsAnOrdinaryRejection() {
    for series in parallel + serial {
      let waiting = Promise()
      let (result, started) = begin(series) { waiting }
      let begun = started.value
      let mended = result.catch { _ in "mended" }
      waiting.cancel()
      XCTAssertTrue(result.isRejected && mended.isFulfilled, series.name)
      XCTAssertEqual(started.value, begun, series.name)
    }
  }

  // Spec: K5.7, K6.8, K9.8, K15.7
  func testASeriesRunsToItsEndWithoutAReference() {
    for (name, start) in parallel + serial {
      let (started, done, alive) = (Counter(), Event(), LiveCount())
      _ = start(.shared) { [canary = alive.make()] in
        withExtendedLifetime(canary) { started.increment() }
        if started.value >= 5 { done.signal() }
        if name == "retry", started.value < 5 { throw Failure() }
        return name == "repeat" && started.value >= 5 ? Int?.none as Any : true
      }
      done.wait("the last task of \(name)")
      alive.waitUntilEmpty()
    }
  }

  // Spec: K9.5, K9.6
  func testNoTaskStartsForAnInputThatSettlesAfterTheRejection() throws {
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
      XCTAssertEqual(input.isCancelled, cancels, "the input is cancelled with the rest")
      XCTAssertEqual(input.fulfill(2), !cancels)
      XCTAssertEqual(started.value, 1)
    }
  }
}
