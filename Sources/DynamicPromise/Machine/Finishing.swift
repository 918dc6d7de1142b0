// Work that continues after a promise has settled.
//
// A promise that is cancelled, that withdraws, or whose target is unfinished may leave unfinished work:
//
//     work                                             ends when
//     a running handler                                it has returned
//     the body of a `finally` that has not begun       it has returned, or its job was dropped
//     cancel hooks                                     all have returned
//     a Swift task                                     it has ended
//     a resolver that always calls back                it is used or freed
//     a thenable that has not called back              it calls back, or its functions are freed
//     a combinator or series that has to withdraw      it has withdrawn
//     a promise from which it withdrew                 that promise is finished
//     a promise that a clean-up has returned           that promise is finished
//     a followed promise with unfinished work          that promise is finished
//
// While such work exists, the settled promise has an extra pending child, so a search for pending promises
// also finds unfinished ones. The child is fulfilled when all work has ended. A cancel skips it.

/// The unfinished work of a settled promise. Guarded by the tree's lock.
final class UnfinishedWork: CompletionObserver, @unchecked Sendable {
  /// The extra child, which is pending as long as this work is in the promise's side storage.
  let child: Core
  private let lock: TreeLock
  /// The thread that runs the handler, or the body of a cancelled `finally`; zero if that is asynchronous.
  @exclusivity(unchecked) var handlersThread: UInt?
  /// The thread that calls the cancel hooks, and the number of hooks that have not returned.
  @exclusivity(unchecked) fileprivate var hooksThread: UInt = 0
  @exclusivity(unchecked) fileprivate var hooks = 0
  @exclusivity(unchecked) var awaitsResolver = false
  @exclusivity(unchecked) var awaitsThenable = false
  /// Whether the combinator or series still has to withdraw from promises.
  @exclusivity(unchecked) var awaitsCompletion = false
  /// The context of the body of a cancelled `finally`, until that has returned.
  @exclusivity(unchecked) var body: ContextRef?
  @exclusivity(unchecked) fileprivate var waits: [Int: FinishedWait] = [:]
  @exclusivity(unchecked) fileprivate var lastWait = 0

  fileprivate init(_ child: Core) {
    self.child = child
    lock = child.lock
    super.init()
  }

  fileprivate var hasEnded: Bool {
    handlersThread == nil && hooks == 0 && !awaitsResolver && !awaitsThenable && !awaitsCompletion
      && body == nil && waits.isEmpty
  }

  override var cause: DeadlockCheck.Cause {
    let thread = CurrentThread.id
    let (isMine, body, waits) = lock.with { () -> (Bool, ContextRef?, [FinishedWait]) in
      let isMine = handlersThread == thread || hooks > 0 && hooksThread == thread
      // The context is needed until the body begins.
      return (isMine, handlersThread == nil ? self.body : nil, Array(self.waits.values))
    }
    if isMine || body?.isBlockedByCaller == true { return .caller }
    let awaited = waits.flatMap(\.awaited)
    return awaited.isEmpty ? .elsewhere : .promises(awaited)
  }
}

// Called with the lock held; the caller has a hold.
extension Core {
  /// Adds the promise's current activity to its unfinished work: its task, its resolver if that always calls
  /// back, its handler, or a promise that it follows. Called just before the promise is cancelled.
  func addUnfinishedWork(_ turn: Turn) {
    if source == .awaitedResolver { addUnfinishedWork(turn) { $0.awaitsResolver = true } }
    switch phase {
    case .running: addUnfinishedWork(turn) { $0.handlersThread = runningThread }
    case .followingThenable: addUnfinishedWork(turn) { $0.awaitsThenable = true }
    case .following: adoption.addUnfinishedWork(of: self, turn)
    case .unresolved, .handler, .fulfilled, .rejected, .gone: break
    }
  }

  /// Adds the cancel hooks of a cancelled promise, which are called when the lock is free.
  func addUnfinishedHooks(_ hooks: [@Sendable (any Error) -> Void], _ reason: any Error, _ turn: Turn) {
    addUnfinishedWork(turn) { work in
      work.hooksThread = turn.thread.number
      work.hooks += hooks.count
    }
    for hook in hooks {
      hold()
      turn.call { [self] in
        // Another thread calls the hooks of a timer's turn (`drainElsewhere`).
        let turn = Turn.current
        lock.with { side?.unfinished?.hooksThread = turn.thread.number }
        hook(reason)
        lock.with {
          endUnfinishedWork(turn) { $0.hooks -= 1 }
          drop(turn)
        }
      }
    }
  }

  /// Changes the unfinished work, which is made on first use.
  func addUnfinishedWork(_ turn: Turn, _ add: (UnfinishedWork) -> Void) {
    add(side?.unfinished ?? makeUnfinishedWork(turn))
  }

  private func makeUnfinishedWork(_ turn: Turn) -> UnfinishedWork {
    let child = Core.make(lock, .unresolved, .unfinished, on: defaultContext)
    child.flags = .observed
    child.noteCreated(below: self)
    adopt(child)
    child.mayHavePending = true
    insert(child)
    markPath()
    let work = UnfinishedWork(child)
    child.sideFields.label = Side.Label("unfinished work")
    child.addObserver(work, turn)
    sideFields.unfinished = work
    return work
  }

  /// Removes a part of the unfinished work. When nothing is left, the extra child is fulfilled.
  func endUnfinishedWork(_ turn: Turn, _ remove: (UnfinishedWork) -> Void) {
    guard let side, let work = side.unfinished else { return }
    remove(work)
    guard work.hasEnded else { return }
    side.unfinished = nil
    turn.release(work)
    let child = work.child
    child.hold()
    child.settle(value: (), turn)
    child.drop(turn)
  }

  /// Adds a wait to the unfinished work. The caller starts the wait.
  func addUnfinishedWait(_ turn: Turn) -> FinishedWait {
    var number = 0
    addUnfinishedWork(turn) {
      $0.lastWait += 1
      number = $0.lastWait
    }
    hold()
    let wait = FinishedWait { [self, lock] turn in
      lock.with {
        endUnfinishedWork(turn) { $0.waits[number] = nil }
        drop(turn)
      }
    }
    addUnfinishedWork(turn) { $0.waits[number] = wait }
    return wait
  }
}

// Called with nothing locked; the caller has a hold.
extension Core {
  /// Withdraws from `other`. If that has no consumer left, its end is part of the unfinished work here.
  func withdraw(from other: Promise, _ reason: any Error, _ turn: Turn) {
    lock.with { addUnfinishedWait(turn) }.start(at: other.core, if: other.core.withdraw(reason, turn), turn)
  }

  /// Adds the unfinished work of `other` to the unfinished work of this promise.
  func waitForWork(of other: Core, _ turn: Turn) {
    guard other.lock.with({ other.isUnfinished }) else { return }
    lock.with { addUnfinishedWait(turn) }.start(at: other, turn)
  }

  /// Ends the wait for the combinator or series, which has withdrawn from its promises.
  func completionHasEnded(_ turn: Turn) {
    lock.with { endUnfinishedWork(turn) { $0.awaitsCompletion = false } }
  }

  /// Whether this promise itself has unfinished work.
  var hasWorkLeft: Bool { lock.with { side?.unfinished != nil } }
}

extension Promise {
  /// The extra child, which is pending until the unfinished work has ended.
  var workLeft: Promise? { core.lock.with { core.side?.unfinished?.child.promise() } }

  /// Calls `action` when this promise is finished. The call does not count as a consumer.
  package func whenFinished(_ action: @escaping @Sendable () -> Void) {
    let turn = Turn.current
    FinishedWait { turn in turn.call(action) }.start(at: core, turn)
    turn.drain()
  }
}
