// The deadlock check: whether a promise can settle while this thread blocks. Checked before the wait, and
// again from time to time.
//
// The check visits every promise that has to settle before the awaited one: the parent of a waiting handler,
// a followed promise, and the inputs of a combinator. A deadlock is certain if a handler of one runs on this
// thread, or needs a context that it blocks. Promises are assumed to be fulfilled, unless a cancel comes.

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
    isFound { if case .caller = $0 { true } else { false } }
  }

  /// Whether this promise certainly cannot settle before `other` has.
  package func needs(_ other: Promise) -> Bool {
    isFound(seesCaller: false) { cause in
      switch cause {
      case .promise(let next): next == other
      case .promises(let inputs): inputs.contains(other)
      case .caller, .elsewhere: false
      }
    }
  }

  /// Whether `matches` accepts the cause of this promise, or of a promise that it waits for.
  private func isFound(seesCaller: Bool = true, _ matches: (DeadlockCheck.Cause) -> Bool) -> Bool {
    var open = [self]
    var seen: Set<PromiseIdentity> = []
    var kept: [Promise] = []
    while var current = open.popLast() {
      way: while seen.insert(current.identity).inserted {
        // The promise is retained, so that no other promise has the same address while identities are
        // compared.
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
    switch clue(seesCaller) {
    case .known(let cause): return cause
    case .following(let link): return link.targetPromise.map { .promise($0) } ?? .elsewhere
    case .completion(let completion): return completion.cause
    case .handler(let parent, let context):
      if context?.isBlockedByCaller == true, parent == nil || !core.lock.with({ core.isPassedOver }) {
        return .caller
      }
      return parent.map { .promise($0) } ?? .elsewhere
    }
  }

  /// What the fields of a promise say of its cause. The rest needs the lock to be free.
  private enum Clue {
    case known(DeadlockCheck.Cause)
    case following(Adoption)
    case completion(CompletionObserver)
    /// A handler, with the pending parent, and with the context if it may be blocked.
    case handler(Promise?, on: ContextRef?)
  }

  private func clue(_ seesCaller: Bool) -> Clue {
    // One critical section, because a timer that fires removes its observer when it settles the promise.
    let lock = core.lock
    lock.lock()
    defer { lock.unlock() }
    // Unwanted: it will be cancelled, after those above that were given up too, whatever else it waits for.
    if !core.isSettled, core.phase != .running, core.isUnneeded, core.reasonToCleanUp == nil {
      guard let parent = core.heldParent, core.flags.contains(.givenUp), parent.flags.contains(.givenUp)
      else { return .known(.elsewhere) }
      return .known(.promise(parent.promise()))
    }
    switch core.phase {
    case .fulfilled, .rejected, .gone, .followingThenable: return .known(.elsewhere)
    case .following: return .following(core.adoption)
    case .running: return .known(core.runningThread == CurrentThread.id ? .caller : .elsewhere)
    case .handler:
      guard let parent = core.up else { return .known(.elsewhere) }
      let isDue = parent.isSettled || core.flags.contains(.unwantedHandler)
      let isWanted = core.kind.handles(parent.isSettled ? parent.phase : isDue ? .rejected : .fulfilled)
      return .handler(isDue ? nil : parent.promise(), on: isWanted && seesCaller ? core.ownContext : nil)
    case .unresolved:
      if let completion = core.side?.observers.completion { return .completion(completion) }
      guard let parent = core.up, !parent.isSettled else { return .known(.elsewhere) }
      return .known(.promise(parent.promise()))
    }
  }
}

extension Core {
  /// Whether a cancel is on its way that does not call this handler. Looks at a bounded number of ancestors.
  fileprivate var isPassedOver: Bool {
    if kind.handles(.rejected) { return false }
    var current = self
    for _ in 0..<Limits.slice {
      if current.isUnneeded || current.reasonToCleanUp != nil { return true }
      guard let parent = current.heldParent, !parent.isSettled else { return false }
      current = parent
    }
    return false
  }
}
