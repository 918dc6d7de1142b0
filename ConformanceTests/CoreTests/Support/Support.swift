// What the tests of the core share: events with deadlines, and things whose release can be seen.

import Dispatch
import DynamicPromise
import XCTest

/// How long anything may take before it counts as hanging; generous, because the machine may be busy.
let patience = 120.0

/// The length of a chain that no recursion survives on a stack of 512 KiB.
#if DEBUG
  let depthBeyondTheStack = 20_000
#else
  let depthBeyondTheStack = 1_000_000
#endif

/// Something that happens once or more, and that a test waits for.
final class Event: Sendable {
  private let semaphore = DispatchSemaphore(value: 0)

  func signal() { semaphore.signal() }

  func wait(_ what: String = "event", file: StaticString = #filePath, line: UInt = #line) {
    if semaphore.wait(timeout: .now() + patience) == .timedOut {
      XCTFail("\(what) did not happen", file: file, line: line)
    }
  }
}

/// Looks again and again, with a deadline, until `condition` holds.
func eventually(
  _ what: String, file: StaticString = #filePath, line: UInt = #line, _ condition: () -> Bool
) {
  let limit = Date(timeIntervalSinceNow: patience)
  while !condition() {
    if Date() > limit { return XCTFail("\(what) did not happen", file: file, line: line) }
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

/// Counts from several threads.
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

/// Looks at an object without keeping it.
final class WeakReference<Object: AnyObject>: @unchecked Sendable {
  private(set) weak var object: Object?

  init(_ object: Object) { self.object = object }
}

/// The library's hook for lost rejections. Tests lose many: from the first failure on there is none but their
/// own.
let standardLossHook = {
  defer { Promise.onUnhandledRejection = nil }
  return Promise.onUnhandledRejection
}()

/// An error with an identity.
final class Failure: Error, Equatable {
  let name: String

  init(_ name: String = "failure") {
    self.name = name
    _ = standardLossHook
  }

  static func == (left: Failure, right: Failure) -> Bool { left === right }
}

/// A context that runs its jobs when a test says so, in order, on the test's thread.
final class SteppedContext: ExecutionContext, @unchecked Sendable {
  private let queue = DispatchQueue(label: "stepped")
  private var jobs: [@Sendable () -> Void] = []

  func execute(_ job: @escaping @Sendable () -> Void) { queue.sync { jobs.append(job) } }

  var pendingJobs: Int { queue.sync { jobs.count } }

  /// Runs the oldest job; false if there is none.
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

/// A context that runs its jobs inside `execute`.
struct AtOnce: ExecutionContext {
  func execute(_ job: @escaping @Sendable () -> Void) { job() }
}

extension Promise {
  /// The outcome, waited for with a deadline.
  func outcome(file: StaticString = #filePath, line: UInt = #line) -> Result<Any, any Error> {
    do { return .success(try get(timeout: patience)) } catch {
      if !isSettled { XCTFail("still pending", file: file, line: line) }
      return .failure(error)
    }
  }

  /// The value as a `T`, waited for with a deadline.
  func value<T>(
    as type: T.Type = T.self, file: StaticString = #filePath, line: UInt = #line
  ) throws -> T {
    let value = try outcome(file: file, line: line).get()
    return try XCTUnwrap(value as? T, "\(value) is no \(T.self)", file: file, line: line)
  }

  /// The reason, waited for with a deadline.
  func reason(file: StaticString = #filePath, line: UInt = #line) throws -> any Error {
    switch outcome(file: file, line: line) {
    case .success(let value):
      XCTFail("fulfilled with \(value)", file: file, line: line)
      throw Failure("fulfilled")
    case .failure(let reason): return reason
    }
  }
}

/// Runs `body` on a thread with a small stack, as a background queue has.
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
  /// A fulfilled promise whose descendants run here.
  func settled(_ value: Any) -> Promise {
    let promise = Promise(on: self)
    promise.fulfill(value)
    return promise
  }

  /// A rejected one.
  func broken() -> Promise {
    let promise = Promise(on: self)
    promise.reject(Failure())
    return promise
  }
}
