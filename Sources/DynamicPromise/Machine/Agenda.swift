// The work list along which everything travels that would otherwise recurse over our own links (L4, C8).

/// What is still to be done before a settling, cancelling or registering call returns, first in, first out.
struct Agenda {
  enum Step {
    /// Hand over the continuations of a settled promise; the step holds it, and nobody else dispatches it.
    case dispatch(Unmanaged<Promise>)
    case cancel(Descendant, any Error)
  }

  /// Whether this stack is a worker of the private default context with no user frame on it, so that a handler
  /// may be run right here.
  let continuesInPlace: Bool
  /// The child that goes on in place when everything else is done; held.
  var continuation: Unmanaged<Promise>?

  /// Whether this stack is among the `Walkers`.
  private var isWalking = false

  /// A promise whose handler runs on this stack, held: if it settles by that, the hold becomes its dispatch step's.
  private var running: Unmanaged<Promise>?

  /// A child that goes on here before anything else, held: the next one of a promise that is being dispatched.
  private(set) var child: Unmanaged<Promise>?
  private var inherits = false
  /// A dispatch step that came when there was no other.
  private var first: Unmanaged<Promise>?
  /// Not even an empty array where there are none, which is almost always: it would be released.
  private var rest: [Step]?
  private var restHead = 0
  /// Whether a promise that is still to be dispatched has observers. They shall hear of its outcome before any handler can that is handed
  /// over from now on: the first outcome is to be the first for a race, too.
  private var hasNews = false
  /// How far they have.
  private var restTold = 0
  private var isTelling = false

  init(continuesInPlace: Bool = false) { self.continuesInPlace = continuesInPlace }

  mutating func add(_ step: Step) {
    if rest == nil { rest = [step] } else { rest!.append(step) }
  }

  /// Whether there is no step.
  @inline(__always) var isIdle: Bool { child == nil && first == nil && hasNoRest }

  @inline(__always) private var hasNoRest: Bool { rest == nil || rest!.isEmpty }

  /// Adds a child that was taken out of its parent's list to go on upon this stack, before all other steps.
  @inline(__always)
  mutating func add(_ child: Unmanaged<Promise>, inherits: Bool) {
    self.child = child
    self.inherits = inherits
  }

  /// Adds the dispatch of a promise that has just been marked as dispatching.
  @inline(__always)
  mutating func addDispatch(of promise: Promise) {
    var held = Unmanaged.passUnretained(promise)
    if running?.toOpaque() == held.toOpaque() { running = nil } else { held = held.retain() }
    if isIdle { first = held } else { add(.dispatch(held)) }
  }

  /// The promise whose dispatch has just been added has observers.
  mutating func noteNews() { hasNews = true }

  /// Called before a handler is handed over.
  @inline(__always)
  mutating func tellNews() {
    if hasNews { tellAllNews() }
  }

  /// What settles by that is news as well. Each promise is held by its dispatch step, which nobody takes meanwhile.
  /// An observer may begin something here that comes back, which is not gone into (L4).
  @inline(never)
  private mutating func tellAllNews() {
    guard !isTelling else { return }
    isTelling = true
    defer { isTelling = false }
    while hasNews {
      hasNews = false
      first?.use { $0.tellObservers(&self) }
      restTold = max(restTold, restHead)
      while let count = rest?.count, restTold < count {
        if case .dispatch(let promise) = rest![restTold] { promise.use { $0.tellObservers(&self) } }
        restTold += 1
      }
    }
  }

  /// Runs the handler of `child` and gives up the reference.
  @inline(__always)
  mutating func run(_ child: Unmanaged<Promise>) {
    assert(running == nil, "a handler that runs within another one's turn needs `withinTurn`")
    running = child
    child.use { $0.runHandler(&self) }
    if running != nil {
      running = nil
      child.release()
    }
  }

  /// Settles `child` by what its handler came to, and gives up the reference.
  mutating func conclude(_ child: Unmanaged<Promise>, _ found: Found, _ result: inout Store) {
    running = child
    child.use {
      $0.resolve(found, &result, &self)
      if !State.isSettled($0.word.peek()) { $0.releaseDispatching(&self) }
    }
    if running != nil {
      running = nil
      child.release()
    }
  }

  /// Does something that may run another handler while one has not ended its turn, and would otherwise lose its hold.
  mutating func withinTurn<Result>(_ body: (inout Agenda) -> Result) -> Result {
    let outer = running
    running = nil
    defer { running = outer }
    return body(&self)
  }

  private mutating func next() -> Step? {
    guard let count = rest?.count, restHead < count else { return nil }
    let step = rest![restHead]
    restHead += 1
    if restHead == count {
      rest!.removeAll(keepingCapacity: rest!.capacity < 1024)
      (restHead, restTold) = (0, 0)
    } else if restHead >= 4096, restHead * 2 >= count {
      rest!.removeFirst(restHead)
      (restHead, restTold) = (0, max(restTold - restHead, 0))
    }
    return step
  }

  /// Foreign code is about to run on this stack: what waits behind it goes to the pool (X1).
  mutating func submitContinuation() {
    guard let child = continuation else { return }
    continuation = nil
    ContextRef.shared.submit(child, &self)
  }

  /// Works until nothing is left.
  @inline(__always)
  mutating func run() {
    while runFirst() {}
    if !hasNoRest || continuation != nil || isWalking { runOn() }
  }

  @inline(__always)
  private mutating func runFirst() -> Bool {
    if let child {
      self.child = nil
      if inherits { Promise.inherit(child, &self) } else { Promise.runHere(child, &self) }
    } else if let promise = first {
      first = nil
      Promise.dispatch(promise, &self)
    } else {
      return false
    }
    return true
  }

  @inline(never)
  private mutating func runOn() {
    while true {
      if runFirst() { continue }
      if let step = next() {
        switch step {
        case .dispatch(let promise): Promise.dispatch(promise, &self)
        case .cancel(let descendant, let reason): descendant.tell(reason, &self)
        }
      } else if let child = continuation {
        continuation = nil
        run(child)
      } else {
        if isWalking { Walkers.remove() }
        isWalking = false
        return
      }
    }
  }

  /// Called before descendants are collected from an `active` list.
  mutating func walk() {
    if !isWalking { Walkers.add() }
    isWalking = true
  }
}
