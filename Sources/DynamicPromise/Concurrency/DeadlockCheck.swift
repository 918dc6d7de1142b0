// Whether a promise can settle while this thread blocks. A blocking wait asks before it blocks, and again from time to
// time, because a promise that is adopted meanwhile may need what this thread is inside of.
//
// What a promise waits for is followed up: to the parent while its handler waits, to the promise that it follows, from
// the result of a combinator to its inputs. The question is whether a handler on that way needs a context that cannot go
// on before this thread returns, or is the one that this thread runs. What is pending is taken to be fulfilled in the
// end: a handler for a rejection that nobody knows of yet is nothing that is waited for.

enum DeadlockCheck {
  /// What has to happen before a promise settles.
  enum Cause {
    /// The calling thread has to return.
    case caller
    /// Another promise has to settle.
    case promise(Promise)
    /// Each of these has to settle.
    case promises([Promise])
    /// Something that need not wait for the caller: another thread, a clock, whoever has the resolver.
    case elsewhere
  }
}

extension Promise {
  /// Whether this promise cannot settle before the calling thread returns, as far as can be told.
  var isHeldUpByCaller: Bool {
    var open = [self]
    var seen: Set<ObjectIdentifier> = []
    var kept: [Promise] = []
    while var current = open.popLast() {
      way: while seen.insert(ObjectIdentifier(current)).inserted {
        // What was seen is told apart by its identity, and so must not go.
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
    lock.lock()
    let state = state
    let parent = heldParent
    lock.unlock()
    switch state {
    case .fulfilled, .rejected, .following(.thenable): return .elsewhere
    case .following(.promise(let adoption)): return adoption.followed.map { .promise($0) } ?? .elsewhere
    case .running(let thread): return thread == CurrentThread.id ? .caller : .elsewhere
    case .handler(let handler):
      guard let parent else { return .elsewhere }
      let outcome = parent.outcome
      let isWanted = outcome.map(handler.handles) ?? handler.kind.contains(.value)
      if isWanted, (handler.context ?? defaultContext).isHeldUpByCaller { return .caller }
      return outcome == nil ? .promise(parent) : .elsewhere
    case .unresolved:
      if let completion = lock.with({ side?.observers.completion }) { return completion.cause }
      guard let parent, parent.isPending else { return .elsewhere }
      return .promise(parent)
    }
  }
}
