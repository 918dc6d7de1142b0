// Work that continues after a promise has settled.
//
// A promise that is cancelled or resolved by hand may leave unfinished work:
//
//     work                                             ends when
//     a running handler                                it has returned
//     a scheduled handler                              it has returned, or its job was dropped
//     the body of a `finally` that has not begun       it has returned, or its job was dropped
//     cancel hooks                                     all have returned
//     a Swift task                                     it has ended
//     an unused resolver                               it is used or freed
//     a thenable that has not called back              it calls back, or its functions are freed
//     a promise from which it withdrew                 that promise is finished
//     a promise that a clean-up has returned           that promise is finished
//     a followed promise with unfinished work          that promise is finished
//
// While such work exists, the settled promise has an extra pending child. The child is fulfilled when all
// work has ended. A search for pending promises thus also finds unfinished promises. A cancel skips the
// child.
//
// OWNERSHIP. promise ─▶ work ─▶ child ─▶ promise: a cycle until the work has ended.

/// The unfinished work of a settled promise. Guarded by the tree's lock.
final class UnfinishedWork: CompletionObserver, @unchecked Sendable {
  let child: Promise
  /// The thread that runs the handler, or the body of a cancelled `finally`; zero for an asynchronous
  /// handler.
  @exclusivity(unchecked) var handlersThread: UInt?
  /// The thread that calls the cancel hooks, and the number of hooks that have not returned.
  @exclusivity(unchecked) fileprivate var hooksThread: UInt = 0
  @exclusivity(unchecked) fileprivate var hooks = 0
  @exclusivity(unchecked) var awaitsResolver = false
  @exclusivity(unchecked) var awaitsThenable = false
  /// Whether the combinator or series still has to withdraw from promises.
  @exclusivity(unchecked) var awaitsCompletion = false
  /// The number of `finally` bodies that have not returned.
  @exclusivity(unchecked) var bodies = 0
  @exclusivity(unchecked) fileprivate var waits: [ObjectIdentifier: FinishedWait] = [:]
  /// Whether a `FinishedWait` has waited for this work.
  @exclusivity(unchecked) fileprivate var isAwaited = false

  fileprivate init(_ child: Promise) {
    self.child = child
    super.init()
  }

  fileprivate var hasEnded: Bool {
    handlersThread == nil && hooks == 0 && !awaitsResolver && !awaitsThenable && !awaitsCompletion
      && bodies == 0 && waits.isEmpty
  }

  /// The promises for which this work waits now.
  fileprivate var awaited: [Promise] {
    child.lock.with { Array(waits.values) }.compactMap(\.awaited)
  }

  override var cause: DeadlockCheck.Cause {
    let thread = CurrentThread.id
    if child.lock.with({ handlersThread == thread || hooks > 0 && hooksThread == thread }) {
      return .caller
    }
    let awaited = awaited
    return awaited.isEmpty ? .elsewhere : .promises(awaited)
  }
}

// Called with the lock held.
extension Promise {
  /// Adds the promise's current activity to its unfinished work. Called just before the promise is cancelled.
  func addUnfinishedWork() {
    switch state {
    case .running(let thread): addUnfinishedWork { $0.handlersThread = thread }
    case .followingThenable: addUnfinishedWork { $0.awaitsThenable = true }
    case .following(let adoption): adoption.addUnfinishedWork(of: self)
    case .unresolved, .handler, .fulfilled, .rejected: break
    }
  }

  /// Adds a running handler or Swift task to the unfinished work. Called just before the promise is resolved
  /// by hand.
  func addUnfinishedHandler() {
    if case .running(let thread) = state { addUnfinishedWork { $0.handlersThread = thread } }
    if let side, side.source == .task { addUnfinishedWork { $0.awaitsResolver = true } }
  }

  /// Adds the resolver or task of a cancelled promise, and its cancel hooks, to the unfinished work. The
  /// hooks are called when the lock is free.
  func addUnfinishedTask(_ hooks: [@Sendable (any Error) -> Void], _ reason: any Error, _ turn: Turn) {
    if let side, side.source != .none { addUnfinishedWork { $0.awaitsResolver = true } }
    if hooks.isEmpty { return }
    addUnfinishedWork { work in
      work.hooksThread = turn.thread.number
      work.hooks += hooks.count
    }
    for hook in hooks {
      turn.call { [self] in
        hook(reason)
        lock.lock()
        endUnfinishedWork(turn) { $0.hooks -= 1 }
        lock.unlock()
      }
    }
  }

  /// Changes the unfinished work, which is made on first use.
  func addUnfinishedWork(_ add: (UnfinishedWork) -> Void) { add(side?.unfinished ?? makeUnfinishedWork()) }

  private func makeUnfinishedWork() -> UnfinishedWork {
    let child = Promise(below: self, .none)
    child.kind = .unfinished
    child.flags = .observed
    child.noteCreated(below: self)
    hold(for: child)
    addOther(child)
    let work = UnfinishedWork(child)
    child.sideFields.label = Side.Label("unfinished work")
    child.sideFields.observers.append(work)
    sideFields.unfinished = work
    return work
  }

  /// Removes a part of the unfinished work. When nothing is left, the extra child is fulfilled.
  func endUnfinishedWork(_ turn: Turn, _ remove: (UnfinishedWork) -> Void) {
    guard let work = side?.unfinished else { return }
    remove(work)
    guard work.hasEnded else { return }
    side?.unfinished = nil
    turn.release(work as Any)
    work.child.settle(.fulfilled(.void), turn)
  }

  /// Adds a handler that has moved to a detached child, if the handler is scheduled or runs. A handler whose
  /// parent is pending does not count, because it may never run.
  func addUnfinishedWait(forDetachedChildOf side: Side, _ turn: Turn) {
    guard let detached = side.detachedChild, !detached.state.isSettled,
      detached.heldParent?.state.isSettled == true
    else { return }
    addUnfinishedWait().start(atPending: detached, turn)
  }

  /// Adds a wait to the unfinished work. The caller starts the wait.
  func addUnfinishedWait() -> FinishedWait {
    let wait = FinishedWait { [self] wait, turn in
      lock.lock()
      endUnfinishedWork(turn) { $0.waits[ObjectIdentifier(wait)] = nil }
      lock.unlock()
    }
    wait.owner = self
    addUnfinishedWork { $0.waits[ObjectIdentifier(wait)] = wait }
    return wait
  }
}

// Called with nothing locked.
extension Promise {
  /// The unfinished work of this settled promise or of a rejected ancestor. The work of fulfilled ancestors
  /// does not count. Looks at 64 ancestors at most, so that the cost does not grow with the depth of the
  /// tree.
  fileprivate func unfinishedWork(
    except passed: [UnfinishedWork] = [], looksAbove: Bool = true, _ turn: Turn
  ) -> UnfinishedWork? {
    var current = self
    var looks = looksAbove ? Limits.slice : 0
    while true {
      current.lock.lock()
      let counts = current === self ? current.state.isSettled : current.state.reason != nil
      let work = counts ? current.side?.unfinished : nil
      var above = current.state.isSettled ? current.node?.up : nil
      var next: Promise?
      while next == nil, looks > 0, let node = above {
        looks -= 1
        if node.mayHavePending { next = node.promoted() }
        above = node.up
      }
      current.lock.unlock()
      if let work, !passed.contains(where: { $0 === work }) { return work }
      guard let next else { return nil }
      turn.release(next)
      current = next
    }
  }

  /// Withdraws from `other`. If `other` has no consumer left, its end is part of this promise's unfinished
  /// work.
  func withdraw(from other: Promise, _ reason: any Error, _ turn: Turn) {
    lock.with { addUnfinishedWait() }.start(at: other, if: other.withdraw(reason, turn), turn)
  }

  /// Adds the unfinished work of `other` to the unfinished work of this promise.
  func waitForWork(of other: Promise, _ turn: Turn) {
    guard other.isUnfinished(turn) else { return }
    lock.with { addUnfinishedWait() }.start(at: other, turn)
  }

  /// Ends the wait for the combinator or series, which has withdrawn from its promises.
  func endCompletion(_ turn: Turn) {
    lock.lock()
    endUnfinishedWork(turn) { $0.awaitsCompletion = false }
    lock.unlock()
  }

  /// A cheap test: if it is `false`, ``isUnfinished`` is also `false`. Called with the lock held.
  @inline(__always) var mayBeUnfinished: Bool { side?.unfinished != nil || node?.up != nil }

  /// Whether this promise itself has unfinished work.
  var hasWorkLeft: Bool { workLeft != nil }

  /// The extra child, which is pending until the unfinished work has ended.
  var workLeft: Promise? { lock.with { side?.unfinished?.child } }

  /// Whether this settled promise or a rejected ancestor has unfinished work.
  func isUnfinished(_ turn: Turn) -> Bool { unfinishedWork(turn) != nil }
}

extension Promise {
  /// Calls `action` when this promise is finished. The call does not count as a consumer.
  package func whenFinished(_ action: @escaping @Sendable () -> Void) {
    let turn = Turn.current
    FinishedWait { _, turn in turn.call(action) }.start(at: promise, turn)
    turn.drain()
  }
}

/// Waits until a promise and its rejected ancestors are finished, because these ancestors may have been
/// cancelled when the promise, their last consumer, left.
final class FinishedWait: @unchecked Sendable {
  private struct Wait {
    var target: Promise?
    var awaited: Promise?
    /// Work that this wait ignores, because that work itself waits for the owner's work.
    var rings: [UnfinishedWork] = []
  }

  private let wait = Guarded(Wait())
  /// Called once, with nothing locked, by the call that ends the wait.
  @exclusivity(unchecked) private var onEnd: ((FinishedWait, Turn) -> Void)?
  /// The promise whose unfinished work includes this wait. Set before the wait starts.
  @exclusivity(unchecked) fileprivate weak var owner: Promise?
  /// Whether the work of the target's ancestors counts. Set before the wait starts.
  @exclusivity(unchecked) private var looksAbove = true

  init(_ onEnd: @escaping (FinishedWait, Turn) -> Void) { self.onEnd = onEnd }

  var awaited: Promise? { wait.with { $0.awaited } }

  /// Starts the wait for `target`. The wait retains `target`, but does not count as its consumer.
  func start(at target: Promise, _ turn: Turn) {
    wait.with { ($0.target, $0.awaited) = (target, target) }
    if !Watch(self).waits(for: target, turn) { advance(turn) }
  }

  /// Starts the wait for a pending promise, but not for its ancestors. Called with the lock held.
  fileprivate func start(atPending target: Promise, _ turn: Turn) {
    looksAbove = false
    wait.with { ($0.target, $0.awaited) = (target, target) }
    target.addObserver(Watch(self), turn)
  }

  /// Starts the wait if `target` has no consumer left. Otherwise ends the wait, because `target` continues
  /// for other consumers.
  func start(at target: Promise, if isGivenUp: Bool, _ turn: Turn) {
    if isGivenUp { start(at: target, turn) } else { end(turn) }
  }

  func end(_ turn: Turn) {
    let former = wait.with { wait in
      defer { wait = Wait() }
      return wait
    }
    onEnd.take()?(self, turn)
    turn.release(former as Any)
  }

  private func advance(_ turn: Turn) {
    guard let target = wait.with({ $0.target }) else { return }
    while let work = target.unfinishedWork(except: wait.with { $0.rings }, looksAbove: looksAbove, turn) {
      // `awaited` is stored before the search, so that one of several waits that close a ring at once finds
      // the ring.
      let former = wait.with { wait in
        defer { wait.awaited = work.child }
        return wait.awaited
      }
      if let former { turn.release(former) }
      work.child.lock.with { work.isAwaited = true }
      if leadsBack(from: work) {
        wait.with { $0.rings.append(work) }
      } else if Watch(self).waits(for: work.child, turn) {
        return
      }
    }
    end(turn)
  }

  /// Whether `work` waits for the owner's work, perhaps through other work.
  private func leadsBack(from work: UnfinishedWork) -> Bool {
    guard let owner, let own = owner.lock.with({ owner.side?.unfinished }) else { return false }
    // If nothing has waited for the owner's work, this wait closes no ring.
    guard own.child.lock.with({ own.isAwaited }) else { return false }
    var open = [work]
    var seen: [ObjectIdentifier: UnfinishedWork] = [:]
    while let work = open.popLast() {
      if work === own { return true }
      guard seen.updateValue(work, forKey: ObjectIdentifier(work)) == nil else { continue }
      for child in work.awaited {
        if let next = child.lock.with({ child.side?.observers.completion }) as? UnfinishedWork {
          open.append(next)
        }
      }
    }
    return false
  }

  private final class Watch: Observer {
    private let wait: FinishedWait

    init(_ wait: FinishedWait) {
      self.wait = wait
      super.init(isConsumer: false)
    }

    /// Observes `promise` if it is pending.
    func waits(for promise: Promise, _ turn: Turn) -> Bool {
      promise.lock.lock()
      let isPending = !promise.state.isSettled
      if isPending { promise.addObserver(self, turn) }
      promise.lock.unlock()
      return isPending
    }

    override func settled(_ promise: Promise, with outcome: Outcome, _ turn: Turn) {
      wait.advance(turn)
    }
  }
}
