// Executors that a test steps on its own thread. When `step` returns, the task has run to its next
// suspension.

import TestSupport
import XCTest

/// The jobs of a manual executor.
@available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
final class JobList: @unchecked Sendable {
  private let lock = NSLock()
  private var jobs: [UnownedJob] = []
  private let arrivals = DispatchSemaphore(value: 0)

  func append(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    lock.withLock { jobs.append(job) }
    arrivals.signal()
  }

  var count: Int { lock.withLock { jobs.count } }

  /// Waits for a job and drops it without running it.
  func drop(file: StaticString = #filePath, line: UInt = #line) { _ = next(file: file, line: line) }

  func waitUntil(count: Int, file: StaticString = #filePath, line: UInt = #line) {
    eventually("job \(count)", file: file, line: line) { self.count >= count }
  }

  /// Waits for the oldest job, with a deadline.
  func next(file: StaticString, line: UInt) -> UnownedJob? {
    guard arrivals.wait(timeout: .now() + patience) == .success else {
      XCTFail("no job was enqueued", file: file, line: line)
      return nil
    }
    return lock.withLock { jobs.removeFirst() }
  }
}

/// A task executor that a test steps by hand.
@available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
final class ManualTaskExecutor: TaskExecutor {
  let jobs = JobList()
  private let onEnqueue: @Sendable () -> Void

  init(onEnqueue: @escaping @Sendable () -> Void = {}) { self.onEnqueue = onEnqueue }

  func enqueue(_ job: consuming ExecutorJob) {
    jobs.append(job)
    onEnqueue()
  }

  /// Waits for a job and runs it.
  func step(file: StaticString = #filePath, line: UInt = #line) {
    jobs.next(file: file, line: line)?.runSynchronously(on: asUnownedTaskExecutor())
  }
}

/// A serial executor that a test steps by hand.
@available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
final class ManualSerialExecutor: SerialExecutor {
  let jobs = JobList()

  func enqueue(_ job: consuming ExecutorJob) { jobs.append(job) }

  func step(file: StaticString = #filePath, line: UInt = #line) {
    jobs.next(file: file, line: line)?.runSynchronously(on: asUnownedSerialExecutor())
  }
}

/// A serial executor on a queue, like those in user programs.
@available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
final class QueueExecutor: SerialExecutor {
  let queue = DispatchQueue(label: "executor")

  func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    queue.async { job.runSynchronously(on: self.asUnownedSerialExecutor()) }
  }
}

/// A task executor with several threads.
@available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
final class PoolExecutor: TaskExecutor {
  let queue = DispatchQueue(label: "pool", attributes: .concurrent)

  func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    queue.async { job.runSynchronously(on: self.asUnownedTaskExecutor()) }
  }
}

/// The outcome of a task, for a test that does not suspend.
final class TaskOutcome: @unchecked Sendable {
  private let event = Event()
  private let results = Log<Result<Any, any Error>>()

  func finish(_ result: Result<Any, any Error>) {
    results.append(result)
    event.signal()
  }

  var isThere: Bool { results.count > 0 }

  /// Waits for the task, and expects that the task finished once.
  func get(file: StaticString = #filePath, line: UInt = #line) throws -> Result<Any, any Error> {
    event.wait("the end of the task", file: file, line: line)
    XCTAssertEqual(results.count, 1, file: file, line: line)
    return try XCTUnwrap(results.all.first, file: file, line: line)
  }

  func value<T>(as type: T.Type = T.self, file: StaticString = #filePath, line: UInt = #line) throws -> T {
    let value = try get(file: file, line: line).get()
    return try XCTUnwrap(value as? T, "\(value)", file: file, line: line)
  }

  func reason(file: StaticString = #filePath, line: UInt = #line) throws -> any Error {
    switch try get(file: file, line: line) {
    case .success(let value):
      XCTFail("returned \(value)", file: file, line: line)
      throw Failure("returned")
    case .failure(let reason): return reason
    }
  }
}

extension WeakReference {
  /// Waits for the object's deinit. The task of the last handler may retain its actor or executor for a
  /// moment.
  func waitUntilGone(file: StaticString = #filePath, line: UInt = #line) {
    eventually("the deinit", file: file, line: line) { object == nil }
  }
}
