import Dispatch
import DynamicPromise

/// An actor for handlers to run on.
actor Stage {}

/// Contexts on custom executors. The default context replaces them on systems that have none.
enum Executors {
  static var serial: any ExecutionContext {
    if #available(macOS 14, iOS 17, tvOS 17, watchOS 10, visionOS 1, *) { return .executor(QueueExecutor()) }
    return DefaultContext.shared
  }

  static var pool: any ExecutionContext {
    if #available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *) { return .executor(PoolExecutor()) }
    return DefaultContext.shared
  }
}

/// A user-defined serial executor.
@available(macOS 14, iOS 17, tvOS 17, watchOS 10, visionOS 1, *)
private final class QueueExecutor: SerialExecutor {
  private let queue = DispatchQueue(label: "conformance.executor")

  func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    queue.async { job.runSynchronously(on: self.asUnownedSerialExecutor()) }
  }
}

/// A task executor with several threads.
@available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
private final class PoolExecutor: TaskExecutor {
  private let queue = DispatchQueue(label: "conformance.pool", attributes: .concurrent)

  func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    queue.async { job.runSynchronously(on: self.asUnownedTaskExecutor()) }
  }
}
