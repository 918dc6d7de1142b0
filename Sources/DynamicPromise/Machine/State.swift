// The states of a promise, and its flags.
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
// Each transition is a function on `Promise`, called with the tree's lock held. A transition changes fields,
// and adds work that must be done without the lock to the `Turn`. It calls no foreign code.

/// The state of a promise.
enum State {
  /// Not resolved. The promise waits for a resolution, or, as a child without a handler, for its parent.
  case unresolved
  /// A child whose handler has not begun to run.
  case handler(Handler)
  /// A child whose handler runs. `thread` identifies the thread. It is zero for an asynchronous handler that
  /// runs because of a cancel.
  case running(thread: UInt)
  /// Resolved with a promise that has not settled yet. Before the other promise settles, only a cancel can
  /// settle this promise.
  case following(Adoption)
  /// Resolved with a thenable that has not called back yet.
  case followingThenable
  case fulfilled(Value)
  case rejected(any Error)

  @inline(__always)
  init(_ outcome: consuming Outcome) {
    switch consume outcome {
    case .fulfilled(let value): self = .fulfilled(value)
    case .rejected(let reason): self = .rejected(reason)
    }
  }

  @inline(__always) var isSettled: Bool {
    switch self {
    case .fulfilled, .rejected: true
    default: false
    }
  }

  @inline(__always) var isFulfilled: Bool { if case .fulfilled = self { true } else { false } }

  /// Whether the promise can still be resolved.
  var isUnresolved: Bool {
    switch self {
    case .unresolved, .running: true
    default: false
    }
  }

  /// The outcome, if the promise has settled.
  @inline(__always) var outcome: Outcome? {
    switch self {
    case .fulfilled(let value): .fulfilled(value)
    case .rejected(let reason): .rejected(reason)
    default: nil
    }
  }

  /// The reason, if the promise is rejected.
  @inline(__always) var reason: (any Error)? {
    if case .rejected(let reason) = self { reason } else { nil }
  }

  /// The handler's own context, if the handler has one and has not begun to run.
  @inline(__always) var handlersContext: ContextRef? {
    if case .handler(let handler) = self { handler.context } else { nil }
  }
}

/// The flags of a promise.
struct Flags: OptionSet {
  let rawValue: UInt32

  @inlinable init(rawValue: UInt32) { self.rawValue = rawValue }

  /// Cancelled by request, not merely rejected with an error that means a cancellation.
  static let cancelled = Flags(rawValue: 1 << 0)
  /// Cancelled before it was resolved. If it is resolved with a promise later, it withdraws from that
  /// promise.
  static let awaitsResolution = Flags(rawValue: 1 << 1)
  /// The rejection was handled, forwarded, adopted or read.
  static let observed = Flags(rawValue: 1 << 2)

  /// Made with `Promise()`: any code with a reference may settle it.
  static let open = Flags(rawValue: 1 << 6)

  // The place in the tree.

  /// In its parent's list of waiting children.
  static let waiting = Flags(rawValue: 1 << 3)
  /// Retains its parent, as every child does while it is pending, with one exception (`updateHolds`).
  static let holdsParent = Flags(rawValue: 1 << 4)
  /// Retains itself (`Holding.swift`).
  static let holdsItself = Flags(rawValue: 1 << 5)
  /// Another promise follows this promise, has followed it, or is about to follow it.
  static let followed = Flags(rawValue: 1 << 7)

  // The demand (`Demand.swift`).

  /// Unwanted, without a consumer: the cancel of this promise or of an ancestor has begun, and will cancel
  /// this promise.
  static let givenUp = Flags(rawValue: 1 << 8)
  /// The cancel of given-up promises began here.
  static let beginsCancel = Flags(rawValue: 1 << 9)
  /// Marked as unwanted when its last consumer leaves, even if that consumer does not withdraw.
  static let cancelsWhenUnwanted = Flags(rawValue: 1 << 10)
  /// Its handler for a rejection runs because the promise is unwanted, not because of its parent's
  /// outcome.
  static let unwantedHandler = Flags(rawValue: 1 << 11)

  // The order of handlers.

  /// A thread is scheduling the handlers of this settled promise. A new handler is only appended.
  static let dispatching = Flags(rawValue: 1 << 12)
  /// When this child's handler has returned, or continues in a task, this stack dispatches the parent's other
  /// children.
  static let resumesParent = Flags(rawValue: 1 << 13)
  /// Registered while another thread was scheduling the siblings' handlers.
  static let isLate = Flags(rawValue: 1 << 14)
}
