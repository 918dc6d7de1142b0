/// A queue whose jobs run in turn.
package final class Line: @unchecked Sendable {
  private var jobs: [() -> Void] = []
  private var isBusy = false
  private let cell = Cell(0)

  package init() {}

  package func append(_ label: String, _ job: @escaping () -> Void) {
    cell.touch()
    jobs.append(job)
    guard !isBusy else { return }
    isBusy = true
    Scheduler.spawn(label) { [self] in
      cell.touch()
      while !jobs.isEmpty {
        jobs.removeFirst()()
        Scheduler.point()
        cell.touch()
      }
      isBusy = false
    }
  }
}
