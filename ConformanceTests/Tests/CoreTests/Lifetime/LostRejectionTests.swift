// Which rejections are reported as lost, and how (L5.4 to L5.9).

import DynamicPromise
import DynamicPromiseTesting
import XCTest

final class LostRejectionTests: LossTestCase {
  // Spec: L5.4
  func testALostRejectionIsReportedOnce() throws {
    expect(1, "rejected") { failure, _ in _ = Promise.rejected(failure) }
    expect(1, "resolved with an Error") { failure, _ in _ = Promise.resolved(failure) }
    expect(1, "thrown") { failure, context in context.settled(1).then { _ in throw failure } }
    expect(1, "a result that is rejected") { failure, _ in
      _ = Promise.all([Promise.rejected(failure), Promise.resolved(1)])
    }
    expect(1, "of a thenable") { failure, _ in
      _ = Promise.resolved(StructThenable { _, reject in reject(failure) })
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
  func testOnlyTheFollowerIsReported() {
    expect(1, "bound") { failure, _ in
      let (other, adopter) = (Promise(), Promise())
      adopter.bind(other)
      other.reject(failure)
    }
    expect(1, "bound late") { failure, _ in Promise().bind(Promise.rejected(failure)) }
    expect(1, "returned by a handler") { failure, context in
      context.settled(1).then { _ in Promise.rejected(failure) }
    }
  }

  // Spec: L5.5
  func testAnObservedRejectionIsNotReported() throws {
    expect(0, "handled") { failure, context in Promise.rejected(failure).catchOn(context) { _ in 1 } }
    expect(0, "handled at the end") { failure, context in
      Promise(on: context) { $0.reject(failure) }.then { $0 }.then { $0 }.catch { _ in 1 }
    }
    try expect(0, "read") { failure, _ in
      guard case .failure? = Promise.rejected(failure).result else { throw failure }
    }
    expect(0, "got") { failure, _ in _ = try? Promise.rejected(failure).get() }
    expect(0, "waited for") { failure, _ in Promise.rejected(failure).wait() }
    expect(0, "ignored on purpose") { failure, _ in Promise.rejected(failure).ignoreErrors() }
    expect(0, "ignored beforehand") { failure, _ in Promise().ignoreErrors().reject(failure) }
    expect(0, "among results") { failure, _ in
      withExtendedLifetime(Promise.results(of: [Promise.rejected(failure)])) {}
    }
    expect(0, "after another settlement") { failure, _ in Promise.resolved(1).reject(failure) }
  }

  // Spec: L5.5
  func testIgnoreErrorsDoesNotApplyToChildren() {
    expect(1, "the child's own") { failure, context in
      Promise.rejected(failure).ignoreErrors().thenOn(context) { $0 }
    }
  }

  // Spec: L5.5
  func testTheInputsOfCombinatorsAreNotReported() {
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
    }
  }

  // Spec: L5.5
  func testFailedCleanUpOfACancelledPromiseIsNotReported() {
    expect(0, "clean-up") { failure, _ in
      let child = Promise().finally { () async throws in throw failure }
      child.cancel()
      XCTAssertTrue(child.finished().wait())
    }
  }

  // Spec: K9.6, L5.5
  func testTheRejectionOfARunningTaskIsNotReportedAfterTheEndOfItsSeries() {
    expect(0, "the promise of a running task") { failure, _ in
      let running = Promise()
      let result = Promise.map([true, false], on: .immediate) { (runs: Bool) throws -> Promise in
        if runs { return running }
        throw failure
      }
      result.ignoreErrors()
      running.reject(failure)
    }
  }

  // Spec: L5.4, L5.5
  func testASeriesWhoseJobsWereDroppedIsReportedOnce() {
    let context = TestContext()
    Promise.map([0, StructThenable { resolve, _ in resolve(0) }] as [Any], on: context) { (_: Any) in 1 }
    context.dropAll()
    XCTAssertEqual(losses.all.count, 1)
  }

  // Spec: L5.5
  func testACancellationIsNotReported() {
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
    for reason: any Error in [CancellationError(), PromiseError.cancelled(reason: "why")] {
      let before = losses.count
      do { _ = Promise.rejected(reason) }
      XCTAssertEqual(losses.all.dropFirst(before).filter { $0.reason.isCancellation }.count, 0, "\(reason)")
    }
  }

  // Spec: L5.6
  func testTheReportNamesReasonAndPlace() throws {
    let failure = Failure("reported")
    let line: UInt = #line + 1
    do { _ = Promise { $0.reject(failure) } }
    let loss = try XCTUnwrap(losses(of: failure).first)
    XCTAssertEqual(loss.origin, Promise.Origin(line: line))
    XCTAssertEqual(
      "\(loss)",
      "unhandled rejection: \(failure) (promise made at CoreTests/LostRejectionTests.swift:\(line))")
    let other = Failure("of a child")
    do { Promise.rejected(failure).catchOn(.immediate) { _ in throw other } }
    let second = try XCTUnwrap(losses(of: other).first)
    XCTAssertNil(second.origin)
    XCTAssertEqual("\(second)", "unhandled rejection: \(other)")
  }

  // Spec: L5.9
  func testAReportWithoutAPlaceNamesTheNearestKnownAncestor() throws {
    let failure = Failure()
    let (root, resolver) = Promise.pending()
    let line = #line - 1
    let context = SteppedContext()
    do { root.thenOn(context) { _ in 1 }.thenOn(context) { _ in throw failure } }
    resolver.fulfill(0)
    context.drain()
    let loss = try XCTUnwrap(losses(of: failure).first)
    XCTAssertNil(loss.origin)
    let nearest = try XCTUnwrap(loss.nearest)
    XCTAssertEqual(nearest.origin?.line, line)
    let steps = nearest.steps == 1 ? "1 step" : "\(nearest.steps) steps"
    let place = "the promise made at CoreTests/LostRejectionTests.swift:\(line)"
    XCTAssertEqual("\(loss)", "unhandled rejection: \(failure) (\(steps) below \(place))")
    withExtendedLifetime(root) {}
  }

  #if DEBUG
    // Spec: L5.9
    func testInDebugBuildsTheAncestorsMayBeFreed() throws {
      let failure = Failure()
      let line: Int
      do {
        let (known, last) = Self.chain(failure)
        line = known
        XCTAssertNil(last.parent, "all ancestors are deallocated")
      }
      let loss = try XCTUnwrap(losses(of: failure).first)
      XCTAssertEqual(loss.nearest?.origin?.line, line)
      XCTAssertEqual(loss.nearest?.steps, 3)
    }

    private static func chain(_ failure: Failure) -> (line: Int, last: Promise) {
      let (promise, resolver) = Promise.pending()
      let line = #line - 1
      let last = promise.thenOn(.immediate) { _ in throw failure }.thenOn(.immediate) { $0 }
        .thenOn(.immediate) { $0 }
      resolver.fulfill(0)
      return (line, last)
    }
  #endif

  // Spec: L5.6
  func testTheHookRunsOnTheReleasingStackWithoutALock() {
    let (failure, losses) = (Failure(), losses)
    inTime {
      let root = Promise.resolved(1, on: .immediate)
      let caller = ObjectIdentifier(Thread.current)
      Promise.onUnhandledRejection = { loss in
        guard loss.reason as? Failure === failure else { return }
        XCTAssertEqual(ObjectIdentifier(Thread.current), caller)
        // The hook can use the lost promise's tree and the hook property.
        root.then { _ in root }.cancel()
        root.cancel()
        Promise.onUnhandledRejection = { losses.append($0) }
        losses.append(loss)
      }
      do { root.then { _ in throw failure } }
    }
    XCTAssertEqual(self.losses(of: failure).count, 1)
  }

  // Spec: L5.6
  func testTheHookMayBeReplacedOrRemoved() {
    let (failure, released, others) = (Failure(), Counter(), Counter())
    do {
      let canary = Canary {
        released.increment()
        _ = Promise.onUnhandledRejection  // No lock is held when the canary is released.
      }
      Promise.onUnhandledRejection = { loss in
        use(canary)
        if loss.reason as? Failure === failure { others.increment() }
      }
    }
    do { _ = Promise.rejected(failure) }
    Promise.onUnhandledRejection = nil
    do { _ = Promise.rejected(failure) }
    XCTAssertEqual([others.value, released.value, losses(of: failure).count], [1, 1, 0])
  }

  // Spec: L5.8
  func testTheDefaultHookWritesALineInDebugBuilds() throws {
    #if DEBUG
      let failure = Failure("for the standard hook")
      let pipe = Pipe()
      let saved = dup(2)
      dup2(pipe.fileHandleForWriting.fileDescriptor, 2)
      Promise.onUnhandledRejection = standardLossHook
      do { _ = Promise.rejected(failure) }
      dup2(saved, 2)
      close(saved)
      try pipe.fileHandleForWriting.close()
      let text = String(decoding: pipe.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
      XCTAssertTrue(text.contains("unhandled rejection: \(failure)\n"), text)
    #else
      XCTAssertNil(standardLossHook)
    #endif
  }

  // Spec: L5.4, L5.5
  func testAWaitThatHasTimedOutDoesNotHideARejection() {
    expect(1, "waited for until the timeout") { failure, _ in
      let promise = Promise()
      _ = try? promise.get(timeout: 0)
      promise.reject(failure)
    }
    expect(1, "waited for, would deadlock") { failure, _ in
      let (queue, promise) = (DispatchQueue(label: "home"), Promise())
      let child = promise.thenOn(queue) { $0 }
      queue.sync { _ = try? child.get(timeout: patience) }
      promise.reject(failure)
    }
    expect(1, "a timed-out wait") { failure, context in
      let (promise, resolver) = Promise.pending(on: context)
      _ = try? promise.get(timeout: 0.001)
      resolver.reject(failure)
    }
    expect(0, "the value of a cancelled delay") { failure, context in
      Promise.delay(10, Promise.rejected(failure), on: context).cancel()
    }
  }
}
