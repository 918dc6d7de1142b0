// `.current`: the context of the running handler.
//
// A dispatch queue is marked once, when a promise first uses it, and Dispatch finds the mark in the queue's
// blocks. Jobs for other types of contexts run in a wrapper, which records the context for the thread. So do
// jobs for the main queue, because Dispatch reports it on the main thread even outside its blocks, and for
// global queues, because every queue would inherit the mark of a global queue.

import Dispatch

/// The context that runs the handler in which `.current` is written; outside handlers, and in an asynchronous
/// handler, the promise's default context. It is evaluated where it is written.
public struct CurrentContext: ExecutionContext {
  let running: ContextRef?

  fileprivate init() { running = ContextRef.running }

  /// Schedules `job` on the stored context, or on the private concurrent default if no handler was running.
  public func execute(_ job: @escaping @Sendable () -> Void) {
    (running ?? .shared).execute(job)
  }
}

extension ExecutionContext where Self == CurrentContext {
  /// The context that runs the current handler; outside handlers the promise's default context.
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
    return mark.queue.map { .queue(QueueBox($0)) }
  }

  /// A dispatch queue as a context, marked so that `.current` finds it.
  static func ofQueue(_ queue: DispatchQueue) -> ContextRef {
    _ = QueueMark.main
    if let mark = queue.getSpecific(key: QueueMark.key) {
      return mark === QueueMark.ofMain ? .mainQueue : .queue(QueueBox(queue))
    }
    if QueueMark.isGlobal(queue) { return .other(Box(queue)) }
    QueueMark(queue).enter(queue)
    return .queue(QueueBox(queue))
  }
}

/// The mark of a dispatch queue. A mark is never replaced, because a thread on the queue may be reading it.
/// Marks are compared by identity. Dispatch's own lock publishes them to other threads.
final class QueueMark: @unchecked Sendable {
  static var key: DispatchSpecificKey<QueueMark> { boxedKey.value }
  /// The key is boxed, because it is not Sendable in Swift 6.0.
  private static let boxedKey = UncheckedBox(DispatchSpecificKey<QueueMark>())
  static let ofMain = QueueMark(mainQueue)
  static let ofDefault = QueueMark(nil)
  /// A queue instead of a spin lock, because Dispatch acquires its own locks while a queue is marked.
  private static let marking = DispatchQueue(label: "DynamicPromise.QueueMark")

  /// Retained, so that the weak reference in its mark stays valid: on Linux each `DispatchQueue.main` is new.
  private static let mainQueue = DispatchQueue.main

  /// The main queue, marked.
  static let main: DispatchQueue = {
    ofMain.enter(mainQueue)
    return mainQueue
  }()

  /// A separate key for this mark. It finds the mark even on a queue that targets this mark's queue and has
  /// another mark under `key`.
  let ownKey = DispatchSpecificKey<QueueMark>()

  /// The reference is weak, because the queue retains its mark. A running handler retains the queue.
  private(set) weak var queue: DispatchQueue?

  init(_ queue: DispatchQueue?) { self.queue = queue }

  /// Marks `queue`, unless it is marked already.
  func enter(_ queue: DispatchQueue) {
    Self.marking.sync {
      guard queue.getSpecific(key: Self.key) == nil else { return }
      queue.setSpecific(key: ownKey, value: self)
      queue.setSpecific(key: Self.key, value: self)
    }
  }

  /// Whether a queue is global. A mark on a global queue would apply to all queues, which all target one.
  static func isGlobal(_ queue: DispatchQueue) -> Bool { queue.label.hasPrefix("com.apple.root.") }
}
