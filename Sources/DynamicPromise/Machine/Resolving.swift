// The promise resolution procedure, `[[Resolve]](promise, x)` of Promises/A+ 2.3.

extension Promise {
  /// Resolves an unresolved promise. The first resolution wins.
  ///
  /// - Returns: Whether this resolution won.
  @discardableResult
  func resolve(with resolution: Resolution, _ turn: Turn) -> Bool {
    switch resolution {
    case .outcome(let outcome):
      lock.lock()
      let won = resolve(with: outcome, turn)
      lock.unlock()
      return won
    case .promise(let other), .task(let other): return adopt(other, turn)
    case .thenable(let thenable): return resolve(with: thenable, turn)
    }
  }

  /// Makes an unresolved promise follow a thenable, and calls the thenable.
  @discardableResult
  func resolve(with thenable: any Thenable, _ turn: Turn) -> Bool {
    lock.lock()
    let isFirst = state.isUnresolved
    if isFirst {
      beginFollowing(.followingThenable, turn)
    } else {
      flags.remove(.awaitsResolution)
    }
    lock.unlock()
    if isFirst { call(thenable, turn) }
    return isFirst
  }

  /// Calls a thenable on this stack, with nothing locked. If the thenable resolves with another thenable
  /// before its `then` returns, the loop calls the other thenable, so the stack does not grow.
  private func call(_ first: any Thenable, _ turn: Turn) {
    turn.submitContinuation()
    var thenable = first
    while true {
      let call = ThenableCall(self)
      do {
        guard let then = try thenable.then else {
          _ = call.claim()
          return settleThenable(with: .fulfilled(Value(thenable)), turn)
        }
        try then({ call.resolve($0) }, { call.reject($0) })
      } catch {
        if call.claim() { settleThenable(with: .rejected(error), turn) }
      }
      guard let following = call.returned() else { return }
      thenable = following
    }
  }

  /// Handles the resolution by the thenable that the promise follows.
  fileprivate func resolveThenable(with resolution: Resolution, _ turn: Turn) {
    switch resolution {
    case .outcome(let outcome): settleThenable(with: outcome, turn)
    case .promise(let other), .task(let other):
      if !adoptForThenable(other, turn) { endThenable(turn) }
    case .thenable(let thenable): call(thenable, turn)
    }
  }

  fileprivate func settleThenable(with outcome: Outcome, _ turn: Turn) {
    lock.lock()
    if case .followingThenable = state {
      settle(outcome, turn)
    } else {
      endUnfinishedWork(turn) { $0.awaitsThenable = false }
    }
    lock.unlock()
  }

  private func endThenable(_ turn: Turn) {
    lock.lock()
    endUnfinishedWork(turn) { $0.awaitsThenable = false }
    lock.unlock()
  }
}

/// One call of a thenable's `then`. The first of `resolvePromise`, `rejectPromise` and a thrown error wins.
/// The call does not retain the promise. If both functions are released unused, the promise is rejected with
/// `broken`.
private final class ThenableCall: Sendable {
  private struct Call {
    var isTaken = false
    var hasReturned = false
    var following: (any Thenable)?
  }

  private let promise: WeakPromise
  private let call = Guarded(Call())

  init(_ promise: Promise) { self.promise = WeakPromise(promise) }

  deinit {
    guard claim(), let promise = promise.value else { return }
    settle(promise, with: .rejected(PromiseError.brokenAt(promise.origin)))
  }

  func claim() -> Bool {
    call.with { call in
      defer { call.isTaken = true }
      return !call.isTaken
    }
  }

  func resolve(_ y: Any) {
    guard claim(), let promise = promise.value else { return }
    let resolution = Resolution(y)
    if case .thenable(let thenable) = resolution {
      let inTime = call.with { call in
        if !call.hasReturned { call.following = thenable }
        return !call.hasReturned
      }
      if inTime { return }
    }
    let turn = Turn.current
    promise.resolveThenable(with: resolution, turn)
    turn.drain()
  }

  func reject(_ reason: Any) {
    guard claim(), let promise = promise.value else { return }
    settle(promise, with: .rejected(PromiseError.asError(reason)))
  }

  private func settle(_ promise: Promise, with outcome: Outcome) {
    let turn = Turn.current
    promise.settleThenable(with: outcome, turn)
    turn.drain()
  }

  /// Records that `then` has returned. Returns the thenable with which `then` has resolved meanwhile, if any.
  func returned() -> (any Thenable)? {
    call.with { call in
      call.hasReturned = true
      return call.following.take()
    }
  }
}

/// A weak reference to a promise.
final class WeakPromise: @unchecked Sendable {
  private(set) weak var value: Promise?
  init(_ promise: Promise) { value = promise }
}
