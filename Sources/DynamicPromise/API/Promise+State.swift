// The state of a promise.

extension Promise {
  /// Whether the promise is neither fulfilled nor rejected.
  public var isPending: Bool { !isSettled }

  /// Whether the promise is fulfilled or rejected. A settled promise never changes.
  public var isSettled: Bool { with { $0.isSettled } }

  /// Whether the promise is settled with a value.
  public var isFulfilled: Bool {
    with { if case .fulfilled = $0 { true } else { false } }
  }

  /// Whether the promise is settled with a reason. This includes cancelled promises.
  public var isRejected: Bool {
    with { if case .rejected = $0 { true } else { false } }
  }

  /// Whether the promise was cancelled by request, or rejected with a cancellation (`error.isCancellation`).
  public var isCancelled: Bool {
    return isCancelledByRequest || outcome?.reason.map(PromiseError.isCancellation) ?? false
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

extension Promise: CustomStringConvertible {
  /// One line: the state and, once settled, the beginning of the outcome.
  public var description: String {
    return switch outcome {
    case .fulfilled(let value): describe("fulfilled", value.any)
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
    let address = UInt(bitPattern: ObjectIdentifier(self))
    return "\(description) at 0x\(String(address, radix: 16))"
  }
}

extension Promise {
  /// Whether the promise was cancelled by request, not merely rejected with a cancellation.
  var isCancelledByRequest: Bool { lock.with { flags.contains(.cancelled) } }

  /// The outcome, or `nil` while pending. Reading it does not count as observing.
  var outcome: Outcome? { lock.with { state.outcome } }

  /// Marks the outcome as observed. The mark of a pending promise applies to its later outcome.
  func markObserved() { lock.with { _ = flags.insert(.observed) } }

  fileprivate var isObserved: Bool { lock.with { flags.contains(.observed) } }

  @inline(__always)
  fileprivate func with<Answer>(_ question: (State) -> Answer) -> Answer { lock.with { question(state) } }
}
