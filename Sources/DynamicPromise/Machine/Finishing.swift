// The work that is left when a promise has settled.
//
// A promise that is cancelled, or settled by hand, may leave work behind:
//
//     work                                             ends when
//     a handler that runs                              it has returned
//     a handler that is scheduled                      the same, or its job was dropped
//     the body of a `finally` that has not begun       the same
//     cancel hooks                                     all have returned
//     a Swift task                                     it has ended
//     a resolver that was not used                     it is used or freed
//     a thenable that has not called back              it calls back, or its functions are freed
//     a promise that it followed, and withdrew from    that one is finished
//     a promise that a clean-up has returned           that one is finished
//     a promise that it follows, not finished yet      that one is finished
//
// While such work exists, the settled promise has a pending child, which is fulfilled when all of it has
// ended. So a search for pending promises in the tree also finds unfinished ones. A cancel skips the child.
//
// WHO RETAINS WHOM. promise ─▶ work ─▶ child ─▶ promise: a cycle until the work has ended.

/// The work that a settled promise has left. Guarded by the tree's lock.
final class UnfinishedWork: CompletionObserver, @unchecked Sendable {
  let child: Promise
  /// The thread that runs the handler, or the body of a cancelled `finally`; zero for an asynchronous
  /// handler.
  @exclusivity(unchecked) var handlersThread: UInt?
  /// The thread that calls the cancel hooks, and how many have not returned.
  @exclusivity(unchecked) fileprivate var hooksThread: UInt = 0
  @exclusivity(unchecked) fileprivate var hooks = 0
  @exclusivity(unchecked) var awaitsResolver = false
  @exclusivity(unchecked) var awaitsThenable = false
  /// A combinator has to withdraw.
  @exclusivity(unchecked) var awaitsCompletion = false
  /// The number of `finally` bodies that have not returned.
  @exclusivity(unchecked) var bodies = 0
  @exclusivity(unchecked) fileprivate var waits: [ObjectIdentifier: FinishedWait] = [:]
  /// Whether a `FinishedWait` has waited for this.
  @exclusivity(unchecked) fileprivate var isAwaited = false

  fileprivate init(_ child: Promise) {
    self.child = child
    super.init()
  }

  fileprivate var hasEnded: Bool {
    handlersThread == nil && hooks == 0 && !awaitsResolver && !awaitsThenable && !awaitsCompletion
      && bodies == 0 && waits.isEmpty
  }

  /// The promises that it waits for at this moment.
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
  /// The promise is about to be cancelled, and leaves the work that it was doing.
  func leaveWork() {
    switch state {
    case .running(let thread): leaveWork { $0.handlersThread = thread }
    case .followingThenable: leaveWork { $0.awaitsThenable = true }
    case .following(let adoption): adoption.leaveWork(of: self)
    case .unresolved, .handler, .fulfilled, .rejected: break
    }
  }

  /// The promise is about to be resolved by hand. If its handler or Swift task runs, that is left.
  func leaveHandler() {
    if case .running(let thread) = state { leaveWork { $0.handlersThread = thread } }
    if let side, side.source == .task { leaveWork { $0.awaitsResolver = true } }
  }

  /// The promise was cancelled: the hooks are called when the lock is free, and tell its task to stop.
  func leaveTask(_ hooks: [@Sendable (any Error) -> Void], _ reason: any Error, _ turn: Turn) {
    if let side, side.source != .none { leaveWork { $0.awaitsResolver = true } }
    if hooks.isEmpty { return }
    leaveWork { work in
      work.hooksThread = turn.thread.number
      work.hooks += hooks.count
    }
    for hook in hooks {
      turn.call { [self] in
        hook(reason)
        lock.lock()
        endWork(turn) { $0.hooks -= 1 }
        lock.unlock()
      }
    }
  }

  /// Adds work.
  func leaveWork(_ add: (UnfinishedWork) -> Void) { add(side?.unfinished ?? makeUnfinishedWork()) }

  private func makeUnfinishedWork() -> UnfinishedWork {
    let child = Promise(below: self, .none)
    child.kind = .unfinished
    child.flags = .observed
    child.noteMade(below: self)
    hold(for: child)
    enter(child)
    let work = UnfinishedWork(child)
    child.sideFields.label = Side.Label("unfinished work")
    child.sideFields.observers.append(work)
    sideFields.unfinished = work
    return work
  }

  /// Some of the work has ended.
  func endWork(_ turn: Turn, _ remove: (UnfinishedWork) -> Void) {
    guard let work = side?.unfinished else { return }
    remove(work)
    guard work.hasEnded else { return }
    side?.unfinished = nil
    turn.release(work as Any)
    work.child.settle(.fulfilled(.void), turn)
  }

  /// The handler is left if it has moved to a detached child, and is scheduled or runs. A handler whose
  /// parent is pending does not count: it may never run.
  func leaveWait(forDetachedChildOf side: Side, _ turn: Turn) {
    guard let detached = side.detachedChild, !detached.state.isSettled,
      detached.heldParent?.state.isSettled == true
    else { return }
    leaveWait().start(atPending: detached, turn)
  }

  /// A wait as part of the work. The caller starts it.
  func leaveWait() -> FinishedWait {
    let wait = FinishedWait { [self] wait, turn in
      lock.lock()
      endWork(turn) { $0.waits[ObjectIdentifier(wait)] = nil }
      lock.unlock()
    }
    wait.owner = self
    leaveWork { $0.waits[ObjectIdentifier(wait)] = wait }
    return wait
  }
}

// Called with nothing locked.
extension Promise {
  /// The work that this settled promise has left, or that a rejected promise above has left. The work of
  /// fulfilled promises above does not count. Looks at 64 promises at most, so that no call takes longer in
  /// a deeper tree.
  fileprivate func unfinishedWork(
    except passed: [UnfinishedWork] = [], looksAbove: Bool = true
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
      current = next
    }
  }

  /// Withdraws from `other`. If no other consumer wants it, its end is part of this promise's work.
  func withdraw(from other: Promise, _ reason: any Error, _ turn: Turn) {
    lock.with { leaveWait() }.start(at: other, if: other.withdraw(reason, turn), turn)
  }

  /// If `other` has left work, that is part of this promise's work.
  func waitForWork(of other: Promise, _ turn: Turn) {
    guard other.isUnfinished else { return }
    lock.with { leaveWait() }.start(at: other, turn)
  }

  /// A combinator has withdrawn.
  func endCompletion(_ turn: Turn) {
    lock.lock()
    endWork(turn) { $0.awaitsCompletion = false }
    lock.unlock()
  }

  /// Whether ``isUnfinished`` has to look. Called with the lock held.
  @inline(__always) var mayBeUnfinished: Bool { side?.unfinished != nil || node?.up != nil }

  /// Whether this promise itself has left work.
  var hasWorkLeft: Bool { workLeft != nil }

  /// The child that is pending until that work has ended.
  var workLeft: Promise? { lock.with { side?.unfinished?.child } }

  /// Whether this settled promise, or a rejected one above, has left work.
  var isUnfinished: Bool { unfinishedWork() != nil }
}

extension Future {
  /// Calls `action` when this promise is finished. It is no consumer.
  package final func whenFinished(_ action: @escaping @Sendable () -> Void) {
    let turn = Turn.current
    FinishedWait { _, turn in turn.call(action) }.start(at: promise, turn)
    turn.drain()
  }
}

/// Waits until a promise is finished, and the rejected promises above it. These may have been cancelled for
/// its sake.
final class FinishedWait: @unchecked Sendable {
  private struct Wait {
    var target: Promise?
    var awaited: Promise?
    /// Work that waits for the owner's. It is not waited for, because neither would end.
    var rings: [UnfinishedWork] = []
  }

  private let wait = Guarded(Wait())
  /// Called once, with nothing locked. Taken by the call that ends the wait.
  @exclusivity(unchecked) private var onEnd: ((FinishedWait, Turn) -> Void)?
  /// Whose work the wait is. Set before the wait is started.
  @exclusivity(unchecked) fileprivate weak var owner: Promise?
  /// Whether the work of promises above the target counts. Set before the wait is started.
  @exclusivity(unchecked) private var looksAbove = true

  init(_ onEnd: @escaping (FinishedWait, Turn) -> Void) { self.onEnd = onEnd }

  var awaited: Promise? { wait.with { $0.awaited } }

  /// Starts the wait for `target`, which it retains. It is no consumer.
  func start(at target: Promise, _ turn: Turn) {
    wait.with { ($0.target, $0.awaited) = (target, target) }
    if !Watch(self).waits(for: target, turn) { advance(turn) }
  }

  /// Starts the wait for a pending promise, but not for what is above. Called with the lock held.
  fileprivate func start(atPending target: Promise, _ turn: Turn) {
    looksAbove = false
    wait.with { ($0.target, $0.awaited) = (target, target) }
    target.enter(Watch(self), turn)
  }

  /// Starts the wait if `target` has no consumer left. Otherwise ends it: `target` continues for the others.
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
    while let work = target.unfinishedWork(except: wait.with { $0.rings }, looksAbove: looksAbove) {
      // Before the search: of several waits that close a ring at once, one finds it.
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

  /// Whether `work` waits for the owner's, perhaps through others.
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

    /// Observes `promise`, if that is pending.
    func waits(for promise: Promise, _ turn: Turn) -> Bool {
      promise.lock.lock()
      let isPending = !promise.state.isSettled
      if isPending { promise.enter(self, turn) }
      promise.lock.unlock()
      return isPending
    }

    override func settled(_ promise: Promise, with outcome: Outcome, _ turn: Turn) {
      wait.advance(turn)
    }
  }
}
