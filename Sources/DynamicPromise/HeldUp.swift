// Whether a promise can settle while this thread blocks. A blocking wait asks before it blocks, and again from time to
// time, because a promise that is adopted meanwhile may need what this thread is inside of.
//
// What a promise waits for is followed up: to the parent while its handler waits, to the promise that it has adopted, from
// the result of a combinator to its inputs. The question is whether a handler on that way needs a context that cannot go
// on before this thread returns, or is the one that this thread runs. What is pending is taken to be fulfilled in the
// end: a handler for a rejection that nobody knows of yet is nothing that is waited for.
//
// The way is walked with a list of its own (L4), one lock at a time, none of them while a context is asked.

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

extension Promise {
  /// Whether this promise cannot settle before the calling thread returns, as far as can be told.
  var isHeldUpByCaller: Bool {
    var open = [self]
    var seen: Set<ObjectIdentifier> = []
    while var current = open.popLast() {
      way: while seen.insert(ObjectIdentifier(current)).inserted {
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

  private var cause: Cause {
    let bits = word.lock()
    guard State.isUnresolved(bits) else {
      let target = bits & State.hasTarget != 0 ? store.target() : nil
      word.unlock(bits)
      return target.map { .promise($0) } ?? .elsewhere
    }
    let parent = up.parent?.takeUnretainedValue()
    let thread = bits & State.started != 0 ? store.words.0 : 0
    let sentry = firstSentry
    word.unlock(bits)
    if thread != 0 { return thread == CurrentThread.id ? .caller : .elsewhere }
    if bits & State.hasHandlers != 0 { return parent.map { causeOfHandler(bits, below: $0) } ?? .elsewhere }
    if let sentry { return sentry.cause }
    guard let parent, bits & State.started == 0, parent.isPending else { return .elsewhere }
    return .promise(parent)
  }

  /// The handlers have not begun to run.
  private func causeOfHandler(_ bits: UInt, below parent: Promise) -> Cause {
    let parentBits = parent.word.peek()
    let isSettled = State.isSettled(parentBits)
    let wanted = parentBits & State.mask == State.rejected ? State.handlesReason : State.handlesValue
    if bits & wanted != 0, context.isHeldUpByCaller { return .caller }
    return isSettled ? .elsewhere : .promise(parent)
  }
}

extension Promise {
  /// The sentry of whoever works for the promise, which is locked.
  private var firstSentry: Sentry? {
    if let alone = rare.observer { return alone.takeUnretainedValue() as? Sentry }
    return cold?.observers.firstSentry
  }
}

extension ObserverList {
  /// The sentry of whoever works for the promise.
  fileprivate var firstSentry: Sentry? {
    var observer = first
    while let current = observer {
      if let sentry = current as? Sentry { return sentry }
      observer = current.nextObserver
    }
    return nil
  }
}
