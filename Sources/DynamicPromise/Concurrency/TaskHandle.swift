// How the promise that a task settles cancels the task.

/// Cancels a task that may not have been entered yet.
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
