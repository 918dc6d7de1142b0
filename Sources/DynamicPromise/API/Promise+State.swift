// The state of a promise.

extension Promise {
  /// Whether the promise is neither fulfilled nor rejected.
  public var isPending: Bool { !isSettled }

  /// Whether the promise is fulfilled or rejected. A settled promise never changes.
  public var isSettled: Bool { core.lock.with { core.isSettled } }

  /// Whether the promise is settled with a value.
  public var isFulfilled: Bool { core.lock.with { core.phase == .fulfilled } }

  /// Whether the promise is settled with a reason. This includes cancelled promises.
  public var isRejected: Bool { core.lock.with { core.phase == .rejected } }

  /// Whether the promise was cancelled by request, or rejected with a cancellation (`error.isCancellation`).
  public var isCancelled: Bool {
    outcome?.reason.map(core.isCancelled) ?? false
  }

  /// The outcome, or `nil` while pending. Reading a rejection counts as observing it.
  public var result: Result<Any, any Error>? {
    guard let outcome else { return nil }
    if !outcome.isFulfilled { markObserved() }
    return outcome.result
  }

  /// Whether the promise is rejected and the rejection is observed: it was handled, passed on, awaited or
  /// read. Reading this property does not count as observing.
  package var isRejectionObserved: Bool { isRejected && isObserved }
}

extension Core {
  /// Whether this promise, which is rejected with `reason`, counts as cancelled. Called with nothing locked.
  func isCancelled(with reason: any Error) -> Bool {
    lock.with { flags.contains(.cancelled) } || PromiseError.isCancellation(reason)
  }
}

extension Promise: CustomStringConvertible {
  /// One line: the state and, once settled, the beginning of the outcome.
  public var description: String {
    return switch outcome {
    case .fulfilled(let value): describe("fulfilled", value)
    case .rejected(let reason):
      describe(isCancelledByRequest ? "cancelled" : "rejected", PromiseError.unwrapped(reason))
    case nil: "Promise(pending)"
    }
  }

  private final func describe(_ state: String, _ outcome: Any) -> String {
    let thread = CurrentThread.current
    guard !thread.isDescribing else { return "Promise(\(state))" }
    thread.isDescribing = true
    defer { thread.isDescribing = false }
    return "Promise(\(state): \(oneLine("\(outcome)")))"
  }
}

extension Promise: CustomDebugStringConvertible {
  /// The description and the address. (`DynamicPromiseDiagnostics` describes the whole tree.)
  public var debugDescription: String {
    "\(description) at 0x\(String(core.identity.number, radix: 16))"
  }
}

extension Promise {
  /// Whether the promise was cancelled by request, not merely rejected with an error that means a
  /// cancellation.
  var isCancelledByRequest: Bool { core.lock.with { core.flags.contains(.cancelled) } }

  /// The outcome, or `nil` while pending. Reading it does not count as observing.
  var outcome: Outcome? { core.lock.with { core.outcome } }

  /// Marks the outcome as observed. The mark of a pending promise applies to its later outcome.
  func markObserved() { core.lock.with { _ = core.flags.insert(.observed) } }

  fileprivate var isObserved: Bool { core.lock.with { core.flags.contains(.observed) } }

  /// Identifies this promise, also if `parent` makes another object for it.
  package var identity: PromiseIdentity { core.identity }
}
