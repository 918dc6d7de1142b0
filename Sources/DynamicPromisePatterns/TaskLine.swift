// The waiting and running tasks. Guarded by the queue's lock; runs no user code.

import DynamicPromise

/// A waiting task.
struct WaitingTask {
  let promise: Promise
  let resolver: Resolver
  /// Calls the task's closure. If it returns a promise, the task has ended when that promise is finished.
  let start: @Sendable () throws -> Any
  let isBarrier: Bool
  /// Has no effect on a barrier.
  let priority: Int
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
  /// The positions of the waiting tasks, and of some removed tasks.
  private var order = TaskOrder()
  /// The section of the next task; see ``TaskPosition``.
  private var section = 0
  /// Whether a thread is scheduling tasks. Only one thread at a time schedules tasks, so that they keep their
  /// order.
  private var isBeingServed = false
  /// Who waits for which tasks; `nil` for the end of all.
  private var watches: [(tasks: Set<Int>?, resolver: Resolver)] = []

  init(width: Int) { self.width = max(1, width) }

  mutating func add(_ task: WaitingTask) -> Int {
    waiting[end] = task
    if task.isBarrier { section += 1 }
    order.add(TaskPosition(section: section, priority: task.priority, number: end))
    if task.isBarrier { section += 1 }
    end += 1
    return end - 1
  }

  /// Moves the next task that may start from the waiting tasks to the running tasks.
  ///
  /// - Parameter serves: Whether the caller is already the scheduling thread.
  mutating func takeNext(serves: Bool) -> (number: Int, task: WaitingTask)? {
    if isBeingServed, !serves { return nil }
    isBeingServed = true
    while !isPaused, !isBarred, running.count < width, let number = order.first?.number {
      guard let task = waiting[number] else {
        order.removeFirst()
        continue
      }
      if task.isBarrier {
        if !running.isEmpty { break }
        isBarred = true
      }
      order.removeFirst()
      waiting[number] = nil
      running[number] = task.promise
      return (number, task)
    }
    isBeingServed = false
    return nil
  }

  /// Records that a task has ended.
  mutating func end(_ number: Int) -> Promise? {
    isBarred = false  // A running barrier is the only running task.
    for index in watches.indices { watches[index].tasks?.remove(number) }
    return running.removeValue(forKey: number)
  }

  mutating func watchIdle(_ resolver: Resolver) { watches.append((nil, resolver)) }
  mutating func watchRunning(_ resolver: Resolver) { watches.append((Set(running.keys), resolver)) }

  mutating func takeEndedWatches() -> [Resolver] {
    if watches.isEmpty { return [] }
    let isIdle = waiting.isEmpty && running.isEmpty
    let ended = watches.filter { $0.tasks?.isEmpty ?? isIdle }
    watches.removeAll { $0.tasks?.isEmpty ?? isIdle }
    return ended.map(\.resolver)
  }

  /// Removes a cancelled task, if it is still waiting.
  mutating func remove(_ number: Int) -> WaitingTask? {
    let task = waiting.removeValue(forKey: number)
    if order.count > 2 * waiting.count + 16 { order.compact { waiting[$0.number] != nil } }
    return task
  }

  /// Removes the waiting tasks. The caller releases them when the lock is free.
  mutating func takeAllWaiting() -> [Int: WaitingTask] {
    defer {
      waiting = [:]
      order.removeAll()
    }
    return waiting
  }

  /// The numbers and promises of the running tasks. A copy, because the dictionary is changed in place.
  var inProgress: [(number: Int, promise: Promise)] { running.map { ($0.key, $0.value) } }

  func isWaiting(_ number: Int) -> Bool { waiting[number] != nil }
  var waitingCount: Int { waiting.count }
  var runningCount: Int { running.count }
}
