// A task among the hooks of the promise that it settles.

/// Cancels a task, also one that is not there yet: the hooks are registered before the task begins, so that it finds them when it ends.
final class TaskHandle: @unchecked Sendable {
  private static let cancelled: UInt = 1 << 1

  private let word = LockedWord(0)
  private var task: Task<Void, Never>?

  func set(_ task: Task<Void, Never>) {
    let bits = word.lock()
    if bits & Self.cancelled == 0 { self.task = task }
    word.unlock(bits)
    if bits & Self.cancelled != 0 { task.cancel() }
  }

  func cancel() {
    let bits = word.lock()
    let task = task
    self.task = nil
    word.unlock(bits | Self.cancelled)
    task?.cancel()
  }
}
