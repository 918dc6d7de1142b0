// Handlers in place do not nest (X6). If a handler or hook triggers a handler in place, the second handler
// starts after the first handler or the hook has returned.

import DynamicPromise
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

final class NestingTests: XCTestCase {
  /// Triggers handlers in place in the closure that `enter` calls. The handlers must start afterwards.
  private func assertLater(_ name: String, _ enter: (@escaping @Sendable () -> Void) -> Void) {
    let log = Log<String>()
    enter { setGoing(log) }
    XCTAssertEqual(log.all, ["begins", "ends", "settled", "registered", "cancelled", "below"], name)
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

  // Spec: X6.1
  func testOneThatAWithdrawalStartsComesAfterItsSiblings() {
    for depth in [0, 1, 2] {
      let log = Log<String>()
      nest(depth) {
        let root = Promise(on: .immediate)
        let inside = Promise(on: .immediate)
        inside.then { _ in
          root.catch { _ in log.append("first") }
          let second = root.catch { _ in log.append("second") }
          root.reject(Failure("outcome"))
          second.withdraw()
          log.append("ends")
        }
        inside.fulfill(0)
      }
      XCTAssertEqual(log.all, ["ends", "first", "second"], "\(depth)")
    }
  }

  // Spec: X6.1
  func testOneThatAWithdrawalStartsComesAfterHandlersThatWait() {
    let log = Log<String>()
    let (other, shared) = (Promise(on: .immediate), Promise(on: .immediate))
    other.then { _ in log.append("first") }
    let consumer = shared.then { $0 }
    let second = shared.catch { _ in log.append("second") }
    nest(1) {
      other.fulfill(0)
      second.withdraw()
      log.append("ends")
    }
    XCTAssertEqual(log.all, ["ends", "first", "second"])
    XCTAssertTrue(consumer.isPending)
  }

  // Spec: X6.2
  func testFromElsewhereTheyRunBeforeTheCallReturns() {
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

  // Spec: X6.1
  func testAFinallyWhoseChildIsCancelledIsAHandler() {
    for depth in [0, 1, 2] {
      let log = Log<String>()
      nest(depth) {
        Promise(on: .immediate).finally { log.append("finally") }.cancel()
        log.append("returned")
      }
      XCTAssertEqual(log.all, depth == 0 ? ["finally", "returned"] : ["returned", "finally"], "\(depth)")
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

  /// The context runs jobs at once. Inside a handler, a job runs only in the second call of `execute`.
  // Spec: X6.5
  func testAContextThatRunsJobsAtOnce() {
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
    let handlers = ["outer begins", "outer ends", "inner"]
    var depth = 0
    for entry in log.all {
      if entry == "[" { depth += 1 } else if entry == "]" { depth -= 1 }
      if handlers.contains(entry) { XCTAssertEqual(depth, 1, entry) }
    }
  }

  /// The hook of the outer call runs before the handler, not in a call that the handler makes.
  // Spec: X6.5
  func testAJobAtOnceWaitsForTheHooksOfTheCall() {
    let log = Log<String>()
    let (promise, resolver) = Promise.pending(on: .immediate)
    promise.catchOn(AtOnce()) { _ -> Any? in
      log.append("handler")
      promise.catchOn(.immediate) { _ in log.append("later") }
      log.append("registered")
      return nil
    }
    resolver.onTermination { _ in log.append("hook") }
    promise.reject(Failure())
    XCTAssertEqual(log.all, ["hook", "handler", "registered", "later"])
  }

  /// A call in a `deinit` does not run the pending hooks of the outer `cancel`.
  // Spec: X6.3
  func testADeinitMakesNoHooksOfTheCall() {
    let (log, context) = (Log<String>(), SteppedContext())
    let (other, resolver) = Promise.pending(on: context)
    let promise = other.follower(on: context)
    let children = Log<Promise>()
    let register: @Sendable () -> Void = {
      children.all[0].catch { _ in log.append("handler") }
      log.append("registered")
    }
    children.append(promise.then { [canary = Canary(register)] _ in use(canary) })
    resolver.onCancel { _ in context.drain() }
    promise.cancel()
    context.drain()
    XCTAssertEqual(log.all, ["registered", "handler"])
  }

  // Spec: X6.3
  func testHooksRunBeforeCancelReturnsInAHandlerThatADeinitCauses() {
    let log = Log<String>()
    let (task, resolver) = Promise.pending(on: .immediate)
    resolver.onCancel { _ in log.append("hook") }
    let (trigger, cause) = (Promise(on: .immediate), Promise(on: .immediate))
    trigger.onSuccess(on: AtOnce()) { _ in
      task.cancel()
      log.append("returned")
    }
    cause.then { [canary = Canary { trigger.fulfill(0) }] _ in use(canary) }
    cause.cancel()
    XCTAssertEqual(log.all, ["hook", "returned"])
  }

  // Spec: X6.3
  func testTheHooksOfADeinitRunBeforeTheCallReturns() {
    let (log, resolvers) = (Log<String>(), Log<Resolver>())
    let makeTask: @Sendable () -> Promise = {
      let (task, resolver) = Promise.pending(on: .immediate)
      resolver.onCancel { _ in log.append("hook") }
      resolvers.append(resolver)
      return task
    }
    Promise.resolved(0).thenOn(.immediate) { _ in
      let task = makeTask()
      Promise(on: .immediate).then { [canary = Canary { task.cancel() }] _ in use(canary) }.cancel()
      log.append("cancelled")
      let (settled, other) = (Promise.resolved(0), makeTask())
      settled.fulfill(Canary { other.cancel() })
      log.append("returned")
    }
    XCTAssertEqual(log.all, ["hook", "cancelled", "hook", "returned"])
  }

  /// A context that uses promises in `execute` receives its jobs in order, one at a time.
  // Spec: X4.2
  func testACallInExecuteDoesNotScheduleTheNextJob() {
    final class Context: ExecutionContext, @unchecked Sendable {
      let settled = Promise.resolved(0)
      let jobs = Log<@Sendable () -> Void>()
      func execute(_ job: @escaping @Sendable () -> Void) {
        settled.cancel()
        jobs.append(job)
      }
    }
    let (log, context) = (Log<Int>(), Context())
    let promise = Promise(on: .immediate)
    for number in 0..<10_000 { promise.onSuccess(on: context) { _ in log.append(number) } }
    promise.fulfill(0)
    context.jobs.all.forEach { $0() }
    XCTAssertEqual(log.all, Array(0..<10_000))
  }

  // Spec: X6.5
  func testAJobAtOnceWaitsForTheNextSibling() {
    let log = Log<String>()
    let promise = Promise(on: .immediate)
    promise.then { _ in log.append("first") }.thenOn(AtOnce()) { _ in log.append("below") }
    promise.then { _ in log.append("second") }
    promise.fulfill(0)
    XCTAssertEqual(log.all, ["first", "second", "below"])
  }

  // Spec: X6.5
  func testAJobAtOnceWaitsForAHandlerInPlaceThatWasScheduledBefore() {
    let log = Log<String>()
    let promise = Promise(on: .immediate)
    let (first, second) = (promise.follower(), promise.follower())
    first.then { _ in log.append("first") }
    second.thenOn(AtOnce()) { _ in log.append("second") }
    promise.fulfill(0)
    XCTAssertEqual(log.all, ["first", "second"])
  }

  // Spec: X6.5
  func testAJobAtOnceWaitsForADeinit() {
    let log = Log<String>()
    let (promise, other) = (Promise(on: .immediate), Promise(on: .immediate))
    let fulfill: @Sendable () -> Void = {
      log.append("deinit begins")
      other.fulfill(1)
      log.append("deinit ends")
    }
    promise.catch { [canary = Canary(fulfill)] _ in use(canary) }
    promise.thenOn(AtOnce()) { _ in log.append("job") }
    promise.fulfill(0)
    XCTAssertEqual(log.all, ["deinit begins", "deinit ends", "job"])
  }

  // Spec: X6.5
  func testJobsAtOnceKeepTheirOrder() {
    let (log, context) = (Log<String>(), AtOnce())
    let (promise, resolver) = Promise.pending(on: context)
    let children = Log<Promise>()
    let register: @Sendable () -> Void = { children.all[0].catch { _ in log.append("second") } }
    let child = promise.then { [canary = Canary(register)] _ in use(canary) }
    children.append(child)
    child.finally { log.append("first") }
    resolver.onCancel { _ in log.append("hook") }
    Promise.race([child], cancellingInputs: true).cancel()
    XCTAssertEqual(log.all, ["hook", "first", "second"])
  }

  /// A job may free an object whose `deinit` settles a promise. The settling call schedules the handlers
  /// before it returns.
  // Spec: A4.7
  func testWhatAJobAtOnceReleases() {
    let (log, stepped) = (Log<Int>(), SteppedContext())
    let makeCanary: @Sendable () -> Canary = {
      Canary {
        let promise = Promise(on: .immediate)
        promise.thenOn(stepped) { _ in }
        promise.fulfill(0)
        log.append(stepped.pendingJobs)
      }
    }
    Promise(on: .immediate).finallyOn(.immediate) { makeCanary() }.cancel()
    let runs = Counter()
    Promise.repeat(on: AtOnce()) { () -> Any? in
      runs.increment()
      return runs.value == 1 ? makeCanary() : runs.value == 2 ? 0 : nil
    }
    Promise.reduce([1, 2], nil, on: AtOnce()) { (_: Any, input: Int) -> Any? in
      input == 1 ? makeCanary() : nil
    }
    let observed = Promise(on: .immediate)
    observed.onSuccess(on: AtOnce()) { [canary = makeCanary()] _ in use(canary) }
    observed.fulfill(0)
    XCTAssertEqual(log.all, [1, 2, 3, 4])
  }

  // Spec: X6.4
  func testAWaitInAHookRunsThemFirst() {
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
  func testAWaitRunsThemFirst() {
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

  // Spec: X6.1
  func testAHandlerOnAContextThatRunsJobsAtOnceWaitsForTheHook() {
    let entries = Log<String>()
    let promise = Promise(onCancel: { _ in
      entries.append("hook begins")
      Promise.resolved(1, on: AtOnce()).then { _ in entries.append("handler") }
      entries.append("hook ends")
    })
    promise.cancel()
    XCTAssertEqual(entries.all, ["hook begins", "hook ends", "handler"])
  }

  // Spec: X6.3
  func testHooksRunBeforeCancelReturnsInAnObserverInPlace() {
    let entries = Log<String>()
    let promise = Promise(on: .immediate)
    let (other, resolver) = Promise.pending(on: .immediate)
    resolver.onCancel { _ in entries.append("hook") }
    promise.onSuccess(on: .immediate) { (_: Any) in
      other.cancel()
      entries.append("cancel has returned")
    }
    promise.fulfill(1)
    XCTAssertEqual(entries.all, ["hook", "cancel has returned"])
  }
}
