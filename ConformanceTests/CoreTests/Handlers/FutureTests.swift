// Futures: promises that their consumers cannot settle (H8).

import DynamicPromise
import TestSupport
import XCTest

final class FutureTests: XCTestCase {
  // Spec: H8.1
  func testStateIsThePromises() throws {
    let promise = Promise()
    let future = promise.future
    XCTAssertTrue(future.isPending)
    XCTAssertFalse(future.isSettled)
    XCTAssertNil(future.result)
    XCTAssertEqual("\(future)", "Promise(pending)")
    promise.fulfill(7)
    XCTAssertTrue(future.isFulfilled && future.isSettled)
    XCTAssertEqual(try future.result?.get() as? Int, 7)
    XCTAssertEqual("\(future)", "Promise(fulfilled: 7)")
    let cancelled = Promise().cancelled().future
    XCTAssertTrue(cancelled.isRejected && cancelled.isCancelled)
  }

  // Spec: H8.1
  func testHandlersRunAndGivePromises() throws {
    let queue = DispatchQueue(label: "future")
    let promise = Promise()
    let end: Promise = promise.future
      .then { $0 }
      .then { (number: Int) in number + 1 }
      .thenOn(queue) { (number: Int) throws -> Int in throw Failure("\(number)") }
      .catch { (failure: Failure) in failure.name }
      .finally {}
      .then({ (name: String) in name + "!" }, nil)
    let timed: Promise = promise.future.setTimeout(patience)
    promise.fulfill(1)
    XCTAssertEqual(try end.get(timeout: patience) as? String, "2!")
    XCTAssertEqual(try timed.get(as: Int.self, timeout: patience), 1)
    XCTAssertEqual(promise.future.ignoreErrors(), promise.future)
  }

  // Spec: H8.1
  func testMainHandlers() {
    XCTAssertEqual(try value(of: Promise.resolved(1).future.thenOnMain { _ in Thread.isMainThread }), true)
  }

  // Spec: H8.1
  func testAwaiting() async throws {
    let promise = Promise()
    DispatchQueue.global().async { promise.fulfill(3) }
    let number = try await promise.future.value(as: Int.self)
    let same = try await promise.future.value as? Int
    let cancelling = try await promise.future.cancellingValue as? Int
    let typed = try await promise.future.cancellingValue(as: Int.self)
    XCTAssertEqual([number, same, cancelling, typed], [3, 3, 3, 3])
  }

  // Spec: H8.1, H8.4
  func testCancellingReadersCancelThePromise() throws {
    let readings: [@Sendable (Future) async throws -> Any] = [
      { try await $0.cancellingValue }, { try await $0.cancellingValue(as: Int.self) },
    ]
    for reading in readings {
      let executor = ManualTaskExecutor()
      let (promise, outcome) = (Promise(), TaskOutcome())
      let task = Task(executorPreference: executor) { [future = promise.future] in
        do { outcome.finish(.success(try await reading(future))) } catch { outcome.finish(.failure(error)) }
      }
      executor.step()
      task.cancel()
      XCTAssertTrue(promise.isCancelled)
      executor.step()
      XCTAssertTrue(try outcome.reason() is CancellationError)
    }
  }

  // Spec: H8.3, T3.2
  func testOutcomesOfFuturesAsASequence() async throws {
    let promises = (0..<3).map { _ in Promise() }
    let inputs: [Any?] = promises.map(\.future) + [Optional(promises[0].future)]
    let results = Promise.results(of: inputs)
    for number in [2, 0, 1] { promises[number].fulfill(number) }
    var seen: [Int] = []
    for await result in results { seen.append(try XCTUnwrap(result.get() as? Int)) }
    XCTAssertEqual(seen, [2, 0, 0, 1])
  }

  // Spec: H8.2
  func testRelativesOfFuturesAreFutures() {
    let root = Promise()
    let child = root.future.then { $0 }
    XCTAssertEqual(child.parent, root.future)
    XCTAssertEqual(child.root, root.future)
    XCTAssertNil(root.future.parent)
    XCTAssertNotEqual(child, root.future)
    XCTAssertEqual(Set([root.future, root.future, child]).count, 2)
    let (parent, top): (Future?, Future) = (child.future.parent, child.future.root)
    XCTAssertTrue(parent === root && top === root)
  }

  // Spec: H8.3
  func testItIsAdopted() throws {
    let future = Promise.resolved(5).future
    XCTAssertEqual(try Promise.resolved(future).value(), 5)
    XCTAssertEqual(try Promise.resolved(Optional(future) as Any).value(), 5)
    XCTAssertEqual(try Promise.resolved(0).then { _ in future }.value(), 5)
    let bound = Promise()
    bound.bind(future)
    XCTAssertEqual(try bound.value(), 5)
    XCTAssertEqual(
      try Promise.all([future, 6, Promise.resolved(7)]).value(as: [Any].self) as? [Int], [5, 6, 7])
  }

  // Spec: H8.3
  func testFulfillTakesItAsItIs() throws {
    let future = Promise().future
    let promise = Promise()
    promise.fulfill(future)
    XCTAssertEqual(try promise.value(), future)
  }

  // Spec: H8.4
  func testCancelReachesTheTask() {
    let (promise, resolver) = Promise.pending()
    let reasons = Log<String>()
    resolver.onCancel { reasons.append("\($0)") }
    let future = promise.future
    let own = future.then { $0 }
    own.cancel()
    XCTAssertTrue(future.isPending)
    XCTAssertEqual(reasons.all, [])
    future.cancel("closed")
    XCTAssertTrue(promise.isCancelled)
    XCTAssertEqual(reasons.all, ["cancelled: closed"])
  }

  // Spec: H8.5
  func testItKeepsThePromise() {
    let gone = Event()
    var future: Future? = Promise(onCancel: nil, onAbandon: { gone.signal() }).future
    XCTAssertEqual(future?.isPending, true)
    future = nil
    gone.wait("abandonment")
  }
}
