// Promises and jobs retain a context only while they need it (X3.8).

import Dispatch
import DynamicPromise
import XCTest

/// Appends each job to `log`, if any, and runs the job at once. Its `deinit` increments `freed`.
private class CountedContext: ExecutionContext, @unchecked Sendable {
  private let freed: Counter
  private let log: Log<@Sendable () -> Void>?
  let jobs = Counter()

  init(_ freed: Counter, _ log: Log<@Sendable () -> Void>? = nil) { (self.freed, self.log) = (freed, log) }

  func execute(_ job: @escaping @Sendable () -> Void) {
    jobs.increment()
    log?.append(job)
    job()
  }

  deinit { freed.increment() }
}

private final class SpecialContext: CountedContext, @unchecked Sendable {}

/// Wraps another context. The first field holds the address of that context, but the contexts differ.
private struct WrappingContext: ExecutionContext {
  let context: CountedContext
  let jobs = Counter()

  func execute(_ job: @escaping @Sendable () -> Void) {
    jobs.increment()
    context.execute(job)
  }
}

final class ContextHoldTests: XCTestCase {
  /// Ways to make promises that retain `context`. Afterwards the test retains only the returned promises.
  private enum Way: CaseIterable {
    case root, task, children, named, itsOwnDefault, settledByHand, cancelled, combinators, current
    case defaultOfTheProcess

    func promises(on context: CountedContext) -> [Promise] {
      switch self {
      case .root: return [Promise(on: context)]
      case .task: return [Promise.task(on: context) { 1 }]
      case .children:
        let root = Promise(on: context)
        let children = [root.then { $0 }, root.catch { $0 }, root.finally {}, root.setTimeout(1000)]
        root.fulfill(1)
        return children
      case .named:
        let root = Promise()
        let children = (0..<4).map { _ in root.thenOn(context) { $0 } }
        root.fulfill(1)
        return children + [root.thenOn(context) { $0 }.thenOn(context) { $0 }.catchOn(context) { $0 }]
      case .itsOwnDefault:
        let root = Promise(on: context)
        let child = root.thenOn(context) { $0 }.thenOn(.immediate) { $0 }.thenOn(context) { $0 }
        root.fulfill(1)
        return [child]
      case .settledByHand:
        let root = Promise()
        let child = root.thenOn(context) { $0 }
        child.fulfill(2)
        root.fulfill(1)
        return [child]
      case .cancelled:
        let root = Promise(on: context)
        let child = root.finallyOn(context) {}
        root.cancel()
        return [root, child]
      case .combinators:
        let input = Promise(on: context)
        let results = [
          Promise.all([input]), Promise.any([input, 1]), Promise.race([input]), Promise.allSettled([input]),
          Promise.sequence([input, 2]) { $0 }, Promise.repeat(on: context) { nil },
          Promise.all([1], on: context), Promise.delay(1000, on: context),
        ]
        input.fulfill(1)
        return results
      case .current:
        let inner = Log<Promise>()
        let root = Promise.resolved(1).thenOn(context) { _ in
          let here: CurrentContext = .current
          inner.append(Promise(on: here))
          inner.append(Promise.resolved(1).thenOn(here) { $0 })
        }
        return inner.all + [root]
      case .defaultOfTheProcess:
        Promise.defaultContext = context
        defer { Promise.defaultContext = .shared }
        return [Promise(), Promise.resolved(1), Promise.rejected("no").catch { $0 }]
      }
    }
  }

  // Spec: X3.8
  func testOnlyPromisesRetainTheirContext() {
    for way in Way.allCases {
      let freed = Counter()
      var promises = way.promises(on: CountedContext(freed))
      // In these two cases the context may be freed already: no promise has it as its default, and all
      // handlers have run.
      if way != .named, way != .settledByHand { XCTAssertEqual(freed.value, 0, "\(way)") }
      // Cancels all promises, because a pending promise and its children retain each other.
      for promise in promises { promise.cancel() }
      promises = []
      XCTAssertEqual(freed.value, 1, "\(way)")
    }
  }

  // Spec: X3.8, X5.4
  func testOnlyPromisesRetainTheirQueue() {
    let gone = Event()
    // The test retains the key, because Dispatch identifies a key by its address. A later key with the same
    // address would replace the value.
    let key = DispatchSpecificKey<Canary>()
    do {
      let queue = DispatchQueue(label: "held")
      queue.setSpecific(key: key, value: Canary { gone.signal() })
      let root = Promise(on: queue)
      let children = (0..<4).map { _ in root.thenOn(queue) { $0 } } + [root.then { $0 }]
      root.fulfill(1)
      for child in children { XCTAssertEqual(try child.then { $0 }.value(), 1) }
    }
    gone.wait("release of the queue")
    withExtendedLifetime(key) {}
  }

  // Spec: X3.8, H10.5
  func testAJobThatIsKeptDoesNotHoldItsContext() {
    let jobs = Log<@Sendable () -> Void>()
    let freed = Counter()
    do { Promise.resolved(1).thenOn(CountedContext(freed, jobs)) { _ in } }
    XCTAssertEqual(jobs.count, 1)
    XCTAssertEqual(freed.value, 1)
  }

  // Spec: X3.1
  func testAContextThatWrapsAnotherIsAContextOfItsOwn() {
    let context = CountedContext(Counter())
    let special = SpecialContext(Counter())
    let wrapping = WrappingContext(context: context)
    let root = Promise(on: context)
    root.thenOn(wrapping) { _ in }
    root.thenOn(special) { _ in }
    root.thenOn(context) { _ in }
    root.fulfill(1)
    root.thenOn(wrapping) { _ in }.thenOn(wrapping) { _ in }.thenOn(context) { _ in }
    XCTAssertEqual(wrapping.jobs.value, 3)
    XCTAssertEqual(special.jobs.value, 1)
    XCTAssertEqual(context.jobs.value, 5)
  }
}
