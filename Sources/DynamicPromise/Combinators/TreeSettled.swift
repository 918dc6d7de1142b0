// `treeSettled`: waits for a promise and everything below it.
//
// It looks through the tree and waits for one pending promise at a time: when that has settled, it goes on
// behind it. When a whole look from the top has found nothing pending, it is done. So each promise is looked
// at once or twice, unless more is added when everything has settled.
//
// WHO HOLDS WHOM.   result ─▶ completion ─▶ search ◀─ watch ◀─ the pending promise
// The search refers weakly to the result, to the promise at the top and to its watch. It holds what it has
// still to look at: promises that their own tree holds while they are pending.

extension Future {
  /// Fulfilled with `()` as soon as this promise and every promise below it have settled, whatever their
  /// outcomes. What is added below while it waits is waited for as well. For a whole tree:
  /// `promise.root.treeSettled()`.
  ///
  ///     server.cancel()
  ///     server.treeSettled().then { print("everything has come to its end") }
  ///
  /// The result is a root of its own: cancelling the tree does not touch it, and cancelling the result only
  /// ends the waiting. It is no consumer, and a rejection in the tree still counts as unhandled if nobody
  /// else handles it. A handler that still runs although its child was cancelled is not waited for. A
  /// handler inside of the tree must not return the result: it would wait for itself.
  ///
  /// - Parameter context: The default context of the result; that of this promise unless told otherwise.
  public final func treeSettled(on context: (any ExecutionContext)? = .inherited) -> Promise {
    let effects = Effects.begin()
    let result = Promise.result(on: context, inheritedFrom: promise)
    result.noteInputs([promise], "treeSettled")
    let search = TreeSearch(of: promise, result)
    result.observe(TreeSearch.Completion(search), looks: false, effects)
    search.goOn(effects)
    Driver.perform(effects)
    return result
  }
}

/// The search for what is pending. One thread at a time goes on with it: who has begun it, then whoever
/// settles or frees the promise that it waits for.
private final class TreeSearch: @unchecked Sendable {
  private struct Work {
    /// What is still to be looked at, settled or not.
    var places: [Promise] = []
    /// Whether something pending was found since the last look from the top began.
    var hasFound = true
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

  /// Looks on, until there is a promise to wait for.
  ///
  /// - Parameter settled: The one that the search has waited for.
  func goOn(behind settled: Promise? = nil, _ effects: Effects) {
    var settled = settled
    while let place = settled.take() ?? nextPlace(effects) {
      if waits(for: place, effects) { return }
      let children = place.readChildren()
      work.with { if !$0.hasEnded { $0.places += children } }
    }
  }

  /// What is to be looked at next. `nil`: nothing, because the search has ended.
  private func nextPlace(_ effects: Effects) -> Promise? {
    let top = top.value
    let (place, hasEnded) = work.with { work -> (Promise?, Bool) in
      if work.hasEnded { return (nil, true) }
      if let place = work.places.popLast() { return (place, false) }
      guard work.hasFound else { return (nil, false) }
      // Something may have been added behind.
      work.hasFound = false
      return (top, false)
    }
    if place == nil, !hasEnded { result.value?.resolve(with: .outcome(.fulfilled(Value(()))), effects) }
    return place
  }

  /// Waits for a promise, unless it has settled.
  private func waits(for promise: Promise, _ effects: Effects) -> Bool {
    if promise.isSettled { return false }
    let watch = Watch(self, promise)
    // Before the watch is entered: from then on another thread may go on with the search.
    work.with { work in
      work.hasFound = true
      work.watch = watch
    }
    promise.lock.lock()
    let isPending = !promise.state.isSettled
    if isPending { promise.enter(watch, effects) } else { watch.isDone = true }
    promise.lock.unlock()
    // An end that came in between has not found the watch.
    if isPending, work.with({ $0.hasEnded }) { watch.leave() }
    return isPending
  }

  /// What has to happen before the result settles.
  private var cause: DeadlockCheck.Cause {
    guard let watched = work.with({ $0.watch })?.promise.value else { return .elsewhere }
    return .promise(watched)
  }

  /// The result does not need the search any more.
  private func end() {
    let (places, watch) = work.with { work in
      defer { (work.places, work.hasEnded) = ([], true) }
      return (work.places, work.watch)
    }
    watch?.leave()
    withExtendedLifetime(places) {}
  }

  /// Observes the promise that the search waits for. If that is freed while it is pending, so is its watch.
  private final class Watch: Observer {
    private let search: TreeSearch
    let promise: WeakPromise
    @exclusivity(unchecked) var isDone = false

    init(_ search: TreeSearch, _ promise: Promise) {
      self.search = search
      self.promise = WeakPromise(promise)
      super.init(isConsumer: false)
    }

    override func settled(_ promise: Promise, with outcome: Outcome, _ effects: Effects) {
      isDone = true
      search.goOn(behind: promise, effects)
    }

    func leave() { promise.value?.forget(self) }

    deinit {
      guard !isDone else { return }
      let effects = Effects.begin()
      search.goOn(effects)
      Driver.perform(effects)
    }
  }

  /// Observes the result.
  final class Completion: CompletionObserver {
    private let search: TreeSearch

    init(_ search: TreeSearch) {
      self.search = search
      super.init()
    }

    override func settled(_ promise: Promise, with outcome: Outcome, _ effects: Effects) { search.end() }

    override var cause: DeadlockCheck.Cause { search.cause }

    deinit { search.end() }
  }
}
