// What `Promise.results(of:)` takes: thenables that settle when they like, plain values, errors, nothing at
// all.

import DynamicPromise
import XCTest

final class ResultsInputsTests: XCTestCase {
  // Spec: T3.1, T3.2
  func testThenablesComeInTheOrderOfCompletion() async throws {
    let (late, early, failing) = (PostponedThenable(), PostponedThenable(), PostponedThenable())
    let promise = Promise()
    let results = Promise.results(of: [late, "plain", early, promise, failing] as [Any])
    XCTAssertEqual([late, early, failing].map(\.calls), [1, 1, 1], "asked at once, and once")
    early.resolve("early")
    promise.fulfill("promise")
    failing.reject(Failure("failing"))
    late.resolve(Promise.resolved("late"))
    late.resolve("ignored")
    let seen = await texts(of: results)
    XCTAssertEqual(seen, ["plain", "early", "promise", "! failing", "late"])
    XCTAssertEqual([late, early, failing].map(\.calls), [1, 1, 1])
  }

  // Spec: T3.2
  func testThenablesThatFail() async throws {
    let dropped = PostponedThenable()
    let inputs: [Any] = [Throwing(inGetter: true), Throwing(inGetter: false), Methodless(), dropped]
    let results = Promise.results(of: inputs)
    dropped.drop()
    let seen = await texts(of: results)
    XCTAssertEqual(seen, ["! getter", "! method", "Methodless()", "! broken"])
  }

  // Spec: T3.2
  func testPlainValuesAndErrors() async throws {
    let inputs: [Any?] = [1, nil, Failure("error"), "two", Optional<Failure>.some(Failure("optional"))]
    let seen = await texts(of: Promise.results(of: inputs))
    XCTAssertEqual(seen, ["1", "nil", "! error", "two", "! optional"])
    let numbers = await texts(of: Promise.results(of: 1...3))
    XCTAssertEqual(numbers, ["1", "2", "3"])
    let values = await texts(of: Promise.results(of: ["a": Promise.resolved("A")].values))
    XCTAssertEqual(values, ["A"])
  }

  // Spec: T3.2
  func testNothingAtAll() async throws {
    let results = Promise.results(of: EmptyCollection<Any>())
    var iterator = results.makeAsyncIterator()
    for _ in 0..<2 {
      let next = await iterator.next()
      XCTAssertNil(next)
    }
    let again = await texts(of: results)
    XCTAssertEqual(again, [])
    let executor = ManualTaskExecutor()
    let outcome = TaskOutcome()
    Task(executorPreference: executor) {
      for await _ in Promise.results(of: [Promise]()) { XCTFail("nothing") }
      outcome.finish(.success(true))
    }
    executor.step()
    XCTAssertTrue(outcome.isThere, "without having to wait")
  }

  private func texts(of results: Promise.Results) async -> [String] {
    var seen: [String] = []
    for await result in results {
      switch result {
      case .success(let value as Any?): seen.append(value.map { "\($0)" } ?? "nil")
      case .failure(let failure as Failure): seen.append("! " + failure.name)
      case .failure(PromiseError.broken): seen.append("! broken")
      case .failure(let reason): seen.append("! \(reason)")
      }
    }
    return seen
  }
}

/// A thenable that a test settles.
private final class PostponedThenable: Thenable, @unchecked Sendable {
  private(set) var calls = 0
  private var functions: (resolve: @Sendable (Any) -> Void, reject: @Sendable (Any) -> Void)?

  var then: ThenMethod? {
    { resolve, reject in
      self.calls += 1
      self.functions = (resolve, reject)
    }
  }

  func resolve(_ x: Any) { functions?.resolve(x) }
  func reject(_ reason: Any) { functions?.reject(reason) }
  func drop() { functions = nil }
}

private struct Throwing: Thenable {
  let inGetter: Bool
  init(inGetter: Bool) { self.inGetter = inGetter }

  var then: ThenMethod? {
    get throws {
      if inGetter { throw Failure("getter") }
      return { _, _ in throw Failure("method") }
    }
  }
}

private struct Methodless: Thenable {
  var then: ThenMethod? { nil }
}
