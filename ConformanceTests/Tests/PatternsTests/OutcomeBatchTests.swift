import DynamicPromise
import DynamicPromisePatterns
import TestSupport
import XCTest

/// The text of an outcome that a batch reports.
private func text(_ index: Int, _ outcome: Result<Any, any Error>) -> String {
  switch outcome {
  case .success(let value): "\(index): \(value)"
  case .failure(let error as NumberedError): "\(index) failed: \(error.number)"
  case .failure(let error): "\(index) \(error.isCancellation ? "cancelled" : "?")"
  }
}

final class OutcomeBatchTests: XCTestCase {
  func testInputsOfEveryKind() throws {
    let batch = Batch([1, nil, Promise.resolved(2), Promise.resolved(3), Later(), NumberedError(4)])
    XCTAssertEqual(batch.count, 6)
    let outcomes = try value(of: batch.allSettled, as: [Result<Any, any Error>].self)
    XCTAssertEqual(try outcomes[0].get() as? Int, 1)
    XCTAssertEqual(try outcomes[3].get() as? Int, 3)
    XCTAssertEqual(try outcomes[4].get() as? String, "thenable")
    XCTAssertThrowsError(try outcomes[5].get())
    XCTAssertEqual(try value(of: Batch(1...3).all, as: [Any].self) as? [Int], [1, 2, 3])
    XCTAssertEqual(try value(of: Batch([Promise.resolved(1)]).all, as: [Any].self) as? [Int], [1])
  }

  func testEachOutcomeAsItComes() {
    let (source, reported) = (Source(), Recorded<[String]>([]))
    let batch = Batch([source.next(), source.next(), source.next(), 7] as [Any?], on: .immediate)
    source.all[1].fulfill("early")
    let end = batch.onEach { reported.append(text($0, $1)) }
    XCTAssertEqual(reported.value, ["1: early", "3: 7"])
    source.all[2].reject(NumberedError(2))
    XCTAssertTrue(end.isPending)
    source.all[0].fulfill("late")
    XCTAssertEqual(reported.value, ["1: early", "3: 7", "2 failed: 2", "0: late"])
    XCTAssertTrue(end.isFulfilled)
  }

  func testOneAtATime() {
    let (source, steps, reported) = (Source(), Source(), Recorded<[String]>([]))
    let batch = Batch((0..<3).map { _ in source.next() }, on: .immediate)
    let end = batch.onEach { index, outcome in
      reported.append(text(index, outcome))
      return steps.next()
    }
    for promise in source.all { promise.fulfill(1) }
    XCTAssertEqual(reported.value, ["0: 1"])
    steps.all[0].fulfill(1)
    XCTAssertEqual(reported.value, ["0: 1", "1: 1"])
    steps.all[1].fulfill(1)
    steps.all[2].fulfill(1)
    XCTAssertTrue(end.isFulfilled)
  }

  func testAClosureThatThrows() throws {
    let (source, calls) = (Source(), Recorded(0))
    let batch = Batch((0..<3).map { _ in source.next() }, on: .immediate)
    let end = batch.onEach { index, _ in
      calls.increment()
      if index == 1 { throw NumberedError(1) }
    }
    for promise in source.all { promise.fulfill(1) }
    XCTAssertEqual(try reason(of: end), NumberedError(1))
    XCTAssertEqual(calls.value, 2)
    XCTAssertEqual(try reason(of: batch.onEach { _, _ in NumberedError(2) }), NumberedError(2))
  }

  func testCancellingThePromiseOfTheOutcomes() {
    let (source, steps, calls) = (Source(), Source(), Recorded(0))
    let batch = Batch((0..<3).map { _ in source.next() }, on: .immediate)
    let end = batch.onEach { _, _ -> Promise in
      calls.increment()
      return steps.next()
    }
    source.all[0].fulfill(1)
    end.cancel()
    XCTAssertTrue(steps.all[0].isCancelled)
    source.all[1].fulfill(1)
    XCTAssertEqual(calls.value, 1)
    XCTAssertTrue(source.all[2].isPending, "the inputs are not cancelled")
  }

  func testNoInputs() throws {
    let batch = Batch([Promise]())
    XCTAssertTrue(batch.onEach { _, _ in XCTFail("there is no input") }.isFulfilled)
    XCTAssertNil(try value(of: batch.onFirstFailure { _, _ in 1 }, as: Any?.self))
    XCTAssertEqual(try value(of: batch.all, as: [Any].self).count, 0)
    XCTAssertEqual(try value(of: batch.allSettled, as: [Result<Any, any Error>].self).count, 0)
    batch.cancel()
  }

  func testTheFirstFailure() throws {
    let (source, log) = (Source(), Recorded<[Int]>([]))
    let batch = Batch((0..<4).map { _ in source.next() }, on: .immediate)
    let reported = batch.onFirstFailure { index, error in
      log.append(index)
      return "\(index): \((error as? NumberedError)?.number ?? 0)"
    }
    let all = batch.all
    source.all[0].fulfill(1)
    source.all[2].reject(NumberedError(2))
    source.all[1].reject(NumberedError(1))
    XCTAssertEqual(try value(of: reported), "2: 2")
    XCTAssertEqual(try reason(of: all), NumberedError(2))
    source.all[3].fulfill(1)
    XCTAssertEqual(log.value, [2])
    let late = batch.onFirstFailure { index, _ in index }
    XCTAssertEqual(try value(of: late), 1, "the first failure in the order of the inputs")
    let none = Batch([1, Promise.resolved(2)]).onFirstFailure { _, _ in XCTFail("there is no failure") }
    XCTAssertNil(try value(of: none, as: Any?.self))
  }

  func testAFirstFailureThatThrowsAndOneThatIsCancelled() throws {
    let source = Source()
    let batch = Batch([source.next()], on: .immediate)
    let throwing = batch.onFirstFailure { _, _ in throw NumberedError(2) }
    let cancelled = batch.onFirstFailure { _, _ in XCTFail("a cancelled closure ran") }
    cancelled.cancel()
    source.all[0].reject(NumberedError(1))
    XCTAssertEqual(try reason(of: throwing), NumberedError(2))
    XCTAssertTrue(cancelled.isCancelled)
  }

  func testCancelling() throws {
    let (source, reported) = (Source(), Recorded<[String]>([]))
    let wanted = source.next()
    let other = wanted.then { $0 }
    let batch = Batch([1, source.next().then { $0 }, wanted], on: .immediate)
    let end = batch.onEach { reported.append(text($0, $1)) }
    let failed = batch.onFirstFailure { index, error in error.isCancellation ? index : -1 }
    let all = batch.all
    batch.cancel()
    XCTAssertTrue(source.all[1].isCancelled && wanted.isPending && other.isPending)
    XCTAssertEqual(reported.value, ["0: 1", "1 cancelled", "2 cancelled"])
    XCTAssertTrue(end.isFulfilled)
    XCTAssertEqual(try value(of: failed), 1)
    XCTAssertTrue(all.isCancelled)
  }

  func testAnInputIsCancelledByItself() {
    let (source, reported) = (Source(), Recorded<[String]>([]))
    let batch = Batch([source.next(), 2], on: .immediate)
    batch.onEach { reported.append(text($0, $1)) }
    source.all[0].cancel()
    XCTAssertEqual(reported.value.sorted(), ["0 cancelled", "1: 2"])
  }

  func testReleasing() {
    let (source, reported, abandoned) = (Source(), Recorded<[String]>([]), Recorded(false))
    do {
      let batch = Batch([source.next()], on: .immediate)
      batch.onEach { reported.append(text($0, $1)) }
      _ = Batch([Promise(onCancel: nil, onAbandon: { abandoned.change { $0 = true } })])
    }
    XCTAssertTrue(abandoned.value, "a batch without listeners retains nothing")
    XCTAssertTrue(source.all[0].isPending)
    source.all[0].fulfill(1)
    XCTAssertEqual(reported.value, ["0: 1"])
  }

  func testManyThatAreThere() throws {
    let calls = Recorded(0)
    let batch = Batch(0..<3000, on: .immediate)
    onSmallStack { batch.onEach { _, _ in calls.increment() } }
    XCTAssertEqual(calls.value, 3000)
  }

  func testSettlingOnSeveralThreads() throws {
    for round in 0..<raceRounds(300) {
      let promises = (0..<8).map { _ in Promise() }
      let batch = Batch(promises)
      let (inside, calls, failures, overlaps) = (Recorded(0), Recorded<[Int]>([]), Recorded(0), Recorded(0))
      let end = batch.onEach { index, _ in
        if inside.increment() != 1 { overlaps.increment() }
        calls.append(index)
        inside.change { $0 -= 1 }
      }
      let first = batch.onFirstFailure { _, _ in failures.increment() }
      together(
        { for promise in promises { promise.fulfill(1) } },
        { for promise in promises.reversed() { promise.reject(NumberedError(1)) } },
        { if round % 2 == 0 { batch.cancel() } })
      _ = try outcome(of: end)
      _ = try outcome(of: first)
      XCTAssertEqual(calls.value.sorted(), Array(0..<8))
      XCTAssertEqual(overlaps.value, 0)
      XCTAssertLessThanOrEqual(failures.value, 1)
    }
  }

  /// A context that runs each job on another thread and waits for the job to end.
  private struct Handoff: ExecutionContext {
    func execute(_ job: @escaping @Sendable () -> Void) {
      let done = DispatchSemaphore(value: 0)
      Thread.detachNewThread {
        job()
        done.signal()
      }
      done.wait()
    }
  }

  func testNoCallAfterAFailureThatComesLater() throws {
    let (step, calls) = (Promise(on: .immediate), Recorded<[Int]>([]))
    let ended = Batch([1, 2], on: Handoff()).onEach { index, _ -> Any? in
      calls.append(index)
      return index == 0 ? step : nil
    }
    step.reject(NumberedError(1))
    XCTAssertEqual(try reason(of: ended), NumberedError(1))
    XCTAssertEqual(calls.value, [0])
  }

  // Spec: K17.9
  func testACancelledOneIsFinishedBeforeItsInputsSettle() {
    let never = Promise(on: .immediate)
    let each = Batch([1, never], on: .immediate).onEach { _, _ in }
    each.withdraw()
    XCTAssertTrue(each.finished().isFulfilled && never.isPending)
  }
}
