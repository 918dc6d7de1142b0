// Performs the effects of transitions, with nothing locked. A work queue, so that chains of any length do not
// recurse.

enum Driver {
  /// How many drivers may stand on one stack, each called by foreign code that the one below has called:
  /// hooks, handlers in place, contexts that run jobs at once, deinits. A further one leaves its effects to
  /// them.
  private static let deepest = 16

  /// Performs all effects, on this stack or, if that is deep already, on the same thread further up. Nobody
  /// touches `effects` afterwards.
  @inline(__always)
  static func perform(_ effects: consuming Effects) {
    guard effects.isDone else { return performAll(effects) }
    effects.clear()
    Effects.end(effects)
  }

  private static func performAll(_ effects: consuming Effects) {
    guard !effects.isNested else { return performNested(effects) }
    let thread = effects.thread
    thread.depth += 1
    effects.push()
    drive(effects)
    effects.pop()
    Effects.end(effects)
    performDeferred(thread)
    thread.depth -= 1
  }

  /// A handler or a hook has made the call: handlers in place are left until that has returned.
  @inline(never)
  private static func performNested(_ effects: Effects) {
    let thread = effects.thread
    guard thread.depth < deepest else { return leaveToOuter(effects) }
    thread.depth += 1
    effects.push()
    drive(effects)
    effects.pop()
    thread.depth -= 1
    if effects.isDone { Effects.end(effects) } else { thread.deferred.append(effects) }
  }

  /// The stack is deep. What runs no foreign code on it is done all the same: the foreign code further up may
  /// block until a handler on another thread has run.
  private static func leaveToOuter(_ effects: Effects) {
    var left: [Effects.Step] = []
    while let step = effects.takeStep() {
      if step.runsForeignCode {
        left.append(step)
      } else {
        perform(step, effects)
      }
    }
    submitContinuation(effects)
    for step in left { effects.add(step) }
    effects.thread.deferred.append(effects)
  }

  /// The job for a context: runs the handler of a child, then all effects of its result.
  static func work(_ child: Promise, continuesInPlace: Bool = false) {
    let effects = Effects.begin(continuesInPlace: continuesInPlace)
    effects.thread.depth += 1
    effects.push()
    start(child, effects)
    if let run = effects.run.take(), let child = effects.child.take() { child.perform(run, effects) }
    effects.pop()
    effects.thread.depth -= 1
    if effects.thread.deferred.isEmpty { perform(effects) } else { performAll(effects) }
  }

  /// A blocking wait is about to begin: performs what this thread has still to do, or nobody would meanwhile.
  /// The drivers further up find nothing left of it.
  static func performBeforeWaiting() {
    let thread = CurrentThread.current
    var driven = thread.innermost
    while let effects = driven {
      let isNested = effects.isNested
      effects.isNested = false
      drive(effects)
      effects.isNested = isNested
      driven = effects.outer
    }
    performDeferred(thread)
  }

  @inline(__always)
  private static func performDeferred(_ thread: CurrentThread) {
    while let effects = thread.deferred.popFirst() {
      effects.isNested = false
      effects.push()
      drive(effects)
      effects.pop()
      Effects.end(effects)
    }
  }

  private static func drive(_ effects: Effects) {
    while true {
      effects.clear()
      if let step = effects.takeStep() {
        if effects.run != nil { putBack(effects) }
        perform(step, effects)
      } else if effects.isNested {
        return submitContinuation(effects)
      } else if let run = effects.run.take(), let child = effects.child.take() {
        if effects.continuation != nil { submitContinuation(effects) }
        child.perform(run, effects)
      } else if let child = effects.takeInPlace() {
        start(child, effects)
      } else if let child = effects.continuation.take() {
        start(child, effects)
      } else {
        return
      }
    }
  }

  /// Other things come before the handler that is to run next. Until its turn comes, it can be cancelled.
  @inline(never)
  static func putBack(_ effects: Effects) {
    guard let run = effects.run, let child = effects.child else { return }
    child.lock.lock()
    let waits = child.putBack(run)
    let isInPlace = child.flags.contains(.resumesParent)
    child.lock.unlock()
    guard waits else { return }
    effects.run = nil
    effects.child = nil
    guard !isInPlace else { return effects.runInPlace(child, isSibling: true) }
    submitContinuation(effects)
    effects.continuation = child
  }

  private static func start(_ child: Promise, _ effects: Effects) {
    child.lock.lock()
    child.start(effects)
    child.lock.unlock()
  }

  private static func perform(_ step: consuming Effects.Step, _ effects: Effects) {
    switch consume step {
    case .dispatch(let promise, let isResuming):
      promise.lock.lock()
      promise.dispatchNext(resuming: isResuming, effects)
      promise.lock.unlock()
    case .dispatchElsewhere(let promise): dispatchElsewhere(promise)
    case .schedule(let children, let context, let parent, let isResuming):
      context.schedule(children, effects)
      guard let parent else { return }
      parent.lock.lock()
      parent.dispatchNext(resuming: isResuming, effects)
      parent.lock.unlock()
    case .passOn(let promise, let child):
      promise.lock.lock()
      promise.passOn(from: child, effects)
      promise.lock.unlock()
    case .cancel(let promise, let reason): promise.cancel(because: reason, effects)
    case .cancelChildren(let promise, let reason): promise.cancelChildren(reason, effects)
    case .considerUnwanted(let promise, let child):
      promise.lock.lock()
      promise.considerUnwanted(after: child, effects)
      promise.lock.unlock()
    case .notify(let observers, let promise, let outcome):
      observers.forEach { $0.settled(promise, with: outcome, effects) }
      observers.dissolve()
    case .leave(let adoption, let reason):
      adoption.withdraw(reason, effects)
    case .relink(let adoptions, let target):
      for adoption in adoptions { adoption.relink(to: target, effects) }
    case .wake(let wake): wake()
    case .hooks(let hooks, let reason):
      submitContinuation(effects)
      for hook in hooks { hook(reason) }
    case .call(let closures):
      submitContinuation(effects)
      for closure in closures { closure() }
    case .detached(let promise, let handler, let context, let reason):
      submitContinuation(effects)
      context.runDetached(handler, of: promise, reason)
    }
  }

  /// Other threads register handlers faster than this one schedules them: the rest goes to the worker pool,
  /// so that no call schedules handlers of others without bound.
  private static func dispatchElsewhere(_ promise: Promise) {
    DefaultContext.queue.async {
      let effects = Effects.begin()
      effects.add(.dispatch(promise, resuming: false))
      Driver.perform(effects)
    }
  }

  /// Foreign code is about to run on this stack: the jobs behind it go to the worker pool.
  static func submitContinuation(_ effects: Effects) {
    if let child = effects.continuation.take() { WorkerPool.mine.add(child) }
  }
}
