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
// work ─▶ wait ◀─ watch ◀─ the pending promise, and the wait retains its promise.

/// One wait. One thread at a time continues it: first the caller, then the thread that settles or frees the
/// awaited promise.
final class FinishedWait: @unchecked Sendable {
  private struct Work {
    /// The promises that have to be visited, settled or not.
    var places: [Promise] = []
    /// Retains the top once it has settled, because its descendants are found through it.
    var top: Promise?
    weak var watch: Watch?
    /// Called once, with nothing locked, when the wait ends. `nil` if it has ended.
    var onEnd: ((Turn) -> Void)?
  }

  private let work: Guarded<Work>
  @exclusivity(unchecked) private weak var top: Promise?
  private let includesBelow: Bool

  /// - Parameter includesBelow: Whether to wait for the descendants, too.
  init(includesBelow: Bool = false, _ onEnd: @escaping (Turn) -> Void) {
    self.includesBelow = includesBelow
    work = Guarded(Work(onEnd: onEnd))
  }

  /// The promise for which this wait waits now.
  var awaited: Promise? { work.with { $0.watch }?.promise.value }

  /// Starts the wait. The wait does not count as a consumer.
  func start(at top: Promise, retained: Bool = true, _ turn: Turn) {
    self.top = top
    if retained { work.with { $0.top = top } }
    advance(turn)
  }

  /// Starts the wait if `top` has no consumer left. Otherwise ends the wait, because `top` continues for
  /// other consumers.
  func start(at top: Promise, if isGivenUp: Bool, _ turn: Turn) {
    if isGivenUp { start(at: top, turn) } else { end(turn) }
  }

  func end(_ turn: Turn) {
    let former = work.with { work in
      defer { work = Work() }
      return work
    }
    former.watch?.leave(turn)
    former.onEnd?(turn)
    turn.release(former as Any)
  }

  /// Continues the wait, until it finds a pending promise.
  ///
  /// - Parameter settled: The promise for which it has waited.
  private func advance(behind settled: Promise? = nil, _ turn: Turn) {
    var settled = settled
    while let place = settled.take() ?? nextPlace(turn) {
      turn.release(place)
      if waits(for: place, turn) { return }
      let top = top
      let isAlone = place === top && !place.lock.with { place.isFinishedWithAllBelow(includesBelow) }
      let children = isAlone ? [] : place.readChildren()
      if children.isEmpty { place.clearPendingMarks(turn) }
      work.with { work in
        guard work.onEnd != nil else { return }
        work.places += children
        if place === top { work.top = place }
      }
      turn.release(children as Any)
      if let top { turn.release(top) }
    }
  }

  /// The next promise to visit; `nil` when the wait has ended.
  private func nextPlace(_ turn: Turn) -> Promise? {
    let (place, hasEnded) = work.with { ($0.places.popLast(), $0.onEnd == nil) }
    if place != nil || hasEnded { return place }
    if let top {
      turn.release(top)
      // The top decides, under the tree's lock, because promises may have been added to visited places.
      if let next = top.lock.with({ top.next(includesBelow) }) { return next }
    }
    end(turn)
    return nil
  }

  /// Waits for a promise, unless it has settled.
  private func waits(for promise: Promise, _ turn: Turn) -> Bool {
    if promise.isSettled { return false }
    let watch = Watch(self, promise)
    // The watch is stored before it is added, because another thread may continue the wait as soon as it is
    // added.
    work.with { $0.watch = watch }
    promise.lock.lock()
    let isPending = !promise.state.isSettled
    if isPending { promise.addObserver(watch, turn) } else { watch.isDone = true }
    promise.lock.unlock()
    // If the wait ended while the watch was being added, the watch is removed here, because `end` could not
    // remove it yet.
    if isPending, work.with({ $0.onEnd == nil }) { watch.leave(turn) }
    return isPending
  }

  /// Observes the awaited promise. If the promise is freed while it is pending, this watch is freed too, and
  /// the wait continues.
  private final class Watch: Observer {
    private let wait: FinishedWait
    let promise: WeakPromise
    @exclusivity(unchecked) var isDone = false

    init(_ wait: FinishedWait, _ promise: Promise) {
      self.wait = wait
      self.promise = WeakPromise(promise)
      super.init(isConsumer: false)
    }

    override func settled(_ promise: Promise, with outcome: Outcome, _ turn: Turn) {
      isDone = true
      wait.advance(behind: promise, turn)
    }

    func leave(_ turn: Turn) {
      turn.release(self as Any)
      guard let promise = promise.value else { return }
      promise.lock.lock()
      promise.leave(self, turn)
      promise.lock.unlock()
      turn.release(promise)
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
extension Promise {
  /// Whether a wait at this promise waits for the descendants, too.
  fileprivate func isFinishedWithAllBelow(_ includesBelow: Bool) -> Bool {
    if includesBelow || flags.contains(.beginsCancel) { return true }
    // Given up: everything below the promise at which the cancel began includes everything below this one.
    return side?.workAbove.map { !$0.kind.contains(.unfinished) } ?? false
  }

  /// A promise for which a wait at this promise has to wait next.
  fileprivate func next(_ includesBelow: Bool) -> Promise? {
    var (current, includesBelow) = (self, includesBelow)
    while true {
      // A promise above that continues for other consumers is not awaited.
      if !current.state.isSettled {
        let counts = current === self || current.kind.contains(.unfinished) || current.isGivenUp
        return counts ? current : nil
      }
      if current.isFinishedWithAllBelow(includesBelow), current.hasPendingHereOrBelow { return current }
      if let own = current.side?.unfinished?.child { return own }
      guard let above = current.side?.workAbove else { return nil }
      (current, includesBelow) = (above, false)
    }
  }

  /// Whether this settled promise has unfinished work, or has to wait for work above it.
  @inline(__always) var isUnfinished: Bool { side != nil && next(false) != nil }

  /// Stores the work above for which this settling child has to wait.
  @inline(__always)
  func inheritWork(byRequest isCancelled: Bool) {
    guard flags.contains(.holdsParent), let up = node?.up,
      up.withHeld({ $0.side.map { $0.hasWork || flags.contains(.givenUp) } ?? false })
    else { return }
    inheritWork(from: up.held, isCancelled)
  }

  /// A given-up promise waits for the promise at which the cancel began. Another promise that is rejected
  /// below a rejection waits for the unfinished work of that rejection.
  @inline(never)
  private func inheritWork(from parent: Promise, _ isCancelled: Bool) {
    guard let above = parent.side else { return }
    if flags.contains(.givenUp) {
      side?.workAbove = parent.flags.contains(.beginsCancel) ? parent : above.workAbove
    } else if !isCancelled, !kind.contains(.unfinished),
      let work = above.workAbove ?? (parent.state.reason == nil ? nil : above.unfinished?.child),
      work.kind.contains(.unfinished), !work.state.isSettled
    {
      sideFields.workAbove = work
    }
  }
}
