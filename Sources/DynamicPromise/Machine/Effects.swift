/// What transitions leave to be done when the lock is free: handlers to run, promises to settle elsewhere,
/// references to let go. Whoever has called transitions calls ``perform()`` afterwards.
struct Effects {
  /// A handler to be run on this stack, after all notifications.
  struct Run {
    let call: Handler.Call
    let kind: Handler.Kind
    let input: Outcome
    /// The child is to be cancelled when its handler has returned.
    let isCancelling: Bool
    var isFinally: Bool { kind.contains(.finally) }

    /// Calls the handler and frees it before anything is settled.
    @inline(__always)
    consuming func result() -> Resolution {
      do { return try call(input) } catch { return .outcome(.rejected(error)) }
    }
  }

  enum Step {
    /// Schedule the handlers of a settled promise that nobody else is scheduling.
    case dispatch(Promise)
    /// The same, on another stack.
    case dispatchElsewhere(Promise)
    /// Settle those that wait for this promise, behind others, and have no handler for its outcome.
    case passOn(Promise, after: Promise?)
    /// Schedule the handlers of these children on a context; then schedule their parent's other handlers, if
    /// there is one to go on with.
    case schedule(Batch, ContextRef, of: Promise?)
    /// Pass a cancel on to a promise, and through a settled one to whatever is below.
    case cancel(Promise, any Error)
    /// Pass a cancel on to further children of a settled promise.
    case cancelChildren(Promise, any Error)
    /// Look whether a promise has no consumer left.
    case considerUnwanted(Promise, after: Promise?)
    /// Notify the observers of a promise.
    case notify(ObserverList, Promise, Outcome)
    /// An adopter does not follow any longer. With a reason it withdraws.
    case leave(Adoption, (any Error)?)
    /// Adopters of a promise that was freed follow another one instead.
    case relink([Adoption], Promise)
    /// Wake whoever waits for an outcome: a thread or a task.
    case wake(() -> Void)
    /// Run cancellation hooks.
    case hooks([@Sendable (any Error) -> Void], any Error)
    /// Run users' closures: abandonment hooks, what hands an observer's job to its context.
    case call([@Sendable () -> Void])
    /// Run the body of a `finally` whose child was cancelled before it had begun.
    case detached(Handler, ContextRef, any Error)

    /// Whether it may cancel somebody, or run foreign code. The others only lead to steps that may.
    var mayCancel: Bool {
      switch self {
      case .dispatch, .passOn: false
      default: true
      }
    }
  }

  /// One promise or more.
  struct Batch {
    let first: Promise
    var rest: [Promise] = []
  }

  /// Whether this stack is a worker of the private context with no user frame on it, so that a handler for
  /// that context may run right here.
  let continuesInPlace: Bool
  var run: Run?
  /// The child that this handler is to settle.
  var child: Promise?
  /// A child of the private context that goes on here when everything else is done.
  var continuation: Promise?
  // Deferred releases: references that transitions have taken out of fields. A step of a chain has two at
  // most.
  private var released: Promise?
  private var releasedToo: Promise?
  /// Everything else, made when there is some.
  private var rest: Rest?

  private final class Rest {
    /// Comes before all other steps: observers are notified, and an adopter withdraws from its target, before
    /// any handler runs that is scheduled from now on.
    @exclusivity(unchecked) var urgent = FIFO<Step>()
    @exclusivity(unchecked) var steps = FIFO<Step>()
    /// Comes after outcomes have been passed on: a promise that is settled by then need not be cancelled.
    @exclusivity(unchecked) var late = FIFO<Step>()
    /// What other threads can see comes last, so that they find everything done: handlers for contexts, and
    /// waiting threads and tasks.
    @exclusivity(unchecked) var outward = FIFO<Step>()
    /// How many of these have been searched, before the late steps, for children without a handler
    /// (`passOn`).
    @exclusivity(unchecked) var searched = 0
    /// The next child of a promise whose handlers run on this stack, one after the other.
    @exclusivity(unchecked) var sibling: Promise?
    /// Children whose handlers are to be run on this stack after that.
    @exclusivity(unchecked) var inPlace = FIFO<Promise>()
    @exclusivity(unchecked) var handler: Handler?
    @exclusivity(unchecked) var debris: [Any] = []
    /// How many handlers that other threads had registered meanwhile were scheduled by this stack.
    @exclusivity(unchecked) var lateCount = 0

    /// What settles without a handler must not depend on whether a sibling's handler comes first.
    func takeLate() -> Step? {
      guard !late.isEmpty else { return nil }
      while searched < outward.count {
        searched += 1
        if case .schedule(_, _, of: let parent?) = outward[searched - 1] {
          return .passOn(parent, after: nil)
        }
      }
      return late.popFirst()
    }

    func takeOutward() -> Step? {
      if searched > 0 { searched -= 1 }
      return outward.popFirst()
    }

    var isIdle: Bool {
      sibling == nil && inPlace.isEmpty && steps.isEmpty && urgent.isEmpty && late.isEmpty && outward.isEmpty
    }
  }

  init(continuesInPlace: Bool = false) { self.continuesInPlace = continuesInPlace }

  /// Whether a handler that is to run in place would be the next thing to happen.
  @inline(__always) var isIdle: Bool { run == nil && rest?.isIdle ?? true }

  private var others: Rest {
    mutating get {
      if let rest { return rest }
      let made = Rest()
      rest = made
      return made
    }
  }

  mutating func add(_ step: Step) { others.steps.append(step) }
  mutating func add(urgent step: Step) { others.urgent.append(step) }
  mutating func add(late step: Step) { others.late.append(step) }
  mutating func add(outward step: Step) { others.outward.append(step) }

  @inline(__always)
  mutating func takeStep() -> Step? { rest.flatMap(Self.takeStep) }

  private static func takeStep(_ rest: Rest) -> Step? {
    rest.urgent.popFirst() ?? rest.steps.popFirst() ?? rest.takeLate() ?? rest.takeOutward()
  }

  /// Adds a child whose handler is to run on this stack: the next one of a promise, if one of its handlers
  /// has just returned.
  mutating func runInPlace(_ child: Promise, isSibling: Bool) {
    if isSibling, others.sibling == nil { others.sibling = child } else { others.inPlace.append(child) }
  }

  @inline(__always)
  mutating func takeInPlace() -> Promise? { rest.flatMap { $0.sibling.take() ?? $0.inPlace.popFirst() } }

  /// Counts a handler that another thread has registered.
  ///
  /// - Returns: Whether this call has scheduled as many of them as one call may.
  mutating func countLate() -> Bool {
    others.lateCount += 1
    return others.lateCount > Limits.lateHandlers
  }

  /// Keeps a reference until the lock is free.
  @inline(__always)
  mutating func letGo(of promise: consuming Promise) {
    if released == nil {
      released = promise
    } else if releasedToo == nil {
      releasedToo = promise
    } else {
      others.debris.append(promise)
    }
  }

  /// Keeps a handler that is not called until the lock is free.
  mutating func letGo(of handler: Handler) {
    if others.handler == nil { others.handler = handler } else { others.debris.append(handler) }
  }

  /// Keeps something until the lock is free.
  mutating func letGo(of thing: Any) { others.debris.append(thing) }

  /// Does everything, on this stack or, if that is deep already, on the same thread further up.
  @inline(__always)
  mutating func perform() {
    if run != nil || continuation != nil || rest != nil { Driver.perform(&self) }
  }

  /// Releases what was kept. A `deinit` that runs here may have effects of its own.
  @inline(__always)
  mutating func clear() {
    if released != nil {
      released = nil
      if releasedToo != nil { releasedToo = nil }
    }
    if let rest {
      rest.handler = nil
      if !rest.debris.isEmpty { rest.debris = [] }
    }
  }
}
