// Dispatch queues as promises remember them, and contexts that need not be remembered anew.

import Dispatch

/// A dispatch queue, held for promises.
///
/// Queues know their marks, and marks their queue, weakly (`QueueMark`). What was referred to weakly once is dear to
/// hold: that is counted out of line. Promises hold this instead, which nobody refers to weakly. A queue may have several.
@usableFromInline
final class QueueRef: ContextRef.Holder, @unchecked Sendable {
  let queue: DispatchQueue
  private let hop: Hop

  init(_ queue: DispatchQueue) {
    self.queue = queue
    hop = Hop(onto: queue)
  }

  /// Enqueues the job of `child`, which is held.
  func enqueue(_ child: Unmanaged<Promise>) { hop.enqueue(child, on: queue) }
}

extension Promise {
  /// What a child of this promise remembers of `context`, with a reference for it; `nil` if that says no more than "the default".
  @inlinable @inline(__always)
  func reference<Context: ExecutionContext>(to context: Context) -> ContextRef? {
    if Context.self == ImmediateContext.self { return .immediate }
    if Context.self == DefaultContext.self { return .shared }
    return referenceToOther(context)
  }

  /// To look a queue's mark up, or to box an instance, costs more than to see whether it is known here: from this promise's own handler,
  /// in a chain on one context, from its default, or from the child before.
  @usableFromInline
  func referenceToOther<Context: ExecutionContext>(_ context: Context) -> ContextRef? {
    if Context.self == DispatchQueue.self {
      let queue = ContextRef.queue(context)
      return known { $0.isQueue(queue) } ?? .ofQueue(queue)
    }
    if ContextRef.isClass(Context.self), let known = known(where: { $0.isBox(of: context) }) { return known }
    return ContextRef(context)
  }

  private func known(where isWanted: (ContextRef) -> Bool) -> ContextRef? {
    if isWanted(context) { return context.retained() }
    if isWanted(defaultContext) { return defaultContext.retained() }
    let bits = word.lock()
    // Retained under the lock, where the sibling cannot leave.
    let sibling = waiting?.use {
      $0.position.before!.use { isWanted($0.context) ? $0.context.retained() : nil }
    }
    word.unlock(bits)
    return sibling ?? nil
  }
}

extension ContextRef {
  fileprivate func isQueue(_ queue: DispatchQueue) -> Bool {
    if case .queue(let known) = kind { known._withUnsafeGuaranteedRef { $0.queue === queue } } else { false }
  }

  /// Whether this is the same instance, for a context of a class. Looks at what an `any` consists of instead of opening it, which
  /// would copy it first: the instance's address where it is of a class, and after two more words its type. (A struct may
  /// begin with the same address.)
  fileprivate func isBox<Context: ExecutionContext>(of context: Context) -> Bool {
    guard case .other(let box) = kind else { return false }
    // Behind the two words with which every object begins.
    let words = UnsafeRawPointer(box.toOpaque()).advanced(by: 16).assumingMemoryBound(to: UInt.self)
    return words[0] == unsafeBitCast(context, to: UInt.self)
      && words[3] == unsafeBitCast(Context.self as Any.Type, to: UInt.self)
  }
}
