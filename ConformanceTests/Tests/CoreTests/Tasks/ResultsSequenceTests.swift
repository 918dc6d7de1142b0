// `Promise.results(of:)` (T3).

import DynamicPromise
import XCTest

@available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
final class ResultsSequenceTests: XCTestCase {
  // Spec: T3.1
  func testOutcomesArriveInTheOrderOfCompletion() async throws {
    let promises = (0..<4).map { _ in Promise() }
    let results = Promise.results(of: promises)
    promises[2].fulfill("two")
    let failure = Failure()
    promises[0].reject(failure)
    var iterator = results.makeAsyncIterator()
    let first = await iterator.next()
    XCTAssertEqual(try take(first), "two")
    guard case .failure(let reason)? = await iterator.next() else { return XCTFail("rejected") }
    XCTAssertTrue(reason as? Failure === failure)
    promises[3].cancel("three")
    guard case .failure(PromiseError.cancelled)? = await iterator.next() else { return XCTFail("misordered") }
    promises[1].fulfill("one")
    let last = await iterator.next()
    XCTAssertEqual(try take(last), "one")
    let end = await iterator.next() == nil
    XCTAssertTrue(end)
    let stillTheEnd = await iterator.next() == nil
    XCTAssertTrue(stillTheEnd)
  }

  // Spec: T3.2
  func testWithoutInputsTheSequenceEndsAtOnce() async throws {
    let results = Promise.results(of: EmptyCollection<Any>())
    var iterator = results.makeAsyncIterator()
    for _ in 0..<2 {
      let next = await iterator.next()
      XCTAssertNil(next)
    }
    let executor = ManualTaskExecutor()
    let outcome = TaskOutcome()
    Task(executorPreference: executor) {
      for await _ in Promise.results(of: [Promise]()) { XCTFail("a result without inputs") }
      outcome.finish(.success(true))
    }
    executor.step()
    XCTAssertTrue(outcome.isThere, "the loop ends without a wait")
  }

  // Spec: T3.3
  func testAnEarlyExitDoesNotAffectTheOtherInputs() async throws {
    let abandoned = Counter()
    let (inputs, held, census) = (inputs(3, abandoned), Promise(), Census())
    for input in inputs.promises { census.add(input) }
    let results = Promise.results(of: inputs.promises + [held])
    inputs.promises[0].fulfill(0)
    inputs.promises = []
    for await result in results {
      XCTAssertEqual(try take(result), 0)
      XCTAssertEqual(abandoned.value, 0, "the sequence retains its pending inputs")
      break
    }
    guard abandoned.value == 2 else {
      return XCTFail("the sequence still exists, and has released \(abandoned.value) of 2 inputs")
    }
    XCTAssertEqual(census.alive, 0)
    XCTAssertTrue(held.isPending)
    for await _ in results { XCTFail("a result after the end of the sequence") }
  }

  // Spec: T3.4
  func testACancelOfTheTaskEndsTheSequence() throws {
    for isPreCancelled in [false, true] {
      let abandoned = Counter()
      let inputs = inputs(2, abandoned)
      let results = Promise.results(of: inputs.promises)
      let first = inputs.promises[0]
      inputs.promises = []
      let executor = ManualTaskExecutor()
      let outcome = TaskOutcome()
      let task = Task(executorPreference: executor) {
        var count = 0
        for await _ in results { count += 1 }
        outcome.finish(.success(count))
      }
      if !isPreCancelled { executor.step() }
      first.fulfill(1)
      if !isPreCancelled { executor.step() }
      task.cancel()
      executor.step()
      XCTAssertEqual(try outcome.value(), isPreCancelled ? 0 : 1)
      XCTAssertEqual(abandoned.value, 1)
    }
  }

  // Spec: T3.5
  func testOutcomesAreFreedWhenTheyAreDelivered() async throws {
    let died = Counter()
    let results = Promise.results(of: (0..<3).map { _ in Canary { died.increment() } })
    var number = 0
    for await result in results {
      number += 1
      XCTAssertNotNil(try result.get() as? Canary)
      XCTAssertLessThan(died.value, number)
      XCTAssertGreaterThanOrEqual(died.value, number - 2)
    }
    XCTAssertEqual(died.value, 3)
    withExtendedLifetime(results) {}
  }

  // Spec: T3.6
  func testSeveralIteratorsShareTheOutcomes() async throws {
    let promises = (0..<200).map { _ in Promise() }
    let results = Promise.results(of: promises)
    let seen = Log<Int>()
    await withTaskGroup(of: Void.self) { group in
      for _ in 0..<4 {
        var iterator = results.makeAsyncIterator()
        group.addTask {
          while case .success(let value as Int)? = await iterator.next() { seen.append(value) }
        }
      }
      group.addTask { for (number, promise) in promises.enumerated() { promise.fulfill(number) } }
    }
    XCTAssertEqual(seen.all.sorted(), Array(0..<200))
  }

  /// Makes promises that count when they are abandoned.
  private func inputs(_ count: Int, _ abandoned: Counter) -> Held {
    Held((0..<count).map { _ in Promise(onCancel: nil, onAbandon: { abandoned.increment() }) })
  }

  private func take<T>(
    _ result: Promise.Results.Element?, file: StaticString = #filePath, line: UInt = #line
  ) throws -> T {
    let value = try XCTUnwrap(result, "the end", file: file, line: line).get()
    return try XCTUnwrap(value as? T, "\(value)", file: file, line: line)
  }
}
