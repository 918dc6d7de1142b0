// `.current`: how a handler finds out where it runs.
//
// No step of a chain pays for it. A dispatch queue is marked once, when a promise first hears of it, and
// Dispatch itself knows on which queue a thread works. Contexts of other types get their jobs in a wrapper
// anyhow, which notes whose job its thread runs. So do the main queue, on which the main thread counts as
// being even outside of every block, and global queues, whose marks would speak for all queues.

import Dispatch

/// The context that runs the handler in which `.current` is written; outside of handlers the default of the
/// promise concerned.
///
/// It is captured where it is written, so a handler may keep it and name it later. Blocks of a dispatch queue
/// that promises use count as handlers on that queue, except the main queue's. An asynchronous handler runs
/// in a task of its own and belongs to no context.
public struct CurrentContext: ExecutionContext {
  let running: ContextRef?

  /// The context that runs the caller.
  public init() { running = ContextRef.running }

  /// Schedules `job` on the captured context, or to the private concurrent default.
  public func execute(_ job: @escaping @Sendable () -> Void) {
    (running ?? .shared).execute(job)
  }
}

extension ExecutionContext where Self == CurrentContext {
  /// The context that runs the current handler; outside of handlers the default of the promise concerned.
  public static var current: CurrentContext { CurrentContext() }
}

extension ContextRef {
  /// The context whose job runs on this stack.
  static var running: ContextRef? {
    if let box = CurrentThread.running { return box === mainBox ? .mainQueue : .other(box) }
    guard let mark = DispatchQueue.getSpecific(key: QueueMark.key), mark !== QueueMark.ofMain else {
      return nil
    }
    if mark === QueueMark.ofDefault { return .shared }
    return mark.queue.map { .queue($0) }
  }

  /// A dispatch queue as a context, marked so that `.current` finds it.
  static func ofQueue(_ queue: DispatchQueue) -> ContextRef {
    _ = QueueMark.main
    if let mark = queue.getSpecific(key: QueueMark.key) {
      return mark === QueueMark.ofMain ? .mainQueue : .queue(queue)
    }
    if QueueMark.isGlobal(queue) { return .other(Box(queue)) }
    QueueMark(queue).enter(queue)
    return .queue(queue)
  }
}

/// What a queue knows about itself. A mark is never replaced, because a thread that works on the queue may be
/// reading it. They are compared by identity, so that no field is read that only Dispatch's own lock has
/// published.
final class QueueMark: @unchecked Sendable {
  static let key = DispatchSpecificKey<QueueMark>()
  static let ofMain = QueueMark(mainQueue)
  static let ofDefault = QueueMark(nil)
  /// How many have been marked.
  private static let marking = Guarded(0)

  /// On Linux a `DispatchQueue` is a wrapper, and every `DispatchQueue.main` a new one: this one stays, so
  /// that its mark keeps pointing at something.
  private static let mainQueue = DispatchQueue.main

  /// The main queue, marked.
  static let main: DispatchQueue = {
    ofMain.enter(mainQueue)
    return mainQueue
  }()

  /// Leads to this mark on this queue and on those that target it, whose own marks hide it from the common
  /// key.
  let ownKey = DispatchSpecificKey<QueueMark>()

  /// Weakly, because the queue keeps its mark. Whoever runs a handler there holds it.
  private(set) weak var queue: DispatchQueue?

  init(_ queue: DispatchQueue?) { self.queue = queue }

  /// Marks `queue`, unless somebody else has.
  func enter(_ queue: DispatchQueue) {
    Self.marking.with { count in
      guard queue.getSpecific(key: Self.key) == nil else { return }
      count += 1
      queue.setSpecific(key: ownKey, value: self)
      queue.setSpecific(key: Self.key, value: self)
    }
  }

  /// Every queue ends in a global one, so a mark there would speak for all of them.
  static func isGlobal(_ queue: DispatchQueue) -> Bool { queue.label.hasPrefix("com.apple.root.") }
}
