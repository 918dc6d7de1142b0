// `treeSettled`: waits for a promise and everything below it.
//
// It looks through the tree and waits for one pending promise at a time: when that has settled, it continues
// behind it. Where it finds nothing pending, it takes the mark back. It is done when the top has no mark
// below it. So each promise is looked at once or twice, unless more is added when everything has settled.
//
// WHO HOLDS WHOM.   result ─▶ completion ─▶ search ◀─ watch ◀─ the pending promise
// The search refers weakly to the result, to the promise at the top while that is pending, and to its watch.
// It holds what it has still to look at: promises that their own tree holds while they are pending.

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
    /// The promise at the top, once it has settled: freed, it could not tell what is below.
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

  /// Looks on, until there is a promise to wait for.
  ///
  /// - Parameter settled: The one that the search has waited for.
  func goOn(behind settled: Promise? = nil, _ effects: Effects) {
    var settled = settled
    while let place = settled.take() ?? nextPlace(effects) {
      if waits(for: place, effects) { return }
      let children = place.readChildren()
      if children.isEmpty { place.takeBackMark() }
      let isTop = place === top.value
      work.with { work in
        guard !work.hasEnded else { return }
        work.places += children
        if isTop { work.settledTop = place }
      }
    }
  }

  /// What is to be looked at next. `nil`: nothing, because the search has ended.
  private func nextPlace(_ effects: Effects) -> Promise? {
    let (place, hasEnded) = work.with { ($0.places.popLast(), $0.hasEnded) }
    if place != nil || hasEnded { return place }
    // Something may have been added behind: what decides is one look at the top, under the tree's lock.
    if let top = top.value, top.lock.with({ top.hasPendingHereOrBelow }) {
      return top
    }
    result.value?.resolve(with: .outcome(.fulfilled(Value(()))), effects)
    return nil
  }

  /// Waits for a promise, unless it has settled.
  private func waits(for promise: Promise, _ effects: Effects) -> Bool {
    if promise.isSettled { return false }
    let watch = Watch(self, promise)
    // Before the watch is entered: from then on another thread may go on with the search.
    work.with { $0.watch = watch }
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
    let (places, top, watch) = work.with { work in
      defer { (work.places, work.settledTop, work.hasEnded) = ([], nil, true) }
      return (work.places, work.settledTop, work.watch)
    }
    watch?.leave()
    withExtendedLifetime((places, top)) {}
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
