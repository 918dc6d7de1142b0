// For the deadlock check: which contexts cannot run jobs before the calling thread returns. Only blocking
// waits ask.

import Dispatch

/// A context that knows when a thread keeps it from going on, so that a blocking wait there can fail instead
/// of waiting for ever.
///
/// For contexts that run one job at a time. A context that does not conform is taken for one that may always
/// run another job.
public protocol WaitAwareContext: ExecutionContext {
  /// Whether no further job of this context can begin before the caller has returned: the calling thread runs
  /// one of its jobs, or is the only thread on which jobs are run. If in doubt `false`: a wait that could
  /// have ended must not fail.
  ///
  /// Asked on the thread that is about to block in ``Future/get()`` or its like, and from time to time while
  /// it does, with nothing locked.
  var isBlockedByCaller: Bool { get }
}

extension ContextRef {
  /// Whether no further handler can begin here before the caller has returned.
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
  /// Whether the caller is in a block of this queue, or of one that targets it. Whatever that block is, a
  /// handler with its barrier waits for its end. Global queues have no marks, and no barriers.
  fileprivate var isBlockedByCaller: Bool {
    guard let mark = getSpecific(key: QueueMark.key) else { return false }
    return DispatchQueue.getSpecific(key: mark.ownKey) === mark
  }
}
