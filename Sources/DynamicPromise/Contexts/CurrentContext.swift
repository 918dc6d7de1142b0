// `.current`: the context of the running handler, which each job records for its thread. And the marks of
// dispatch queues, by which a wait finds that it blocks its own queue.

import Dispatch

/// The context that runs the handler in which `.current` is written; outside handlers, and in an asynchronous
/// handler, the promise's default context. It is evaluated where it is written.
public struct CurrentContext: ExecutionContext {
  let running: ContextRef?

  fileprivate init() { running = CurrentThread.running?.retained }

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
  /// A dispatch queue as a context, marked.
  static func ofQueue(_ queue: DispatchQueue) -> ContextRef {
    _ = QueueMark.main
    if let mark = queue.getSpecific(key: QueueMark.key) {
      return mark === QueueMark.ofMain ? .mainQueue : .queue(queue)
    }
    if QueueMark.isGlobal(queue) { return .other(Box(queue)) }
    QueueMark().enter(queue)
    return .queue(queue)
  }
}

/// The mark of a dispatch queue, which Dispatch finds in the queue's blocks. A mark is never replaced,
/// because a thread on the queue may be reading it. Marks are compared by identity. Dispatch's own lock
/// publishes them to other threads.
final class QueueMark: Sendable {
  static var key: DispatchSpecificKey<QueueMark> { boxedKey.value }
  /// The key is boxed, because it is not Sendable in Swift 6.0.
  private static let boxedKey = UncheckedBox(DispatchSpecificKey<QueueMark>())
  static let ofMain = QueueMark()
  /// A queue instead of a spin lock, because Dispatch acquires its own locks while a queue is marked.
  private static let marking = DispatchQueue(label: "DynamicPromise.QueueMark")

  /// The main queue, marked.
  static let main: DispatchQueue = {
    let main = DispatchQueue.main
    ofMain.enter(main)
    return main
  }()

  /// A separate key for this mark. It finds the mark even on a queue that targets this mark's queue and has
  /// another mark under `key`.
  var ownKey: DispatchSpecificKey<QueueMark> { boxedOwnKey.value }
  private let boxedOwnKey = UncheckedBox(DispatchSpecificKey<QueueMark>())

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
