// The waiting and running tasks. Guarded by the queue's lock; runs no user code.

import DynamicPromise

/// The result of a task's closure.
struct StartedTask {
  /// Resolves the promise of the task's result.
  let value: Any
  /// The task has ended when this has settled as well.
  let end: Future?
}

/// A waiting task.
struct WaitingTask {
  let promise: Promise
  let resolver: Resolver
  let start: @Sendable () throws -> StartedTask
  let isBarrier: Bool
}

/// The state of a ``TaskQueue``. Tasks have numbers in the order in which they were added.
struct TaskLine {
  var width: Int
  var isPaused = false
  private var waiting: [Int: WaitingTask] = [:]
  private var running: [Int: Promise] = [:]
  /// Whether the running task is a barrier.
  private var isBarred = false
  /// The number of the next task.
  private var end = 0
  /// No task with a lower number waits.
  private var head = 0
  /// Whether a thread is taking tasks and scheduling them. Only one thread does, so that tasks are
  /// scheduled in order.
  private var isBeingServed = false

  init(width: Int) { self.width = max(1, width) }

  mutating func add(_ task: WaitingTask) -> Int {
    waiting[end] = task
    end += 1
    return end - 1
  }

  /// Takes the next task that may start.
  ///
  /// - Parameter serves: Whether the caller has taken a task before.
  mutating func takeNext(serves: Bool) -> (number: Int, task: WaitingTask)? {
    if isBeingServed, !serves { return nil }
    isBeingServed = true
    while !isPaused, !isBarred, running.count < width, head < end {
      guard let task = waiting[head] else {
        head += 1
        continue
      }
      if task.isBarrier {
        if !running.isEmpty { break }
        isBarred = true
      }
      waiting[head] = nil
      running[head] = task.promise
      head += 1
      return (head - 1, task)
    }
    isBeingServed = false
    return nil
  }

  /// Records that a task has ended.
  mutating func end(_ number: Int) -> Promise? {
    isBarred = false  // If a barrier runs, it is the only one.
    return running.removeValue(forKey: number)
  }

  /// Removes a task that was cancelled, if it waits.
  mutating func remove(_ number: Int) -> WaitingTask? { waiting.removeValue(forKey: number) }

  /// Removes the waiting tasks. The caller releases them when the lock is free.
  mutating func takeAllWaiting() -> [Int: WaitingTask] {
    defer {
      waiting = [:]
      head = end
    }
    return waiting
  }

  /// The numbers and promises of the running tasks: a separate copy, because the dictionary is changed in
  /// place.
  var inProgress: [(number: Int, promise: Promise)] { running.map { ($0.key, $0.value) } }

  var waitingCount: Int { waiting.count }
  var runningCount: Int { running.count }
}
