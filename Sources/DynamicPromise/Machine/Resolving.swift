// The promise resolution procedure, `[[Resolve]](promise, x)` of Promises/A+ 2.3. Called with nothing locked;
// the caller has a hold on the promise.

extension Core {
  /// Resolves an unresolved promise. The first resolution wins.
  ///
  /// - Returns: Whether this resolution won.
  @discardableResult
  func resolve(with resolution: Resolution, _ turn: Turn) -> Bool {
    switch resolution {
    case .fulfilled(let value): lock.with { resolve(value: value, turn) }
    case .rejected(let reason): lock.with { resolve(reason: reason, turn) }
    case .promise(let other), .task(let other): follow(other, turn)
    case .thenable(let thenable): resolve(with: thenable, turn)
    }
  }

  /// Makes an unresolved promise follow a thenable, and calls the thenable.
  @discardableResult
  func resolve(with thenable: any Thenable, _ turn: Turn) -> Bool {
    lock.lock()
    let isFirst = phase.isUnresolved
    if isFirst {
      releaseAbandonHooks(turn)
      phase = .followingThenable
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
          return settleThenable(with: .fulfilled(thenable), turn)
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
    case .fulfilled(let value): settleThenable(with: .fulfilled(value), turn)
    case .rejected(let reason): settleThenable(with: .rejected(reason), turn)
    case .promise(let other), .task(let other):
      if !follow(other, forThenable: true, turn) { lock.with { endThenable(turn) } }
    case .thenable(let thenable): call(thenable, turn)
    }
  }

  fileprivate func settleThenable(with outcome: Outcome, _ turn: Turn) {
    lock.with { if phase == .followingThenable { settle(outcome, turn) } else { endThenable(turn) } }
  }

  private func endThenable(_ turn: Turn) { endUnfinishedWork(turn) { $0.awaitsThenable = false } }
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

  init(_ core: Core) { promise = WeakPromise(core, core.lock) }

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
    promise.core.resolveThenable(with: resolution, turn)
    turn.drain()
  }

  func reject(_ reason: Any) {
    guard claim(), let promise = promise.value else { return }
    settle(promise, with: .rejected(PromiseError.asError(reason)))
  }

  private func settle(_ promise: Promise, with outcome: Outcome) {
    let turn = Turn.current
    promise.core.settleThenable(with: outcome, turn)
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
