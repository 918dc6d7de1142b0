import DynamicPromise

/// The cheapest context there can be that keeps Promises/A+: jobs wait in a list, first in, first out, until
/// the one thread that uses it drains them. Nothing is locked, so whoever hands it from one thread to another
/// orders that himself.
package final class SteppedContext: ExecutionContext, @unchecked Sendable {
  @exclusivity(unchecked) private var jobs: [@Sendable () -> Void] = []
  @exclusivity(unchecked) private var running: [@Sendable () -> Void] = []

  /// - Parameter capacity: How many jobs can wait before the list has to grow.
  package init(capacity: Int = 16) {
    jobs.reserveCapacity(capacity)
    running.reserveCapacity(capacity)
  }

  /// Keeps `job`.
  package func execute(_ job: @escaping @Sendable () -> Void) { jobs.append(job) }

  /// Runs jobs on this stack, also those that they enqueue, until none is left.
  package func drain() {
    while !jobs.isEmpty {
      swap(&jobs, &running)
      for job in running { job() }
      running.removeAll(keepingCapacity: true)
    }
  }
}
