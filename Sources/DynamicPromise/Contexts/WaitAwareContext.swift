// Contexts that cannot run jobs before the calling thread returns, for the deadlock check.

import Dispatch

/// A context that can detect whether a blocked thread prevents it from running jobs. A blocking wait on that
/// thread then fails instead of hanging. It is for contexts that run one job at a time.
public protocol WaitAwareContext: ExecutionContext {
  /// Whether no further job of this context can start before the caller has returned. This is the case if the
  /// calling thread runs one of the context's jobs, or is the only thread that can run them. Return `false`
  /// if in doubt, because a wait that could end must not fail.
  ///
  /// Read without a lock, on the thread that is about to block in ``Promise/get(timeout:)`` or a similar
  /// call, and again from time to time while the thread blocks.
  var isBlockedByCaller: Bool { get }
}

extension ContextRef {
  /// Whether no further handler can start on this context before the caller has returned.
  var isBlockedByCaller: Bool {
    switch self {
    case .shared, .immediate: false
    case .queue(let queue): queue.isBlockedByCaller
    case .mainImmediate, .mainQueue: QueueMark.main.isBlockedByCaller
    case .other(let box):
      (box.context as? DispatchQueue)?.isBlockedByCaller
        ?? (box.context as? any WaitAwareContext)?.isBlockedByCaller ?? false
    }
  }
}

extension DispatchQueue {
  /// Whether the caller is in a block of this queue, or of a queue that targets it. A handler on this queue
  /// waits until that block has ended, because the handler runs as a barrier. `false` for a global queue.
  fileprivate var isBlockedByCaller: Bool {
    guard let mark = getSpecific(key: QueueMark.key) else { return false }
    return DispatchQueue.getSpecific(key: mark.ownKey) === mark
  }
}
