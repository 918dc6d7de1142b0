// How a promise cancels the task that settles it.

/// Cancels a task. The task may be set after the cancel.
final class TaskHandle: Sendable {
  private let task = Guarded<(task: Task<Void, Never>?, isCancelled: Bool)>((nil, false))

  func set(_ new: Task<Void, Never>) {
    let isCancelled = task.with { entry in
      if !entry.isCancelled { entry.task = new }
      return entry.isCancelled
    }
    if isCancelled { new.cancel() }
  }

  func cancel() {
    let running = task.with { entry in
      entry.isCancelled = true
      return entry.task.take()
    }
    running?.cancel()
  }
}
