// Waits until a promise is finished, perhaps with everything below it.
//
// The search looks for pending promises, because a settled promise with unfinished work has a pending child
// (`Finishing.swift`). It waits for one promise at a time, and then continues below that promise. If a
// promise has no pending descendant, the search removes the mark that it may have one (`mayHavePending`).
// Each promise is visited once or twice, unless promises are added after all other promises have settled.
//
// A promise that a withdrawal gave up is finished when the promise at which the cancel began is finished,
// with everything below that promise (`inheritWork`). Promises that wait for each other in a ring never
// finish.
//
// OWNERSHIP. `finished()`: result ─▶ completion ─▶ wait ◀─ watch ◀─ the pending promise. Unfinished work:
// work ─▶ wait ◀─ watch ◀─ the pending promise, and the wait has a hold on its promise.

/// One wait. One thread at a time continues it: first the caller, then the thread that settles or frees the
/// awaited promise.
final class FinishedWait: @unchecked Sendable {
  private struct Work {
    /// The promises that have to be visited, settled or not. Each has a hold.
    var places: [Core] = []
    /// Whether the wait has a hold on the top, because its descendants are found through it.
    var holdsTop = false
    weak var watch: Watch?
    /// The promise where the wait began. Set when it begins.
    var top: WeakPromise?
    /// Called once, with nothing locked, when the wait ends. `nil` if it has ended.
    var onEnd: ((Turn) -> Void)?
  }

  private let work: Guarded<Work>
  private let includesBelow: Bool

  /// - Parameter includesBelow: Whether to wait for the descendants, too.
  init(includesBelow: Bool = false, _ onEnd: @escaping (Turn) -> Void) {
    self.includesBelow = includesBelow
    work = Guarded(Work(onEnd: onEnd))
  }

  /// The promise for which this wait waits now, and some that it visits afterwards. While the lock is held,
  /// no other thread frees them.
  var awaited: [Promise] {
    let (top, watch) = work.with { ($0.top, $0.watch) }
    return top?.lock.with {
      (work.with { $0.places.suffix(Limits.slice) } + [watch?.target].compactMap(\.self)).map { $0.promise() }
    } ?? []
  }

  /// Starts the wait. The wait does not count as a consumer. Called with nothing locked; the caller has a
  /// hold.
  func start(at core: Core, retained: Bool = true, _ turn: Turn) {
    let top = WeakPromise(core, core.lock)
    if retained { core.lock.with { core.hold() } }
    work.with { ($0.top, $0.holdsTop) = (top, retained) }
    advance(turn)
  }

  /// Starts the wait if `top` has no consumer left. Otherwise ends the wait, because `top` continues for
  /// other consumers.
  func start(at top: Core, if isGivenUp: Bool, _ turn: Turn) {
    if isGivenUp { start(at: top, turn) } else { end(turn) }
  }

  func end(_ turn: Turn) {
    let former = work.with { work in
      defer { work = Work(top: work.top) }
      return work
    }
    former.watch?.leave(turn)
    former.onEnd?(turn)
    if let top = former.top {
      former.places.drop(top.lock, turn)
      if former.holdsTop { top.lock.with { top.core?.drop(turn) } }
    }
    if let onEnd = former.onEnd { turn.release(onEnd) }
  }

  /// Continues the wait, until it finds a pending promise.
  ///
  /// - Parameter settled: The promise for which it has waited, with a hold.
  private func advance(behind settled: Core? = nil, _ turn: Turn) {
    guard let top = work.with({ $0.top }) else { return }
    var settled = settled
    while let place = settled.take() ?? nextPlace(from: top, turn) {
      if waits(for: place, turn) { return top.lock.with { place.drop(turn) } }
      let (isTop, isAlone) = top.lock.with {
        (place == top.core, place == top.core && !place.waitsForAllBelow(includesBelow))
      }
      let children = isAlone ? [] : place.readChildren(turn)
      if children.isEmpty { place.clearPendingMarks(turn) }
      let (dropped, keeps) = work.with { work -> ([Core], Bool) in
        guard work.onEnd != nil else { return (children, false) }
        work.places += children
        defer { if isTop { work.holdsTop = true } }
        return ([], isTop && !work.holdsTop)
      }
      dropped.drop(top.lock, turn)
      if !keeps { top.lock.with { place.drop(turn) } }
    }
  }

  /// The next promise to visit, with a hold; `nil` when the wait has ended.
  private func nextPlace(from top: WeakPromise, _ turn: Turn) -> Core? {
    let (place, hasEnded) = work.with { ($0.places.popLast(), $0.onEnd == nil) }
    if place != nil || hasEnded { return place }
    // The top decides, under the tree's lock, because promises may have been added to visited places.
    let next = top.lock.with { () -> Core? in
      let next = top.core?.nextUnfinished(includesBelow)
      next?.hold()
      return next
    }
    if next == nil { end(turn) }
    return next
  }

  /// Waits for a promise, unless it has settled.
  private func waits(for core: Core, _ turn: Turn) -> Bool {
    if core.lock.with({ core.isSettled }) { return false }
    let watch = Watch(self, at: core.lock)
    // Another thread may have removed it meanwhile, so that this is the last reference.
    defer { turn.release(watch) }
    // Stored before it is added, because another thread may continue the wait from then on.
    work.with { $0.watch = watch }
    let isPending = core.lock.with {
      if core.isSettled { watch.isDone = true } else { core.addObserver(watch, turn) }
      return !core.isSettled
    }
    // If the wait ended while the watch was being added, the watch is removed here, because `end` could not
    // remove it yet.
    if isPending, work.with({ $0.onEnd == nil }) { watch.leave(turn) }
    return isPending
  }

  /// Observes the awaited promise. If the promise is freed while it is pending, this watch is freed too, and
  /// the wait continues.
  private final class Watch: Observer {
    private let wait: FinishedWait
    @exclusivity(unchecked) var isDone = false

    init(_ wait: FinishedWait, at place: TreeLock) {
      self.wait = wait
      super.init(isConsumer: false, at: place)
    }

    override func settled(_ promise: Core, with outcome: Outcome, _ turn: Turn) {
      isDone = true
      promise.lock.with { promise.hold() }
      wait.advance(behind: promise, turn)
    }

    deinit {
      guard !isDone else { return }
      let turn = Turn.current
      wait.advance(turn)
      turn.drain()
    }
  }
}

// Called with the lock held.
extension Core {
  /// Whether a wait at this promise waits for the descendants, too.
  fileprivate func waitsForAllBelow(_ includesBelow: Bool) -> Bool {
    if includesBelow || flags.contains(.beginsCancel) { return true }
    // Given up: everything below the promise at which the cancel began includes everything below this one.
    return side?.workAbove.map { !$0.kind.contains(.unfinished) } ?? false
  }

  /// A promise for which a wait at this promise has to wait next.
  fileprivate func nextUnfinished(_ includesBelow: Bool) -> Core? {
    var (current, includesBelow) = (self, includesBelow)
    while true {
      // A promise above that continues for other consumers is not awaited.
      if !current.isSettled {
        let counts = current == self || current.kind.contains(.unfinished) || current.isUnneeded
        return counts ? current : nil
      }
      if current.waitsForAllBelow(includesBelow), current.hasPendingHereOrBelow { return current }
      if let own = current.side?.unfinished?.child { return own }
      guard let above = current.side?.workAbove else { return nil }
      (current, includesBelow) = (above, false)
    }
  }

  /// Whether this settled promise has unfinished work, or has to wait for work above it.
  @inline(__always) var isUnfinished: Bool { hasSide && nextUnfinished(false) != nil }

  /// Stores the work above for which this settling child has to wait.
  @inline(__always)
  func inheritWork(from parent: Core, _ turn: Turn) {
    if parent.hasSide { inheritWorkSlowly(from: parent, turn) }
  }

  /// A given-up promise waits for the promise at which the cancel began. Another promise that is rejected
  /// below a rejection waits for the unfinished work of that rejection.
  @inline(never)
  private func inheritWorkSlowly(from parent: Core, _ turn: Turn) {
    guard let above = parent.side, above.hasWork || flags.contains(.givenUp) else { return }
    if flags.contains(.givenUp) {
      side?.setWorkAbove(parent.flags.contains(.beginsCancel) ? parent : above.workAbove, turn)
    } else if !flags.contains(.cancelled), !kind.contains(.unfinished),
      let work = above.workAbove ?? (parent.phase == .rejected ? above.unfinished?.child : nil),
      work.kind.contains(.unfinished), !work.isSettled
    {
      sideFields.setWorkAbove(work, turn)
    }
  }
}
