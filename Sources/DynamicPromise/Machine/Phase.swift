// The phases of a promise, and its flags.
//
//                     resolve(promise or thenable)
//     ┌────────────┐ ──────────────────────────────▶ ┌───────────┐
//     │ unresolved │                                 │ following │
//     └────────────┘                                 └───────────┘
//                 │ fulfill, reject, resolve(value)    ▲      │ the target has settled
//     ┌─────────┐ │  ┌─────────┐  returned a promise   │      │
//     │ handler │─┼─▶│ running │ ──────────────────────┘      │
//     └─────────┘ │  └─────────┘                              │
//      │ cancel,  │      │ returned a value, or threw         │
//      │ parent's ▼      ▼                                    ▼
//      │ outcome ┌──────────────────────────────────────────────┐
//      └───────▶ │ fulfilled | rejected (perhaps by request)    │   permanently
//                └──────────────────────────────────────────────┘
//
// A transition is made by a function of `Core`, with the tree's lock held. A transition changes fields, and
// adds work that must be done without the lock to the `Turn`. It calls no foreign code.

/// The phase of a promise. It says what the core's payload is.
enum Phase: UInt8 {
  /// Not resolved. The promise waits for a resolution, or, as a child without a handler, for its parent.
  case unresolved
  /// A child whose handler has not begun to run. The payload is the handler.
  case handler
  /// A child whose handler runs. The payload identifies the thread. It is zero for an asynchronous handler
  /// that runs because of a cancel.
  case running
  /// Resolved with a promise that has not settled yet. Before the other promise settles, only a cancel or a
  /// cycle can settle this promise. The payload is the link to the other promise.
  case following
  /// Resolved with a thenable that has not called back yet.
  case followingThenable
  /// The payload is the value.
  case fulfilled
  /// The payload is the reason.
  case rejected
  /// The promise was freed. The core stays for its resolver, or for many children.
  case gone

  @inline(__always) var isSettled: Bool { rawValue >= Phase.fulfilled.rawValue }

  /// Whether the promise can still be resolved.
  @inline(__always) var isUnresolved: Bool { self == .unresolved || self == .running }
}

/// The flags of a promise.
struct Flags: OptionSet {
  let rawValue: UInt16

  /// Cancelled by request, not merely rejected with an error that means a cancellation.
  static let cancelled = Flags(rawValue: 1 << 0)
  /// Cancelled before it was resolved. If it is resolved with a promise later, it withdraws from that
  /// promise.
  static let awaitsResolution = Flags(rawValue: 1 << 1)
  /// The rejection was handled, forwarded, adopted or read.
  static let observed = Flags(rawValue: 1 << 2)
  /// Made with `Promise()`: any code with a reference may settle it.
  static let open = Flags(rawValue: 1 << 3)
  /// Another promise follows this promise, has followed it, or is about to follow it.
  static let followed = Flags(rawValue: 1 << 4)
  /// In its parent's list of waiting children.
  static let waiting = Flags(rawValue: 1 << 5)

  // The demand (`Demand.swift`).

  /// Unwanted, without a consumer: a withdrawal has climbed past this promise. The cancel that begins here or
  /// above will cancel it.
  static let givenUp = Flags(rawValue: 1 << 6)
  /// The cancel of given-up promises began here.
  static let beginsCancel = Flags(rawValue: 1 << 7)
  /// Marked as unwanted when its last consumer leaves, even if that consumer does not withdraw.
  static let cancelsWhenUnwanted = Flags(rawValue: 1 << 8)
  /// Its handler for a rejection runs because the promise is unwanted, not because of its parent's
  /// outcome.
  static let unwantedHandler = Flags(rawValue: 1 << 9)

  // The order of handlers.

  /// A turn schedules the waiting handlers of this settled promise.
  static let dispatching = Flags(rawValue: 1 << 10)
  /// A turn runs handlers of this settled promise in place.
  static let runningInPlace = Flags(rawValue: 1 << 11)
  /// Registered while the siblings' handlers were being scheduled.
  static let isLate = Flags(rawValue: 1 << 12)
}

extension Core {
  /// The resolver, if there is one.
  enum Source: UInt8 {
    case none, resolver, usedResolver
    /// `finished()` waits for it after a cancel: it always calls back, or is that of a Swift task.
    case awaitedResolver
  }

  /// How a promise ended that was freed before its resolver.
  enum End {
    case settled, cancelled(any Error)
    /// Freed while it was unresolved, or while it followed a promise or thenable.
    case abandoned, left
  }
}

// Called with the lock held.
extension Core {
  @inline(__always) var isSettled: Bool { phase.isSettled }

  /// The outcome, if the promise has settled. Of a settled promise on which the caller has a hold, it may be
  /// read without the lock.
  @inline(__always) var outcome: Outcome? {
    switch phase {
    case .fulfilled: .fulfilled(value)
    case .rejected: .rejected(reason)
    default: nil
    }
  }

  /// The reason, if the promise is rejected.
  @inline(__always) var reasonIfRejected: (any Error)? { phase == .rejected ? reason : nil }

  /// The parent of a pending child. It exists, because the child has a hold on it.
  @inline(__always) var heldParent: Core? { isSettled ? nil : up }

  /// The context of this child's handler, or of its children.
  @inline(__always) var ownContext: ContextRef {
    kind.contains(.ownContext) && phase == .handler ? handlersContext ?? defaultContext : defaultContext
  }
}
