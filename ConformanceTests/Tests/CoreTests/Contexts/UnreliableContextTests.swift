// Contexts that drop jobs or run them twice (X3.6, X3.7, H10.5).

import Dispatch
import DynamicPromise
import XCTest

/// Passes each job to another context twice.
struct DoublingContext: ExecutionContext {
  let steps: SteppedContext

  func execute(_ job: @escaping @Sendable () -> Void) {
    steps.execute(job)
    steps.execute(job)
  }
}

/// Runs jobs at once and never releases them.
private final class HoardingContext: ExecutionContext {
  let jobs = Log<@Sendable () -> Void>()

  func execute(_ job: @escaping @Sendable () -> Void) {
    jobs.append(job)
    job()
  }
}

/// Releases each job without running it.
private struct DroppingContext: ExecutionContext { func execute(_ job: @escaping @Sendable () -> Void) {} }

final class UnreliableContextTests: XCTestCase {
  /// Ways to run `work` once on a context. The returned promise must have the value of `work`.
  private static let entries:
    [(name: String, run: @Sendable (_ context: any ExecutionContext, _ work: @escaping Work) -> Promise)] = [
      ("then", { context, work in settled(context).then { _ in work() } }),
      ("thenOn", { context, work in Promise.resolved(0).thenOn(context) { _ in work() } }),
      ("catch", { context, work in Promise.rejected(Failure(), on: context).catch { _ in work() } }),
      ("finally", { context, work in settled(context).finally { _ = work() } }),
      ("async", { context, work in settled(context).then { _ async in work() } }),
      ("task", { context, work in Promise.task(on: context) { work() } }),
      ("sequence", { context, work in sequence(context, 0, work) }),
      ("repeat", { context, work in repeated(context, work) }),
    ]

  private typealias Work = @Sendable () -> String

  private static func settled(_ context: any ExecutionContext) -> Promise {
    .resolved("done", on: context)
  }

  private static func sequence(
    _ context: any ExecutionContext, _ input: Any, _ work: @escaping Work
  ) -> Promise {
    Promise.sequence([input], on: context) { _ in work() }.thenOn(.immediate) { ($0 as! [Any])[0] }
  }

  private static func repeated(_ context: any ExecutionContext, _ work: @escaping Work) -> Promise {
    let rounds = Counter()
    return Promise.repeat(on: context) { () -> Any? in
      rounds.increment()
      return rounds.value == 1 ? work() : nil
    }
  }

  // Spec: H10.5, X3.6
  func testADroppedJobBreaksItsPromise() throws {
    for entry in Self.entries {
      let (context, alive) = (SteppedContext(), LiveCount())
      let promise = entry.run(context) { [canary = alive.make()] in
        use(canary, XCTFail("ran: \(entry.name)"))
        return ""
      }
      XCTAssertTrue(promise.isPending, entry.name)
      XCTAssertEqual(context.pendingJobs, 1, entry.name)
      context.dropAll()
      guard case PromiseError.broken = try promise.reason() else {
        return XCTFail("\(entry.name): \(promise)")
      }
      XCTAssertFalse(promise.isCancelled, entry.name)
      XCTAssertEqual(alive.count, 0, entry.name)
    }
  }

  // Spec: H10.5, X3.7
  func testASecondRunOfAJobIsIgnored() throws {
    for entry in Self.entries {
      let (steps, runs) = (SteppedContext(), Counter())
      let promise = entry.run(DoublingContext(steps: steps)) {
        runs.increment()
        return "done"
      }
      XCTAssertEqual(steps.pendingJobs, 2, entry.name)
      steps.drain()
      XCTAssertEqual(try promise.value(as: String.self), "done", entry.name)
      steps.drain()
      XCTAssertEqual(runs.value, 1, entry.name)
    }
  }

  // Spec: H10.5
  func testAJobThatIsRetainedAfterItsRunRetainsNothing() throws {
    for entry in Self.entries {
      let (context, alive) = (HoardingContext(), LiveCount())
      let promise = entry.run(context) { [canary = alive.make()] in use(canary, "done") }
      XCTAssertEqual(try promise.value(as: String.self), "done", entry.name)
      if entry.name != "async" { XCTAssertEqual(alive.count, 0, entry.name) }
      XCTAssertGreaterThan(context.jobs.count, 0)
    }
  }

  // Spec: H10.5
  func testAContextMayDropAJobInExecute() throws {
    for entry in Self.entries {
      let promise = entry.run(DroppingContext()) { "ran" }
      guard case PromiseError.broken = try promise.reason() else {
        return XCTFail("\(entry.name): \(promise)")
      }
    }
  }

  /// A cancel also cancels a child whose clean-up the context drops, and the child's descendants.
  // Spec: X3.6, C2.7
  func testAChildIsCancelledEvenIfItsCleanUpIsDropped() throws {
    let context = SteppedContext()
    let root = Promise(on: .immediate)
    let cleanUp = root.catchOn(context) { _ in }
    let ran = Counter()
    cleanUp.catch { _ in }.then { _ in ran.increment() }
    root.cancel()
    XCTAssertTrue(cleanUp.isPending)
    context.dropAll()
    guard case PromiseError.broken = try cleanUp.reason() else { return XCTFail() }
    XCTAssertEqual(ran.value, 0, "no fulfillment handler runs below a cancel")
  }
}
