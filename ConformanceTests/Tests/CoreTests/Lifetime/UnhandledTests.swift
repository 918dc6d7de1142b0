// Unobserved rejections (L5.4 and later).

import DynamicPromise
import DynamicPromiseTesting
import XCTest

final class UnhandledTests: LossTestCase {
  // Spec: L5.4
  func testLostRejectionIsReportedOnce() throws {
    expect(1, "rejected") { failure, _ in _ = Promise.rejected(failure) }
    expect(1, "resolved with an Error") { failure, _ in _ = Promise.resolved(failure) }
    expect(1, "by the resolver") { failure, _ in _ = Promise { $0.reject(failure) } }
    expect(1, "by a throw") { failure, _ in _ = Promise { _ in throw failure } }
    expect(1, "a second time") { failure, _ in
      let promise = Promise.rejected(failure)
      promise.reject(failure)
      promise.reject(Failure("ignored"))
    }
    expect(1, "thrown") { failure, context in context.settled(1).then { _ in throw failure } }
    expect(1, "after another was handled") { failure, context in
      Promise.rejected(Failure("first")).catchOn(context) { _ in throw failure }
    }
    expect(1, "a result that is rejected") { failure, _ in
      _ = Promise.all([Promise.rejected(failure), Promise.resolved(1)])
    }
    expect(1, "of a thenable") { failure, _ in
      _ = Promise.resolved(StructThenable { _, reject in reject(failure) })
    }
  }

  /// A promise that a handler returns counts as observed, unless it is the handler's own promise.
  // Spec: L5.4
  func testAHandlerThatReturnsItsOwnRejectedPromise() {
    expect(1, "own promise") { failure, context in
      let own = Log<Promise>()
      own.append(
        context.settled(1).then { [unowned own] _ -> Any? in
          own.all[0].reject(failure)
          return own.all[0]
        })
      context.drain()
    }
  }

  // Spec: L5.4
  func testAChainLosesItsRejectionAtItsEnd() {
    for length in [1, 2, 5] {
      expect(1, "chain of \(length)") { failure, context in
        let root = Promise(on: context)
        var end = root
        for _ in 0..<length { end = end.then { $0 } }
        root.reject(failure)
      }
    }
    expect(1, "past a finally") { failure, context in
      Promise.rejected(failure).finallyOn(context) {}.thenOn(context) { $0 }
    }
    expect(2, "two ends") { failure, context in
      let root = Promise(on: context)
      root.then { _ in 1 }
      root.then { _ in 2 }
      root.reject(failure)
    }
    expect(1, "one end of two") { failure, context in
      let root = Promise(on: context)
      root.then { _ in 1 }
      root.catch { _ in 2 }
      root.reject(failure)
    }
  }

  // Spec: L5.4
  func testAnAdopterLosesTheRejection() {
    expect(1, "bound") { failure, _ in
      let (other, adopter) = (Promise(), Promise())
      adopter.bind(other)
      other.reject(failure)
    }
    expect(1, "bound late") { failure, _ in Promise().bind(Promise.rejected(failure)) }
    expect(1, "returned by a handler") { failure, context in
      context.settled(1).then { _ in Promise.rejected(failure) }
    }
    for order in [[0, 1, 2, 3], [3, 2, 1, 0]] {
      expect(1, "through a chain of adoptions, \(order)") { failure, _ in
        let promises = (0..<5).map { _ in Promise() }
        for index in order { promises[index].bind(promises[index + 1]) }
        promises[4].reject(failure)
        withExtendedLifetime(promises) {}
      }
    }
  }

  // Spec: L5.5
  func testSeenRejectionIsNotReported() throws {
    expect(0, "handled") { failure, context in Promise.rejected(failure).catchOn(context) { _ in 1 } }
    expect(0, "handled at the end") { failure, context in
      Promise(on: context) { $0.reject(failure) }.then { $0 }.then { $0 }.catch { _ in 1 }
    }
    try expect(0, "read") { failure, _ in
      guard case .failure? = Promise.rejected(failure).result else { throw failure }
    }
    expect(0, "got") { failure, _ in _ = try? Promise.rejected(failure).get() }
    expect(0, "waited for") { failure, _ in Promise.rejected(failure).wait() }
    expect(0, "waited for until the timeout") { failure, _ in
      let promise = Promise()
      _ = try? promise.get(timeout: 0)
      promise.reject(failure)
    }
    expect(0, "waited for, would deadlock") { failure, _ in
      let (queue, promise) = (DispatchQueue(label: "home"), Promise())
      let child = promise.thenOn(queue) { $0 }
      queue.sync { _ = try? child.get(timeout: patience) }
      promise.reject(failure)
    }
    expect(0, "followed by a cancelled promise") { failure, _ in
      let (cancelled, root) = (Promise(), Promise())
      cancelled.cancel()
      cancelled.bind(root.shielded())
      root.reject(failure)
    }
    expect(0, "ignored on purpose") { failure, _ in Promise.rejected(failure).ignoreErrors() }
    expect(0, "ignored beforehand") { failure, _ in Promise().ignoreErrors().reject(failure) }
    expect(0, "ignored through its future") { failure, _ in Promise.rejected(failure).ignoreErrors() }
    expect(0, "a promise that is cancelled before it follows another") { failure, _ in
      let source = Promise()
      let (promise, resolver) = Promise.pending()
      promise.cancel()
      _ = consume promise
      // The shield keeps `source` from being cancelled.
      resolver.resolve(source.shielded())
      source.reject(failure)
    }
    expect(0, "among results") { failure, _ in
      withExtendedLifetime(Promise.results(of: [Promise.rejected(failure)])) {}
    }
    expect(0, "after another settlement") { failure, _ in Promise.resolved(1).reject(failure) }
  }

  // Spec: L5.5
  func testIgnoringIsNotInherited() {
    expect(1, "the child's own") { failure, context in
      Promise.rejected(failure).ignoreErrors().thenOn(context) { $0 }
    }
  }

  // Spec: L5.5
  func testInputsOfCombinatorsAreSeen() {
    let combinators: [(String, ([Promise]) -> Promise)] = [
      ("all", { Promise.all($0) }), ("allSettled", { Promise.allSettled($0) }),
      ("any", { Promise.any($0) }), ("race", { Promise.race($0) }),
    ]
    for (name, combine) in combinators {
      expect(0, "\(name): rejected before") { failure, _ in
        combine([Promise.rejected(failure)]).ignoreErrors()
      }
      expect(0, "\(name): rejected afterwards") { failure, _ in
        let input = Promise()
        let result = combine([input])
        input.reject(failure)
        result.ignoreErrors()
      }
      expect(0, "\(name): after the result is settled") { failure, _ in
        let (winner, loser, late) = (Promise(), Promise(), Promise())
        let result = combine([winner, loser, late])
        _ = name == "all" ? winner.reject(Failure("decides")) : winner.fulfill(1)
        loser.reject(failure)
        late.fulfill(2)
        result.ignoreErrors()
      }
      expect(0, "\(name): settled before this input is read") { failure, _ in
        combine([
          Promise.resolved(1), Promise.rejected(Failure("other")).ignoreErrors(), Promise.rejected(failure),
        ])
        .ignoreErrors()
      }
    }
  }

  /// The series observes the outcomes of its steps.
  // Spec: L5.5
  func testStepsOfASeriesAreSeen() {
    expect(0, "a step that throws") { failure, context in
      Promise.sequence([1, 2], on: context) { _ in throw failure }.ignoreErrors()
    }
    expect(0, "attempts that throw") { failure, context in
      Promise.retry(3, on: context) { _ in throw failure }.ignoreErrors()
    }
    expect(0, "an input that is not reached") { failure, context in
      let inputs = [Promise.rejected(Failure("first")), .rejected(failure)]
      Promise.sequence(inputs, on: context) { $0 }.ignoreErrors()
    }
    expect(0, "a step that fails later") { failure, context in
      let later = Promise(on: context)
      Promise.map([1], on: context) { _ in later }.ignoreErrors()
      context.drain()
      later.reject(failure)
    }
  }

  // Spec: L5.5
  func testTimedOutLoserIsNotReported() {
    expect(0, "late") { failure, _ in
      let clock = TestContext()
      let slow = Promise(on: clock)
      slow.setTimeout(1).catch { _ in "gave up" }
      clock.advance(by: 2)
      slow.reject(failure)
      clock.drain()
    }
  }

  // Spec: L5.5
  func testCancellationIsNotReported() {
    expect(0, "cancelled with an Error") { failure, _ in Promise().cancel(failure) }
    expect(0, "a cancelled tree") { failure, context in
      let root = Promise(on: context)
      root.then { $0 }.then { $0 }
      root.then { $0 }.finally {}
      root.cancel(failure)
    }
    expect(0, "an error thrown after the cancellation") { failure, context in
      let root = Promise(on: context)
      root.catch { _ in throw failure }
      root.cancel()
    }
    expect(0, "a promise returned to a cancelled child, settled or not") { failure, context in
      let (root, pending) = (Promise(on: context), Promise())
      for other in [Promise.rejected(failure), pending] {
        let child = Log<Promise>()
        child.append(
          root.then { _ in
            child.all[0].cancel()
            return other
          })
      }
      root.fulfill(1)
      context.drain()
      XCTAssertTrue(pending.isCancelled)
    }
    for reason: any Error in [CancellationError(), PromiseError.cancelled(reason: "why")] {
      let before = losses.count
      do { _ = Promise.rejected(reason) }
      XCTAssertFalse(losses.all.dropFirst(before).contains { $0.isCancellation }, "\(reason)")
    }
  }

  // Spec: L5.5
  func testResultOfAHandlerWhoseChildWasSettledByHandIsNotReported() {
    expect(0, "handler") { failure, context in
      let root = Promise(on: context)
      let child = root.then { _ in throw failure }
      child.fulfill("by hand")
      root.fulfill(1)
    }
    expect(0, "rejection that is passed on") { failure, context in
      let root = Promise(on: context)
      root.then { $0 }.fulfill("by hand")
      root.reject(failure)
    }
    expect(0, "finally") { failure, context in
      let (root, waited) = (Promise(on: context), Promise())
      let child = Log<Promise>()
      child.append(
        root.finally {
          child.all[0].fulfill("by hand")
          return waited
        })
      root.reject(failure)
      context.drain()
      waited.fulfill(1)
    }
  }
}
