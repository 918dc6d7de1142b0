// How jobs get to the private default context: through a list of our own, so that a thousand jobs need not be a thousand
// submissions, and with a worker always in reserve, so that none of them waits for another (X1).

import Dispatch

/// Handlers for the private default context, first in, first out, and the workers that take them from there one by one.
///
/// As long as there are some there is a *spare*: a worker without a job, because the system's pool has still to start it,
/// or because it has just run out of them. A spare that takes a job while others remain submits the next spare first. So a
/// handler that blocks holds up its own worker, and whatever is behind it goes to the spare.
final class Relay: Sendable {
  /// How many jobs a worker runs before other users of the system's pool may have its thread.
  private static let turn = 256

  private struct Queue {
    var jobs = FIFO<Promise>()
    var hasSpare = false
  }

  private let queue = Guarded(Queue())

  private init() {}

  /// Takes handlers over, in their order.
  func add(_ children: Effects.Batch) {
    submitSpare(
      if: queue.with { queue in
        queue.jobs.append(children.first)
        for child in children.rest { queue.jobs.append(child) }
        return Self.claimSpare(&queue)
      })
  }

  /// Takes a handler over.
  func add(_ child: Promise) {
    submitSpare(
      if: queue.with { queue in
        queue.jobs.append(child)
        return Self.claimSpare(&queue)
      })
  }

  /// Whether there is no spare; then the caller submits one.
  private static func claimSpare(_ queue: inout Queue) -> Bool {
    defer { queue.hasSpare = true }
    return !queue.hasSpare
  }

  private func submitSpare(if isNeeded: Bool) {
    if isNeeded { DefaultContext.queue.async { self.work() } }
  }

  /// What a worker does. If jobs are left when its turn is over, so is a spare.
  private func work() {
    var isSpare = true
    for _ in 0..<Relay.turn {
      guard let child = next(isSpare) else { return }
      isSpare = false
      Driver.work(child, continuesInPlace: true)
    }
  }

  /// The oldest job; `nil` ends the worker.
  private func next(_ wasSpare: Bool) -> Promise? {
    var isSpare = wasSpare
    if let child = take(&isSpare) { return child }
    guard isSpare else { return nil }
    // To be woken costs more than to look again for as long as it takes to make a promise or two.
    for _ in 0..<Spinning.rounds {
      if let child = take(&isSpare) { return child }
    }
    return queue.with { queue in
      let child = queue.jobs.popFirst()
      queue.hasSpare = false
      return child
    }.map { child in
      submitSpare(if: queue.with { !$0.jobs.isEmpty && Self.claimSpare(&$0) })
      return child
    }
  }

  /// The oldest job. Without one the worker becomes the spare, if there is none.
  private func take(_ isSpare: inout Bool) -> Promise? {
    var needsSpare = false
    let child = queue.with { queue -> Promise? in
      guard let child = queue.jobs.popFirst() else {
        if !queue.hasSpare {
          queue.hasSpare = true
          isSpare = true
        }
        return nil
      }
      if isSpare {
        isSpare = false
        queue.hasSpare = !queue.jobs.isEmpty
        needsSpare = queue.hasSpare
      }
      return child
    }
    submitSpare(if: needsSpare)
    return child
  }
}

extension Relay {
  #if canImport(Darwin)
    /// One for each quality of service, so that nothing urgent waits for a spare that is not: a block inherits the quality of
    /// the stack that submits it, and so does a spare. The raw value of a class is 0x21 at most.
    private static let all = (0..<8).map { _ in Relay() }
    static var mine: Relay { all[min(Int(Task<Never, Never>.currentPriority.rawValue) >> 2, 7)] }
  #else
    /// Dispatch has no quality of service to inherit here.
    static let mine = Relay()
  #endif
}
