// Tests of all operators on contexts that drop jobs, run jobs twice or retain jobs (H10.5).

import DynamicPromise
import XCTest

final class UnreliableContextTests: XCTestCase {
  private typealias Work = @Sendable () -> String

  /// Ways to run `work` once on a context. The returned promise must have the value of `work`.
  private static let entries:
    [(name: String, run: @Sendable (_ context: any ExecutionContext, _ work: @escaping Work) -> Promise)] = [
      ("then", { context, work in settled(context).then { _ in work() } }),
      ("then of two", { context, work in settled(context).then({ _ in work() }, { _ in 0 }) }),
      ("thenOn", { context, work in Promise.resolved(0).thenOn(context) { _ in work() } }),
      ("catch", { context, work in Promise.rejected(Failure(), on: context).catch { _ in work() } }),
      ("finally", { context, work in settled(context).finally { _ = work() } }),
      ("async", { context, work in settled(context).then { _ async in work() } }),
      ("task", { context, work in Promise.task(on: context) { work() } }),
      ("sequence", { context, work in sequence(context, 0, work) }),
      ("sequence of a thenable", { context, work in sequence(context, Countdown(0), work) }),
      ("repeat", { context, work in repeated(context, work) }),
      ("a child below", { context, work in settled(context).then { _ in work() }.then { $0 } }),
    ]

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
      let (context, freed) = (SteppedContext(), Counter())
      let promise: Promise
      do {
        let canary = Canary { freed.increment() }
        promise = entry.run(context) {
          withExtendedLifetime(canary) { XCTFail("ran: \(entry.name)") }
          return ""
        }
      }
      XCTAssertTrue(promise.isPending, entry.name)
      XCTAssertEqual(context.pendingJobs, 1, entry.name)
      context.dropAll()
      guard case PromiseError.broken = try promise.reason() else {
        return XCTFail("\(entry.name): \(promise)")
      }
      XCTAssertFalse(promise.isCancelled, entry.name)
      XCTAssertEqual(freed.value, 1, entry.name)
    }
  }

  // Spec: H10.5, X3.7
  func testASecondRunIsIgnored() throws {
    for entry in Self.entries {
      let (steps, runs) = (SteppedContext(), Counter())
      let promise = entry.run(DoublingContext(steps)) {
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
  func testAJobThatIsKeptAfterItsRunKeepsNothing() throws {
    for entry in Self.entries {
      let context = HoardingContext()
      let freed = Counter()
      let promise: Promise
      do {
        let canary = Canary { freed.increment() }
        promise = entry.run(context) { withExtendedLifetime(canary) { "done" } }
      }
      XCTAssertEqual(try promise.value(as: String.self), "done", entry.name)
      if entry.name != "async" { XCTAssertEqual(freed.value, 1, entry.name) }
      XCTAssertGreaterThan(context.jobs.count, 0)
    }
  }

  // Spec: H10.5, X3.6
  func testACombinatorsResultNeedsNoContextUntilItHasHandlers() throws {
    let context = SteppedContext()
    let results = [
      Promise.all([1], on: context), Promise.allSettled([1], on: context), Promise.any([1], on: context),
      Promise.race([1], on: context),
    ]
    for result in results {
      XCTAssertTrue(result.isFulfilled)
      let child = result.then { _ in XCTFail("ran") }
      context.dropAll()
      guard case PromiseError.broken = try child.reason() else { return XCTFail("\(child)") }
    }
  }

  // Spec: H10.5
  func testAContextThatDropsAJobInsideOfExecute() throws {
    for entry in Self.entries {
      let promise = entry.run(DroppingContext()) { "ran" }
      guard case PromiseError.broken = try promise.reason() else {
        return XCTFail("\(entry.name): \(promise)")
      }
    }
  }
}

/// Passes each job to another context twice.
struct DoublingContext: ExecutionContext {
  let steps: SteppedContext

  init(_ steps: SteppedContext) { self.steps = steps }

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
private struct DroppingContext: ExecutionContext {
  func execute(_ job: @escaping @Sendable () -> Void) {}
}
