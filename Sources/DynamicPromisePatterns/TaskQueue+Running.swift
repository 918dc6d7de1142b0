// Starting, running and ending a task.
//
// OWNERSHIP. `call` is the promise of the task's closure, and `promise` follows `call`.
//
//     line ─▶ promise, while the task waits or runs
//     call ─▶ handler of its end ─▶ place ─▶ queue, so a queue exists while a task runs
//     promise ─▶ its observer ─▶ place
//
// A waiting task does not retain the queue: its cancel hook refers to the queue weakly.

import DynamicPromise

extension TaskQueue {
  /// The number of tasks that one caller schedules before another thread continues. The limit lets a call of
  /// `add` return soon, even if other threads add many tasks.
  private static let servings = 256

  func enter(
    _ start: @escaping @Sendable () throws -> Any, isBarrier: Bool, priority: Int = 0,
    _ fileID: StaticString, _ place: UInt
  ) -> Promise {
    let (promise, resolver) = Promise.pending(on: context, fileID: fileID, line: place)
    resolver.alwaysCallsBack()
    let task = WaitingTask(
      promise: promise, resolver: resolver, start: start, isBarrier: isBarrier, priority: priority)
    let number = line.with { $0.add(task) }
    resolver.onCancel { [weak self] _ in
      guard let self else { return }
      let removed = self.line.with { $0.remove(number) }
      withExtendedLifetime(removed) {}
      self.advance()  // A removed barrier no longer blocks later tasks.
    }
    advance()
    if line.with({ $0.isWaiting(number) }) {
      promise.noteQueueing(width: width) { line.with { $0.inProgress }.map(\.promise) }
    }
    return promise
  }

  /// Starts all tasks that may start now.
  func advance() {
    serve(continues: false)
    reportEnds()
  }

  /// Fulfills the promises of `idle` and `runningEnded` that wait for nothing any more.
  func reportEnds() {
    for resolver in line.with({ $0.takeEndedWatches() }) { resolver.fulfill() }
  }

  private func serve(continues: Bool) {
    let runsInPlace = context is ImmediateContext || context is MainImmediateContext
    var count = 0
    while let (number, task) = line.with({ $0.takeNext(serves: continues || count > 0) }) {
      begin(task, number)
      count += 1
      if count == Self.servings, !runsInPlace {
        return DefaultContext.shared.execute { self.serve(continues: true) }
      }
    }
  }

  /// Schedules a task on the context.
  private func begin(_ task: WaitingTask, _ number: Int) {
    let place = TaskPlace { self.leave(number) }
    let call = Promise.task(on: context) { () throws -> Any? in
      // Throws if the task was cancelled just before its start, because its place is already free.
      guard place.enter() else { throw CancellationError() }
      do {
        let value = try task.start()
        if let end = value as? Promise { place.leave(after: end) } else { place.leave() }
        return value
      } catch {
        place.leave()
        throw error
      }
    }
    task.resolver.resolve(call)
    place.leave(after: call)
    // The place waits for both promises. The task's promise may settle a moment after `call`, if another
    // thread settles `call`.
    task.promise.whenSettled { place.leave() }
  }

  private func leave(_ number: Int) {
    let promise = line.with { $0.end(number) }
    withExtendedLifetime(promise) {}
    advance()
  }
}

/// A place among the running tasks. The place is free when all its users have left: `call`, the promise that
/// the task returned, and the task's own promise.
private final class TaskPlace: Sendable {
  private let users = Guarded(2)
  private let free: @Sendable () -> Void

  init(_ free: @escaping @Sendable () -> Void) { self.free = free }

  /// Adds a user of the place; returns `false` if the place is already free.
  func enter() -> Bool {
    users.with { users in
      if users > 0 { users += 1 }
      return users > 0
    }
  }

  func leave() {
    let isLast = users.with { users in
      users -= 1
      return users == 0
    }
    if isLast { free() }
  }

  /// Leaves when `future` is finished, without being a consumer of `future`.
  func leave(after future: Promise) { future.whenFinished { self.leave() } }
}
