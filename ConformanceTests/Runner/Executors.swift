import Dispatch

/// An actor for handlers to run on.
actor Stage {}

/// A user-defined serial executor.
final class QueueExecutor: SerialExecutor {
  private let queue = DispatchQueue(label: "conformance.executor")

  func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    queue.async { job.runSynchronously(on: self.asUnownedSerialExecutor()) }
  }
}

/// A task executor with several threads.
final class PoolExecutor: TaskExecutor {
  private let queue = DispatchQueue(label: "conformance.pool", attributes: .concurrent)

  func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    queue.async { job.runSynchronously(on: self.asUnownedTaskExecutor()) }
  }
}
