// Dispatch queues as promises remember them.

import Dispatch

/// A dispatch queue, held for promises.
///
/// Queues know their marks, and marks their queue, weakly (`QueueMark`). What was referred to weakly once is dear to
/// hold: that is counted out of line. Promises hold this instead, which nobody refers to weakly. A queue may have several.
@usableFromInline
final class QueueRef: Sendable {
  let queue: DispatchQueue

  init(_ queue: DispatchQueue) { self.queue = queue }
}

extension Promise {
  /// What a child of this promise remembers of `context`; `nil` if that says no more than "the default".
  ///
  /// To look a queue's mark up costs more than to see whether it is known here: from this promise's own handler, in a chain on one queue,
  /// or from the child before.
  @usableFromInline
  func reference<Context: ExecutionContext>(to context: Context) -> ContextRef? {
    guard Context.self == DispatchQueue.self else { return ContextRef(context) }
    let queue = context as! DispatchQueue
    if self.context.isQueue(queue) { return self.context }
    let bits = word.lock()
    let sibling = waiting?.use { $0.position.before!.use { $0.context } }
    word.unlock(bits)
    if let sibling, sibling.isQueue(queue) { return sibling }
    return .ofQueue(queue)
  }
}

extension ContextRef {
  fileprivate func isQueue(_ queue: DispatchQueue) -> Bool {
    if case .queue(let known) = self { known.queue === queue } else { false }
  }
}
