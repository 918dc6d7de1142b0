// The vocabulary of the settling machine: bits of the word, outcomes. `Store.swift` has what a promise holds.

/// The bits of a promise's word. Bit 0 is the lock (`LockedWord`).
@usableFromInline
enum State: Sendable {
  /// Two bits: what the promise is.
  static let mask: UInt = 0b110
  static let unresolved: UInt = 0b000
  /// Resolved with a promise or thenable whose outcome is not known yet: pending to the outside, but nobody except
  /// a cancellation can change its fate any more.
  static let lockedIn: UInt = 0b010
  static let fulfilled: UInt = 0b100
  static let rejected: UInt = 0b110
  /// Set in both settled states.
  static let settledBit: UInt = 0b100

  /// Cancelled by message (C2). Implies `rejected`.
  static let told: UInt = 1 << 3
  /// Some thread is handing over the continuations; whoever registers now only appends (A4).
  static let draining: UInt = 1 << 4
  /// The rejection was handled, forwarded, adopted or read (L5).
  static let observed: UInt = 1 << 5
  /// The handler has begun to run.
  static let started: UInt = 1 << 6
  /// Settled, and entered in the list of the next ancestor, because something below is pending (`Lineage.swift`).
  static let enrolled: UInt = 1 << 7

  // What kind of continuation a child is; constant.
  @inlinable static var handlesValue: UInt { 1 << 8 }
  @inlinable static var handlesReason: UInt { 1 << 9 }
  @inlinable static var isFinally: UInt { 1 << 10 }
  /// The handlers are stored as a `Direct`. Those of a `finally` always are.
  static let isDirect: UInt = 1 << 11

  /// Told before it was resolved: the promise with which it is resolved now is cancelled at once (C4), so that it makes no
  /// difference which came first.
  static let forwardsLate: UInt = 1 << 12

  // What `store` holds.
  static let hasHandlers: UInt = 1 << 13
  static let hasTarget: UInt = 1 << 14

  /// The promise is gone; what remains of it only forwards.
  static let gone: UInt = 1 << 15

  /// Has, or had, a name (`Label.swift`).
  static let labelled: UInt = 1 << 16

  /// `up` may name an ancestor, which may give it another one.
  static let hasAncestor: UInt = 1 << 17

  /// One of the children that wait does not hold this promise: it is held by the list in which it waits itself, or by the job that runs it, and
  /// that hold stands for both.
  static let carries: UInt = 1 << 18

  /// The bits from here on count the descendants whose way up begins here (`Lineage.swift`).
  static let descendant: UInt = 1 << 19

  /// What tells a settled promise of which nobody has to hear that it goes away, by having none of it but `settledBit`.
  static let known: UInt = settledBit | enrolled | labelled | hasAncestor | ~(descendant - 1)

  @inline(__always) static func isSettled(_ bits: UInt) -> Bool { bits & settledBit != 0 }
  @inline(__always) static func isUnresolved(_ bits: UInt) -> Bool { bits & mask == unresolved }
  @inline(__always) static func hasDescendants(_ bits: UInt) -> Bool { bits >= descendant }
}

/// The content of a promise where speed does not matter.
enum Slot {
  case nothing
  case value(Any)
  case reason(any Error)

  var error: (any Error)? {
    if case .reason(let reason) = self { reason } else { nil }
  }
}

extension Promise {
  /// A copy of the outcome; `.nothing` while pending.
  var outcome: Slot {
    let bits = word.peek()
    guard State.isSettled(bits) else { return .nothing }
    return bits & State.mask == State.fulfilled
      ? .value(store.value()) : .reason(store.reason())
  }

  /// The reason of a rejected promise.
  var reason: (any Error)? {
    word.peek() & State.mask == State.rejected ? store.reason() : nil
  }
}

/// A settled outcome.
enum Outcome {
  case fulfilled(Any)
  case rejected(any Error)

  var store: Store {
    switch self {
    case .fulfilled(let value): Store(value: value)
    case .rejected(let reason): Store(reason: reason)
    }
  }

  var resolution: Resolution {
    switch self {
    case .fulfilled(let value): .fulfilled(value)
    case .rejected(let reason): .rejected(reason)
    }
  }

  var bits: UInt {
    switch self {
    case .fulfilled: State.fulfilled
    case .rejected: State.rejected
    }
  }
}

/// What a handler came to, as far as its static type tells.
enum Resolution {
  /// Known to be neither promise, thenable, error nor optional.
  case fulfilled(Any)
  /// An outcome taken from another promise, or a thrown error.
  case rejected(any Error)
  /// A promise.
  case adopt(Promise)
  /// The promise of an asynchronous handler, which returns when that is settled.
  case running(Promise)
  /// Ask the value (`Resolving.swift`).
  case unknown(Any)

  /// Uses the static type where it says enough, so that the value need not be asked.
  static func of<T>(_ value: T) -> Resolution {
    if T.self == Promise.self { return .adopt(value as! Promise) }
    if T.self == Void.self || T.self == Int.self || T.self == String.self || T.self == Bool.self
      || T.self == Double.self
    {
      return .fulfilled(value)
    }
    return .unknown(erased(value))
  }
}
