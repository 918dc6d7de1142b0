// `finished`: waits for a promise and everything below it.
//
// The search looks for pending promises in the tree, because a settled promise with unfinished work has a
// pending child (`Finishing.swift`). The search waits for one promise at a time. When the awaited promise has
// settled, the search continues below it. If a promise has no pending descendant, the search removes the mark
// that the promise may have one (`mayHavePending`). The search ends when the promise at the top has no mark.
// Each promise is visited once or twice, unless promises are added after all other promises have settled.
//
// OWNERSHIP. result ─▶ completion ─▶ search ◀─ watch ◀─ the pending promise. The search refers weakly
// to the result, to the pending promise at the top, and to its watch. It retains the promises that it still
// has to visit; their own tree also retains them while they are pending.

extension Promise {
  /// Fulfilled with `()` when this promise and all its descendants are finished, whatever their outcomes.
  /// Promises that are added below in the meantime are awaited too. This code cancels a whole tree and waits
  /// for its clean-up:
  ///
  ///     server.root.cancel()
  ///     _ = try await server.root.finished().value
  ///
  /// A cancel settles promises at once, while code may still run for them. A promise is finished when it has
  /// settled and no code runs for it:
  ///
  /// - its handler, its Swift task and its cancel hooks have returned;
  /// - a promise that its `finally` returned, or that its rejection handler returned after a cancel, is
  ///   finished;
  /// - if it was cancelled before its ``Resolver`` was used, the resolver has been used or freed;
  /// - a thenable that it followed has called back, or has released its functions;
  /// - a promise that it followed, or withdrew from as the last consumer, is finished.
  ///
  /// The result is a separate root: cancelling the tree does not affect it, and cancelling the result only
  /// ends the wait. The result is not a consumer, and does not handle rejections of the tree. A handler
  /// inside the tree must not return the result, because the result would wait for itself. (Kotlin's jobs and
  /// Swift's task groups distinguish cancelled from finished work in the same way.)
  ///
  /// - Parameter context: The default context of the result; by default that of this promise.
  public func finished(on context: (any ExecutionContext)? = .inherited) -> Promise {
    let turn = Turn.current
    let result = Promise.result(on: context, inheritedFrom: promise)
    result.noteInputs([promise], "finished")
    let search = TreeSearch(of: promise, result)
    result.observe(TreeSearch.Completion(search), looks: false, turn)
    search.advance(turn)
    turn.drain()
    return result
  }
}

/// The search for pending promises. One thread at a time runs the search: first the caller, then the thread
/// that settles or frees the awaited promise.
private final class TreeSearch: @unchecked Sendable {
  private struct Work {
    /// The promises that the search still has to visit, settled or not.
    var places: [Promise] = []
    /// The promise at the top, retained once it has settled, because its descendants are found through it.
    var settledTop: Promise?
    var hasEnded = false
    weak var watch: Watch?
  }

  private let work = Guarded(Work())
  private let top: WeakPromise
  private let result: WeakPromise

  init(of top: Promise, _ result: Promise) {
    self.top = WeakPromise(top)
    self.result = WeakPromise(result)
  }

  /// Continues the search, until it finds a promise to wait for.
  ///
  /// - Parameter settled: The promise that the search has waited for.
  func advance(behind settled: Promise? = nil, _ turn: Turn) {
    var settled = settled
    while let place = settled.take() ?? nextPlace(turn) {
      if waits(for: place, turn) { return turn.release(place) }
      let children = place.readChildren()
      if children.isEmpty { place.clearPendingMarks(turn) }
      let top = top.value
      work.with { work in
        guard !work.hasEnded else { return }
        work.places += children
        if place === top { work.settledTop = place }
      }
      turn.release(place)
      if let top { turn.release(top) }
      turn.release(children as Any)
    }
  }

  /// The next promise to visit; `nil` when the search has ended.
  private func nextPlace(_ turn: Turn) -> Promise? {
    let (place, hasEnded) = work.with { ($0.places.popLast(), $0.hasEnded) }
    if place != nil || hasEnded { return place }
    // The top's mark decides, under the tree's lock, because promises may have been added to visited places.
    if let top = top.value {
      if top.lock.with({ top.hasPendingHereOrBelow }) { return top }
      turn.release(top)
    }
    if let result = result.value {
      result.resolve(with: .outcome(.fulfilled(Value(()))), turn)
      turn.release(result)
    }
    return nil
  }

  /// Waits for a promise, unless it has settled.
  private func waits(for promise: Promise, _ turn: Turn) -> Bool {
    if promise.isSettled { return false }
    let watch = Watch(self, promise)
    // The watch is stored before it is added, because another thread may continue the search as soon as it is
    // added.
    work.with { $0.watch = watch }
    promise.lock.lock()
    let isPending = !promise.state.isSettled
    if isPending { promise.addObserver(watch, turn) } else { watch.isDone = true }
    promise.lock.unlock()
    // If the search ended while the watch was being added, the watch is removed here, because `end` could not
    // remove it yet.
    if isPending, work.with({ $0.hasEnded }) { watch.leave(turn) }
    return isPending
  }

  /// The conditions for the result to settle, for the deadlock check.
  private var cause: DeadlockCheck.Cause {
    guard let watched = work.with({ $0.watch })?.promise.value else { return .elsewhere }
    return .promise(watched)
  }

  /// Ends the search, which the result no longer needs.
  private func end(_ turn: Turn) {
    let former = work.with { work in
      defer { (work.places, work.settledTop, work.hasEnded) = ([], nil, true) }
      return work
    }
    former.watch?.leave(turn)
    turn.release(former as Any)
  }

  /// Observes the awaited promise. If the promise is freed while it is pending, this watch is freed too, and
  /// the search continues.
  private final class Watch: Observer {
    private let search: TreeSearch
    let promise: WeakPromise
    @exclusivity(unchecked) var isDone = false

    init(_ search: TreeSearch, _ promise: Promise) {
      self.search = search
      self.promise = WeakPromise(promise)
      super.init(isConsumer: false)
    }

    override func settled(_ promise: Promise, with outcome: Outcome, _ turn: Turn) {
      isDone = true
      search.advance(behind: promise, turn)
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
      search.advance(turn)
      turn.drain()
    }
  }

  /// Observes the result.
  final class Completion: CompletionObserver {
    private let search: TreeSearch

    init(_ search: TreeSearch) {
      self.search = search
      super.init()
    }

    override func settled(_ promise: Promise, with outcome: Outcome, _ turn: Turn) {
      search.end(turn)
    }

    override var cause: DeadlockCheck.Cause { search.cause }

    deinit {
      let turn = Turn.current
      search.end(turn)
      turn.drain()
    }
  }
}
