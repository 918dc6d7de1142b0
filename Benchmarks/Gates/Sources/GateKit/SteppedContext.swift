import DynamicPromise

/// The cheapest context that conforms to Promises/A+. Jobs wait in a first-in, first-out list until a thread
/// drains the context. Callers must synchronize their use of the context, because it has no lock.
package final class SteppedContext: ExecutionContext, @unchecked Sendable {
  @exclusivity(unchecked) private var jobs: [@Sendable () -> Void] = []
  @exclusivity(unchecked) private var running: [@Sendable () -> Void] = []

  package init(capacity: Int = 16) {
    jobs.reserveCapacity(capacity)
    running.reserveCapacity(capacity)
  }

  package func execute(_ job: @escaping @Sendable () -> Void) { jobs.append(job) }

  /// Runs the jobs on this stack, including those that they enqueue, until none is left.
  package func drain() {
    while !jobs.isEmpty {
      swap(&jobs, &running)
      for job in running { job() }
      running.removeAll(keepingCapacity: true)
    }
  }
}
