// Helpers for the core tests: events with deadlines, and objects whose release is visible.

import DynamicPromise
import XCTest

/// The seconds after which an operation counts as hanging. The time is generous, because the machine may be
/// busy.
let patience = 120.0

/// A chain length at which any recursion overflows a stack of 512 KiB.
#if DEBUG
  let depthBeyondTheStack = 20_000
#else
  let depthBeyondTheStack = 1_000_000
#endif

/// An event that a test waits for. The event may happen several times.
final class Event: Sendable {
  private let semaphore = DispatchSemaphore(value: 0)

  func signal() { semaphore.signal() }

  func wait(_ what: String = "event", file: StaticString = #filePath, line: UInt = #line) {
    if semaphore.wait(timeout: .now() + patience) == .timedOut {
      XCTFail("\(what) did not happen", file: file, line: line)
    }
  }
}

/// Polls `condition` until it holds, with a deadline.
func eventually(
  _ what: @autoclosure () -> String, file: StaticString = #filePath, line: UInt = #line,
  _ condition: () -> Bool
) {
  let limit = Date(timeIntervalSinceNow: patience)
  while !condition() {
    if Date() > limit { return XCTFail("\(what()) did not happen", file: file, line: line) }
    sched_yield()
  }
}

/// A list that several threads append to.
final class Log<Element>: @unchecked Sendable {
  private let queue = DispatchQueue(label: "log")
  private var elements: [Element] = []

  func append(_ element: Element) { queue.sync { elements.append(element) } }

  var all: [Element] { queue.sync { elements } }
  var count: Int { all.count }
}

/// A counter that several threads increment.
final class Counter: @unchecked Sendable {
  private let queue = DispatchQueue(label: "counter")
  private var total = 0

  func increment() { queue.sync { total += 1 } }

  var value: Int { queue.sync { total } }
}

/// An object that reports its `deinit`.
final class Canary: Sendable {
  private let onDeath: @Sendable () -> Void

  init(_ onDeath: @escaping @Sendable () -> Void = {}) { self.onDeath = onDeath }

  deinit { onDeath() }
}

/// Promises that a closure can release one by one.
final class Held: @unchecked Sendable {
  var promises: [Promise]
  init(_ promises: [Promise]) { self.promises = promises }
}

/// Records the order of jobs, and how many jobs ran at the same time.
final class Overlap: Sendable {
  private let entered = Counter()
  private let left = Counter()
  private let log = Log<Int>()
  private let depths = Log<Int>()

  func run(_ number: Int) {
    entered.increment()
    log.append(number)
    depths.append(entered.value - left.value)
    left.increment()
  }

  var order: [Int] { log.all }
  var most: Int { depths.all.max() ?? 0 }
}

/// The library's hook for lost rejections. The first use removes the hook, because tests lose many
/// rejections.
let standardLossHook = {
  defer { Promise.onUnhandledRejection = nil }
  return Promise.onUnhandledRejection
}()

/// An error that is compared by identity.
final class Failure: Error, Equatable {
  let name: String

  init(_ name: String = "failure") {
    self.name = name
    _ = standardLossHook
  }

  static func == (left: Failure, right: Failure) -> Bool { left === right }
}

/// A context whose jobs a test runs in order, on the test's thread.
final class SteppedContext: ExecutionContext, @unchecked Sendable {
  private let queue = DispatchQueue(label: "stepped")
  private var jobs: [@Sendable () -> Void] = []

  func execute(_ job: @escaping @Sendable () -> Void) { queue.sync { jobs.append(job) } }

  var pendingJobs: Int { queue.sync { jobs.count } }

  /// Runs the oldest job. The result is false if there is no job.
  @discardableResult
  func step() -> Bool {
    let job = queue.sync { jobs.isEmpty ? nil : jobs.removeFirst() }
    job?()
    return job != nil
  }

  /// Runs jobs until none is left.
  func drain() { while step() {} }

  /// Drops the jobs without running them.
  func dropAll() {
    let dropped = queue.sync {
      defer { jobs = [] }
      return jobs
    }
    _ = dropped
  }
}

/// A context that calls a closure before it enqueues a job on another context.
struct Observing: ExecutionContext {
  let context: any ExecutionContext
  let body: @Sendable () -> Void

  func execute(_ job: @escaping @Sendable () -> Void) {
    body()
    context.execute(job)
  }
}

extension Promise {
  /// Waits for the outcome, with a deadline.
  func outcome(file: StaticString = #filePath, line: UInt = #line) -> Result<Any, any Error> {
    do { return .success(try get(timeout: patience)) } catch {
      if !isSettled { XCTFail("still pending", file: file, line: line) }
      return .failure(error)
    }
  }

  /// Waits for the value as a `T`, with a deadline.
  func value<T>(
    as type: T.Type = T.self, file: StaticString = #filePath, line: UInt = #line
  ) throws -> T {
    let value = try outcome(file: file, line: line).get()
    return try XCTUnwrap(value as? T, "\(value) is not a \(T.self)", file: file, line: line)
  }

  /// Waits for the reason, with a deadline.
  func reason(file: StaticString = #filePath, line: UInt = #line) throws -> any Error {
    switch outcome(file: file, line: line) {
    case .success(let value):
      XCTFail("fulfilled with \(value)", file: file, line: line)
      throw Failure("fulfilled")
    case .failure(let reason): return reason
    }
  }
}

/// A chain in which each promise follows the next one.
func adoptions(_ count: Int) -> [Promise] {
  let promises = (0..<count).map { _ in Promise() }
  for index in 1..<count { promises[index - 1].resolve(promises[index]) }
  return promises
}

extension XCTestCase {
  /// Runs the jobs that wait in the main queue.
  func letMainQueueRun() {
    let hasRun = expectation(description: "the main queue")
    DispatchQueue.main.async { hasRun.fulfill() }
    wait(for: [hasRun], timeout: patience)
  }
}

/// Runs `body` on a thread with a small stack, like the stack of a background queue's thread.
func onSmallStack(_ body: @escaping @Sendable () throws -> Void) {
  let done = Event()
  let thread = Thread {
    do { try body() } catch { XCTFail("\(error)") }
    done.signal()
  }
  thread.stackSize = 512 * 1024
  thread.start()
  done.wait("the thread")
}

extension SteppedContext {
  /// A fulfilled promise on this context.
  func settled(_ value: Any) -> Promise { Promise(on: self).fulfilled(with: value) }

  /// A rejected promise on this context.
  func broken() -> Promise { Promise(on: self).refused(with: Failure()) }
}
