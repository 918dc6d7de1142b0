// Handlers in place do not nest; hooks run before the call returns (X6).

import Dispatch
import DynamicPromise
import DynamicPromiseTesting
import XCTest

/// Calls `body` in the last of `depth` handlers in place, each of which triggers the next.
private func nest(_ depth: Int, _ body: @escaping @Sendable () -> Void) {
  guard depth > 0 else { return body() }
  let promise = Promise(on: .immediate)
  promise.then { _ in nest(depth - 1, body) }
  promise.fulfill(0)
}

/// Triggers handlers in place in every way, and logs when they run.
private func setGoing(_ log: Log<String>) {
  log.append("begins")
  let promise = Promise(on: .immediate)
  promise.then { _ in log.append("settled") }
  promise.fulfill(0)
  promise.then { _ in log.append("registered") }
  promise.then { _ in Promise.resolved(0, on: .immediate).then { _ in log.append("below") } }
  let cancelled = Promise(on: .immediate)
  cancelled.catch { _ in log.append("cancelled") }
  cancelled.cancel()
  log.append("ends")
}

/// Runs each job at once, and logs when the job begins and ends.
private struct BracketingContext: ExecutionContext {
  let log: Log<String>

  func execute(_ job: @escaping @Sendable () -> Void) {
    log.append("[")
    job()
    log.append("]")
  }
}

private struct CanaryError: Error { let canary: Canary }

final class NestingTests: XCTestCase {
  /// Triggers handlers in place in the closure that `enter` calls. The handlers must start afterwards.
  private func assertLater(_ name: String, _ enter: (@escaping @Sendable () -> Void) -> Void) {
    let log = Log<String>()
    enter { setGoing(log) }
    XCTAssertEqual(log.all, ["begins", "ends", "settled", "cancelled", "registered", "below"], name)
  }

  // Spec: X6.1
  func testAHandlerBeginsWhenTheHandlerThatCausedItHasReturned() {
    for depth in [1, 2, 15, 16, 17, 40] { assertLater("\(depth) handlers") { nest(depth, $0) } }
    assertLater("a job of a context") { body in
      let context = SteppedContext()
      Promise.resolved(0).thenOn(context) { _ in body() }
      context.drain()
    }
    assertLater("a hook") { body in Promise(onCancel: { _ in body() }).cancel() }
  }

  // Spec: X6.2
  func testOutsideOfHandlersTheyRunBeforeTheCallReturns() {
    let log = Log<String>()
    setGoing(log)
    XCTAssertEqual(log.all, ["begins", "settled", "registered", "below", "cancelled", "ends"])
  }

  // Spec: X6.3
  func testHooksRunBeforeCancelReturns() {
    for depth in [0, 1, 2] {
      let log = Log<String>()
      nest(depth) {
        Promise(onCancel: { _ in log.append("hook") }).cancel()
        log.append("returned")
      }
      XCTAssertEqual(log.all, ["hook", "returned"], "\(depth)")
    }
  }

  /// Hooks that trigger each other run one after the other, so a chain of hooks needs no deep stack.
  // Spec: X6.3
  func testAHookBeginsWhenTheHookThatCausedItHasReturned() {
    let log = Log<String>()
    let inner = Promise(onCancel: { _ in log.append("inner") })
    let outer = Promise(onCancel: { _ in
      log.append("outer begins")
      inner.cancel()
      log.append(inner.isCancelled ? "outer ends" : "inner is pending")
    })
    outer.cancel()
    log.append("returned")
    XCTAssertEqual(log.all, ["outer begins", "outer ends", "inner", "returned"])
  }

  // Spec: X6.5
  func testJobsOfAContextThatRunsThemAtOnceDoNotNest() {
    let log = Log<String>()
    let context = BracketingContext(log: log)
    nest(1) {
      Promise.resolved(0).thenOn(context) { _ in
        log.append("outer begins")
        Promise.resolved(0).thenOn(context) { _ in log.append("inner") }
        log.append("outer ends")
      }
      log.append("returned")
    }
    XCTAssertEqual(
      log.all.filter { $0 != "[" && $0 != "]" }, ["returned", "outer begins", "outer ends", "inner"])
  }

  // Spec: X6.4
  func testAWaitInAHookFirstRunsWhatTheThreadHasStillToRun() {
    let log = Log<String>()
    nest(2) {
      let (promise, resolver) = Promise.pending(on: .immediate)
      let child = promise.catch { _ in log.append("handler") }
      resolver.onCancel { _ in
        log.append(child.wait() ? "waited" : "not settled")
      }
      promise.cancel()
      log.append("returned")
    }
    XCTAssertEqual(log.all, ["handler", "waited", "returned"])
  }

  /// If a handler in place is triggered after the wait, it starts when the current handler has returned.
  // Spec: X6.4
  func testAWaitFirstRunsWhatTheThreadHasStillToRun() {
    let log = Log<String>()
    nest(2) {
      let promise = Promise(on: .immediate)
      let child = promise.then { _ in log.append("handler") }
      promise.fulfill(0)
      child.wait()
      log.append("waited")
      Promise.resolved(0, on: .immediate).then { _ in log.append("next") }
      log.append("ends")
    }
    XCTAssertEqual(log.all, ["handler", "waited", "ends", "next"])
  }

  // Spec: X6.4
  func testARunLoopInAHandlerRunsHandlersInPlace() {
    let (loop, log) = (SteppedContext(), Log<String>())
    let outer = Promise(on: .immediate)
    outer.then { _ in
      let (first, second) = (Promise.resolved(0, on: .immediate), Promise(on: .immediate))
      first.then { _ in log.append("first") }
      second.then { _ in log.append("second") }
      Promise.resolved(0, on: loop).then { _ in
        second.fulfill(0)
        log.append("job")
      }
      loop.drain()
      log.append("returned")
    }
    outer.fulfill(0)
    XCTAssertEqual(log.all, ["job", "first", "second", "returned"])
  }

  // Spec: X2.1
  func testAJobThatAHookStepsComesBeforeHandlersThatWait() {
    let (log, context) = (Log<Int>(), SteppedContext())
    let (promise, resolver) = Promise.pending(on: context)
    promise.then { _ in log.append(1) }
    promise.thenOn(.immediate) { _ in
      promise.then { _ in log.append(2) }
      context.step()
    }
    resolver.onTermination { _ in context.step() }
    resolver.fulfill(0)
    context.drain()
    XCTAssertEqual(log.all, [1, 2])
  }

  // Spec: X6.3
  func testAHookWaitsForTheDeinitOfWhatAnotherHookRetained() {
    let log = Log<String>()
    let (load, resolver) = Promise.pending()
    resolver.onCancel { _ in log.append("hook") }
    let promise: Promise
    do {
      let canary = Canary {
        load.cancel()
        log.append("deinit ends")
      }
      promise = Promise(onCancel: { _ in withExtendedLifetime(canary) {} })
    }
    promise.fulfill(0)
    XCTAssertEqual(log.all, ["deinit ends", "hook"])
  }

  // Spec: X6.3
  func testAHookWaitsForTheDeinitOfAValue() {
    for rejects in [false, true] {
      let log = Log<String>()
      let (load, resolver) = Promise.pending()
      resolver.onCancel { _ in log.append("hook") }
      let canary = { @Sendable in
        Canary {
          load.cancel()
          log.append("deinit ends")
        }
      }
      let promise = Promise()
      promise.thenOn(.immediate) { _ -> Any in
        if rejects { throw CanaryError(canary: canary()) }
        return [canary()]
      }
      .ignoreErrors()
      promise.fulfill(0)
      XCTAssertEqual(log.all, ["deinit ends", "hook"], "rejects: \(rejects)")
    }
  }

  // Spec: A4.4, K7.14
  func testAPromiseThatIsSettledInAHandler() throws {
    for (inPlace, others) in [(1, 0), (1, 1), (64, 0), (65, 3)] {
      let (clock, log, ran) = (TestContext(), Log<Int>(), Event())
      let root = Promise(on: clock)
      let outer = Promise.resolved(0).thenOn(.immediate) { _ in
        for number in 0..<inPlace { root.thenOn(.immediate) { log.append(number) } }
        for _ in 0..<others { root.then {} }
        let delayed = root.delay(1)
        root.fulfill(1)
        DispatchQueue.global().async {
          root.thenOn(.immediate) { log.append(inPlace) }
          root.thenOn(.shared) { ran.signal() }
        }
        ran.wait("handler of another context")
        XCTAssertTrue(clock.advanceToNextTimer() && delayed.isPending)
      }
      XCTAssertTrue(outer.isFulfilled)
      XCTAssertEqual(log.all, Array(0...inPlace))
    }
  }
}
