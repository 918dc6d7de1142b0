// The promise resolution procedure, `[[Resolve]](promise, x)` of Promises/A+ 2.3, in Swift's terms (A2).

extension Promise {
  /// Resolves an unresolved promise with `x`; the first resolution wins.
  func resolve(with x: Any, _ agenda: inout Agenda) {
    switch Fact(x) {
    case .value(let value): settle(.fulfilled(value), &agenda)
    case .error(let reason): settle(.rejected(reason), &agenda)
    case .promise(let other): adopt(other, &agenda)
    case .thenable(let thenable):
      guard lockIn(&agenda) else { return }
      call(thenable, &agenda)
    }
  }

  /// Resolves with what a handler came to, moving it out of `result`.
  @inline(__always)
  func resolve(_ found: Found, _ result: inout Store, _ agenda: inout Agenda) {
    switch found {
    case .value: settle(result, State.fulfilled, &agenda)
    case .reason: settle(result, State.rejected, &agenda)
    case .promise, .running: adopt(result.takeTarget(), &agenda)
    case .unknown:
      if TypeNature(of: result.dynamicType) == .plain {
        settle(result, State.fulfilled, &agenda)
      } else {
        resolve(with: result.takeValue(), &agenda)
      }
    }
  }

  /// The same for a handler of another shape.
  func resolve(_ result: Resolution, _ agenda: inout Agenda) {
    switch result {
    case .fulfilled(let value): settle(.fulfilled(value), &agenda)
    case .rejected(let reason): settle(.rejected(reason), &agenda)
    case .adopt(let other), .running(let other): adopt(other, &agenda)
    case .unknown(let value): resolve(with: value, &agenda)
    }
  }

  /// What a thenable was resolved with; the promise is locked in for it.
  fileprivate func resolveLockedIn(with fact: Fact, _ agenda: inout Agenda) {
    switch fact {
    case .value(let value): settleLockedIn(.fulfilled(value), &agenda)
    case .error(let reason): settleLockedIn(.rejected(reason), &agenda)
    case .promise(let other): adoptLockedIn(other, &agenda)
    case .thenable(let thenable): call(thenable, &agenda)
    }
  }

  /// Seals the fate of an unresolved promise for a thenable. False if somebody else was first.
  private func lockIn(_ agenda: inout Agenda) -> Bool {
    var debris = Debris()
    var bits = word.lock()
    guard State.isUnresolved(bits) else {
      word.unlock(bits & ~State.forwardsLate)
      return false
    }
    let displaced = displaceHandlers(&bits, &agenda)
    var abandonHooks: [@Sendable () -> Void] = []
    if let cold { swap(&abandonHooks, &cold.abandonHooks) }
    stopWaiting(&debris)
    word.unlock(bits & ~State.mask | State.lockedIn)
    debris.clear()
    displaced?.release()
    withExtendedLifetime(abandonHooks) {}
    return true
  }

  /// Calls a thenable on this stack, with nothing locked (2.3.3). A thenable that is resolved with the next one before
  /// its `then` has returned is followed by a turn of the loop, not by a deeper stack (L4).
  private func call(_ first: any Thenable, _ agenda: inout Agenda) {
    var thenable = first
    while true {
      let call = ThenableCall(self)
      do {
        guard let then = try thenable.then else {
          _ = call.claim()
          return settleLockedIn(.fulfilled(thenable), &agenda)
        }
        try then({ call.resolve($0) }, { call.reject($0) })
      } catch {
        if call.claim() { settleLockedIn(.rejected(error), &agenda) }
      }
      guard let following = call.returned() else { return }
      thenable = following
    }
  }
}

/// What the resolution procedure makes of a value.
enum Fact {
  case value(Any)
  case error(any Error)
  case promise(Promise)
  case thenable(any Thenable)

  /// Looks at the value's type, and through optionals.
  init(_ x: Any) {
    var x = x
    while true {
      switch TypeNature(of: type(of: x)) {
      case .plain:
        self = .value(x)
      case .promise:
        self = .promise(x as! Promise)
      case .thenable:
        // A conformance may be isolated to an actor: the type has it, and the instance cannot be used by it on this stack.
        self = (x as? any Thenable).map { .thenable($0) } ?? .value(x)
      case .error:
        self = .error(x as! any Error)
      case .optional:
        if let held = (x as! any OptionalValue).heldValue {
          x = held
          continue
        }
        self = .value(x)
      }
      return
    }
  }
}

/// One call of a thenable's `then`: the first of `resolvePromise`, `rejectPromise` and a thrown error wins (2.3.3.3.3). It
/// does not keep the promise; if every reference to both functions goes away unused, the promise is broken.
private final class ThenableCall: @unchecked Sendable {
  private static let hasReturned: UInt = 1 << 1

  private weak var promise: Promise?
  private let once = Once()
  private let word = LockedWord(0)
  private var following: (any Thenable)?

  init(_ promise: Promise) { self.promise = promise }

  deinit {
    guard claim(), let promise else { return }
    var agenda = Agenda()
    promise.settleLockedIn(.rejected(PromiseError.brokenAt(promise.origin)), &agenda)
    agenda.run()
  }

  func claim() -> Bool { once.claim() }

  func resolve(_ y: Any) {
    guard claim(), let promise else { return }
    let fact = Fact(y)
    if case .thenable(let thenable) = fact {
      let bits = word.lock()
      let inTime = bits & Self.hasReturned == 0
      if inTime { following = thenable }
      word.unlock(bits)
      if inTime { return }
    }
    var agenda = Agenda()
    promise.resolveLockedIn(with: fact, &agenda)
    agenda.run()
  }

  func reject(_ reason: Any) {
    guard claim(), let promise else { return }
    var agenda = Agenda()
    promise.settleLockedIn(.rejected(PromiseError.asError(reason)), &agenda)
    agenda.run()
  }

  /// The `then` method has returned: what it was resolved with meanwhile, if that is a thenable.
  func returned() -> (any Thenable)? {
    let bits = word.lock()
    let result = following
    following = nil
    word.unlock(bits | Self.hasReturned)
    return result
  }
}

extension Promise {
  /// A `finally` closure has returned: the parent's outcome goes on, unless the closure failed; a promise or thenable
  /// that it returned is waited for.
  func concludeFinally(
    _ found: Found, _ result: inout Store, _ outcome: Store, _ outcomeBits: UInt, _ agenda: inout Agenda
  ) {
    var outcome = outcome
    switch found {
    case .value:
      result.destroyOutcome(State.fulfilled)
      settle(outcome, outcomeBits, &agenda)
    case .reason:
      outcome.destroyOutcome(outcomeBits)
      settle(result, State.rejected, &agenda)
    case .promise, .running:
      let original = outcome.takeOutcome(outcomeBits)
      adopt(result.takeTarget().passing(original, &agenda), &agenda)
    case .unknown:
      concludeFinally(
        Fact(result.takeValue()), outcome.takeOutcome(outcomeBits), &agenda)
    }
  }

  private func concludeFinally(_ result: Fact, _ original: Outcome, _ agenda: inout Agenda) {
    switch result {
    case .value: settle(original, &agenda)
    case .error(let reason): settle(.rejected(reason), &agenda)
    case .promise(let other): adopt(other.passing(original, &agenda), &agenda)
    case .thenable(let thenable):
      let waited = Promise()
      waited.resolve(with: thenable, &agenda)
      adopt(waited.passing(original, &agenda), &agenda)
    }
  }

  /// A child that waits for this promise and then has another outcome.
  private func passing(_ original: Outcome, _ agenda: inout Agenda) -> Promise {
    let original = UncheckedBox(original)
    return agenda.withinTurn {
      child(
        context: .immediate, kind: State.handlesValue | State.observed,
        Handlers(fulfilled: { _ in original.value.resolution }, rejected: nil), &$0)
    }
  }
}
