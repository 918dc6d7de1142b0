/// What transitions leave to be done when the lock is free: handlers to run, promises to settle elsewhere,
/// references to let go. The caller of transitions calls `Driver.perform` afterwards.
///
/// Belongs to one call on one thread, from ``begin(continuesInPlace:)`` to `Driver.perform`. The thread keeps
/// the object for its next call.
final class Effects {
  /// A handler to be run on this stack, after all notifications.
  struct Run {
    let handler: Handler
    let input: Outcome
    /// The child is to be cancelled when its handler has returned.
    let isCancelling: Bool
    var isFinally: Bool { handler.isFinally }

    /// Calls the handler and frees it before anything is settled.
    @inline(__always)
    consuming func result() -> Resolution {
      do { return try handler.call(input) } catch { return .outcome(.rejected(error)) }
    }
  }

  enum Step {
    /// Schedule the handlers of a settled promise, which this stack alone does. `resuming`: one that ran in
    /// place has returned, so the next one in place comes before what that one has started.
    case dispatch(Promise, resuming: Bool)
    /// The same, on another stack.
    case dispatchElsewhere(Promise)
    /// Settle those that wait for this promise, from one of them on, and have no handler for its outcome.
    case passOn(Promise, from: Promise?)
    /// Schedule the handlers of these children on a context; then schedule their parent's other handlers, if
    /// there is one to go on with.
    case schedule(Batch, ContextRef, of: Promise?, resuming: Bool)
    /// Pass a cancel on to a promise, and through a settled one to whatever is below.
    case cancel(Promise, any Error)
    /// Pass a cancel on to the children of a settled promise.
    case cancelChildren(Promise, any Error)
    /// Look whether a promise has no consumer left.
    case considerUnwanted(Promise, after: Promise?)
    /// Notify the observers of a promise.
    case notify(ObserverList, Promise, Outcome)
    /// An adopter does not follow any longer. With a reason it withdraws.
    case leave(Adoption, (any Error)?)
    /// Adopters of a promise that was freed follow another one instead.
    case relink([Adoption], Promise)
    /// Wake a thread or a task that waits for an outcome.
    case wake(() -> Void)
    /// Run cancellation hooks.
    case hooks([@Sendable (any Error) -> Void], any Error)
    /// Run users' closures: abandonment hooks, what hands an observer's job to its context.
    case call([@Sendable () -> Void])
    /// Run the body of a `finally` whose child was cancelled before it had begun.
    case detached(Promise, Handler, ContextRef, any Error)

    /// Whether foreign code may run on the stack that performs it.
    var runsForeignCode: Bool {
      switch self {
      case .hooks, .call, .detached: true
      case .schedule(_, let context, of: _, resuming: _): context.mayRunJobsAtOnce
      default: false
      }
    }
  }

  /// One promise or more.
  struct Batch {
    let first: Promise
    var rest: [Promise] = []
  }

  /// Whose effects these are.
  let thread: CurrentThread
  /// Whether this stack is a worker of the private context with no user frame on it, so that a handler for
  /// that context may run right here.
  @exclusivity(unchecked) private(set) var continuesInPlace = false
  /// Whether a handler or a hook has made the call: handlers in place wait until that has returned.
  @exclusivity(unchecked) var isNested = false
  @exclusivity(unchecked) var run: Run?
  /// The child that this handler is to settle.
  @exclusivity(unchecked) var child: Promise?
  /// A child of the private context that goes on here when everything else is done.
  @exclusivity(unchecked) var continuation: Promise?

  /// How many steps and children are in the queues below.
  @exclusivity(unchecked) private var queued = 0
  /// Comes before all other steps: observers are notified, and an adopter withdraws from its target, before
  /// any handler runs that is scheduled from now on.
  @exclusivity(unchecked) private var urgent = FIFO<Step>()
  @exclusivity(unchecked) private var steps = FIFO<Step>()
  /// Comes after outcomes have been passed on: a promise that is settled by then need not be cancelled.
  @exclusivity(unchecked) private var late = FIFO<Step>()
  /// What other threads can see comes last, so that they find everything done: handlers for contexts, and
  /// waiting threads and tasks.
  @exclusivity(unchecked) private var outward = FIFO<Step>()
  /// The next child of a promise whose handlers run on this stack, one after the other.
  @exclusivity(unchecked) private var sibling: Promise?
  /// Children whose handlers are to be run on this stack after that.
  @exclusivity(unchecked) private var inPlace = FIFO<Promise>()

  // Deferred releases: what transitions have taken out of fields. A step of a chain has two promises and a
  // handler at most.
  @exclusivity(unchecked) private var released: Promise?
  @exclusivity(unchecked) private var releasedToo: Promise?
  @exclusivity(unchecked) private var handler: Handler?
  @exclusivity(unchecked) private var debris: [Any] = []
  /// How many handlers that other threads had registered meanwhile were scheduled by this stack.
  @exclusivity(unchecked) private var lateCount = 0
  /// While a driver performs these: those of the driver further up the stack. Else the next one that the
  /// thread keeps.
  @exclusivity(unchecked) private var next: Effects?
  /// How many those are.
  @exclusivity(unchecked) private var keptCount = 0
  /// In debug builds: from `begin` to the end of `Driver.perform`.
  @exclusivity(unchecked) private var isInUse = false

  private init(on thread: CurrentThread) { self.thread = thread }

  /// Effects for one call on this thread.
  @inline(__always)
  static func begin(continuesInPlace: Bool = false) -> Effects {
    let effects = beginLocked(continuesInPlace: continuesInPlace)
    effects.interruptDriver()
    return effects
  }

  /// A handler that the driver further up has taken waits for its turn again: a `deinit` makes this call,
  /// which may cancel. Called with nothing locked.
  @inline(__always)
  func interruptDriver() {
    if let driven = thread.innermost, driven.run != nil { Driver.putBack(driven) }
  }

  /// The same as ``begin(continuesInPlace:)`` with a tree locked. The caller interrupts the driver.
  @inline(__always)
  static func beginLocked(continuesInPlace: Bool = false) -> Effects {
    let thread = CurrentThread.current
    let effects = thread.spare.take() ?? Effects(on: thread)
    swap(&thread.spare, &effects.next)
    effects.continuesInPlace = continuesInPlace
    effects.isNested = thread.depth > 0
    assert({ effects.isInUse = true }() == ())
    return effects
  }

  /// The effects that the driver further up the stack performs.
  var outer: Effects? { next }

  /// A driver begins to perform these effects.
  @inline(__always)
  func push() {
    next = thread.innermost
    thread.innermost = self
  }

  /// The driver has ended.
  @inline(__always)
  func pop() { thread.innermost = next.take() }

  /// Whether a handler that is to run in place would be the next thing to happen.
  @inline(__always) var isIdle: Bool { run == nil && queued == 0 && !isNested }

  func add(_ step: consuming Step) {
    assert(isInUse, "effects were used after they had been performed")
    queued += 1
    steps.append(step)
  }

  func add(urgent step: consuming Step) {
    queued += 1
    urgent.append(step)
  }

  func add(late step: consuming Step) {
    queued += 1
    late.append(step)
  }

  func add(outward step: consuming Step) {
    queued += 1
    outward.append(step)
  }

  /// The step that is next, if there is one.
  @inline(__always)
  func takeStep() -> Step? { queued == 0 ? nil : takeQueuedStep() }

  private func takeQueuedStep() -> Step? {
    guard let step = urgent.popFirst() ?? steps.popFirst() ?? late.popFirst() ?? outward.popFirst() else {
      return nil
    }
    queued -= 1
    return step
  }

  /// Adds a child whose handler is to run on this stack: the next one of a promise, if one of its handlers
  /// has just returned.
  func runInPlace(_ child: Promise, isSibling: Bool) {
    queued += 1
    if isSibling, sibling == nil { sibling = child } else { inPlace.append(child) }
  }

  @inline(__always)
  func takeInPlace() -> Promise? {
    guard queued > 0, let child = sibling.take() ?? inPlace.popFirst() else { return nil }
    queued -= 1
    return child
  }

  /// Counts a handler that another thread has registered.
  ///
  /// - Returns: Whether this call has scheduled as many of them as one call may.
  func countLate() -> Bool {
    lateCount += 1
    return lateCount > Limits.lateHandlers
  }

  /// Keeps a reference until the lock is free.
  @inline(__always)
  func letGo(of promise: consuming Promise) {
    if released == nil {
      released = promise
    } else if releasedToo == nil {
      releasedToo = promise
    } else {
      debris.append(promise)
    }
  }

  /// Keeps a handler that is not called until the lock is free.
  func letGo(of handler: Handler) {
    if self.handler == nil { self.handler = handler } else { debris.append(handler) }
  }

  /// Keeps something until the lock is free.
  func letGo(of thing: Any) { debris.append(thing) }

  /// Whether nothing is left but to let go of a promise or two. (What else is let go of may have a long tail:
  /// a driver does it, which bounds how many of them stand on one stack.)
  @inline(__always) var isDone: Bool {
    run == nil && continuation == nil && queued == 0 && handler == nil && debris.isEmpty
  }

  /// Everything is done: the thread may use the object again. It keeps a few: a call inside a handler needs
  /// one of its own.
  @inline(__always)
  static func end(_ effects: consuming Effects) {
    assert(effects.isDone && effects.isInUse, "effects were used after they had been performed")
    assert(effects.markUnused())
    effects.lateCount = 0
    let thread = effects.thread
    let count = thread.spare?.keptCount ?? 0
    guard count < 4 else { return }
    effects.keptCount = count + 1
    swap(&thread.spare, &effects.next)
    thread.spare = consume effects
  }

  /// Always true, so that an assertion may call it.
  private func markUnused() -> Bool {
    isInUse = false
    return true
  }

  /// Releases what was kept. A `deinit` that runs here may have effects of its own.
  @inline(__always)
  func clear() {
    if released != nil {
      released = nil
      if releasedToo != nil { releasedToo = nil }
    }
    if handler != nil { handler = nil }
    if !debris.isEmpty { clearDebris() }
  }

  private func clearDebris() {
    let debris = takeDebris()
    withExtendedLifetime(debris) {}
  }

  /// Not inlined: the optimizer would release the array while it is still in its place, and a `deinit` that
  /// waits (`Driver.performBeforeWaiting`) would find it there and release it again.
  @inline(never)
  private func takeDebris() -> [Any] {
    var debris: [Any] = []
    swap(&debris, &self.debris)
    return debris
  }
}
