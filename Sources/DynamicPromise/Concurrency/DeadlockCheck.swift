// The deadlock check: whether a promise can settle while this thread blocks. Checked before the wait, and
// again from time to time.
//
// The check visits every promise that has to settle before the awaited one: the parent of a waiting handler,
// a followed promise, and the inputs of a combinator. A deadlock is certain if one of their handlers runs on
// this thread, or needs a context that this thread blocks. Pending promises are assumed to be fulfilled.

enum DeadlockCheck {
  /// The conditions for a promise to settle.
  enum Cause {
    /// The calling thread has to return.
    case caller
    /// Another promise has to settle.
    case promise(Promise)
    /// Each of these promises has to settle.
    case promises([Promise])
    /// The promise can settle without the caller: by another thread, a clock or a resolver.
    case elsewhere
  }
}

extension Promise {
  /// Whether this promise certainly cannot settle before the calling thread returns.
  var isBlockedByCaller: Bool {
    isFound { cause in
      if case .caller = cause { true } else { false }
    }
  }

  /// Whether this promise certainly cannot settle before `other` has.
  package func needs(_ other: Promise) -> Bool {
    isFound(seesCaller: false) { cause in
      switch cause {
      case .promise(let next): next === other
      case .promises(let inputs): inputs.contains { $0 === other }
      case .caller, .elsewhere: false
      }
    }
  }

  /// Whether `matches` accepts the cause of this promise, or of a promise that it waits for.
  private func isFound(seesCaller: Bool = true, _ matches: (DeadlockCheck.Cause) -> Bool) -> Bool {
    var open = [self]
    var seen: Set<ObjectIdentifier> = []
    var kept: [Promise] = []
    while var current = open.popLast() {
      way: while seen.insert(ObjectIdentifier(current)).inserted {
        // The promise is retained, so that no other promise has the same address.
        kept.append(current)
        let cause = current.cause(seesCaller)
        if matches(cause) { return true }
        switch cause {
        case .promise(let next): current = next
        case .promises(let inputs):
          open += inputs
          break way
        case .caller, .elsewhere: break way
        }
      }
    }
    return false
  }

  /// `seesCaller`: whether handlers that the calling thread runs or blocks are reported as such.
  private func cause(_ seesCaller: Bool) -> DeadlockCheck.Cause {
    // One critical section, because a timer that fires removes its observer when it settles the promise.
    lock.lock()
    let state = state
    let parent = heldParent
    let completion = side?.observers.completion
    lock.unlock()
    switch state {
    case .fulfilled, .rejected, .followingThenable: return .elsewhere
    case .following(let adoption): return adoption.followed.map { .promise($0) } ?? .elsewhere
    case .running(let thread): return thread == CurrentThread.id ? .caller : .elsewhere
    case .handler(let handler):
      guard let parent else { return .elsewhere }
      // A sibling's handler runs on this stack, and must return before this promise can settle.
      if seesCaller, parent.isRunningHandlersHere { return .caller }
      let outcome = parent.outcome
      let isWanted = outcome.map(handler.handles) ?? handler.kind.contains(.value)
      if seesCaller, isWanted, (handler.context ?? defaultContext).isBlockedByCaller { return .caller }
      return outcome == nil ? .promise(parent) : .elsewhere
    case .unresolved:
      if let completion { return completion.cause }
      guard let parent, parent.isPending else { return .elsewhere }
      return .promise(parent)
    }
  }
}
