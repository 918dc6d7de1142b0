// The deadlock check: whether a promise can settle while this thread blocks. A blocking wait checks before it
// blocks, and again from time to time, because the promise may follow another promise meanwhile.
//
// The check visits every promise that has to settle before the awaited promise: the parent of a waiting
// handler, a followed promise, and the inputs of a combinator. A deadlock is certain if one of their handlers
// runs on this thread, or needs a context that this thread blocks. Pending promises are assumed to be
// fulfilled in the end, so a rejection handler below a pending promise does not count.

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
    var open = [self]
    var seen: Set<ObjectIdentifier> = []
    var kept: [Promise] = []
    while var current = open.popLast() {
      way: while seen.insert(ObjectIdentifier(current)).inserted {
        // The promise is retained, so that no other promise has the same address while identities are
        // compared.
        kept.append(current)
        switch current.cause {
        case .caller: return true
        case .promise(let next): current = next
        case .promises(let inputs):
          open += inputs
          break way
        case .elsewhere: break way
        }
      }
    }
    return false
  }

  private var cause: DeadlockCheck.Cause {
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
      if parent.isRunningHandlersHere { return .caller }
      let outcome = parent.outcome
      let isWanted = outcome.map(handler.handles) ?? handler.kind.contains(.value)
      if isWanted, (handler.context ?? defaultContext).isBlockedByCaller { return .caller }
      return outcome == nil ? .promise(parent) : .elsewhere
    case .unresolved:
      if let completion { return completion.cause }
      guard let parent, parent.isPending else { return .elsewhere }
      return .promise(parent)
    }
  }
}
