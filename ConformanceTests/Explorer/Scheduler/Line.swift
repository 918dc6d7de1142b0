/// Jobs that run in turn.
package final class Line: @unchecked Sendable {
  private var jobs: [() -> Void] = []
  private var isBusy = false

  package init() {}

  package func append(_ label: String, _ job: @escaping () -> Void) {
    jobs.append(job)
    guard !isBusy else { return }
    isBusy = true
    Scheduler.spawn(label) { [self] in
      while !jobs.isEmpty {
        jobs.removeFirst()()
        Scheduler.point()
      }
      isBusy = false
    }
  }
}
