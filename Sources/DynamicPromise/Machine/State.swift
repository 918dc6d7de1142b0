// What a promise is, and what else is noted of it.
//
//                     resolve(promise or thenable)
//     ┌────────────┐ ──────────────────────────────▶ ┌───────────┐
//     │ unresolved │                                 │ following │
//     └────────────┘                                 └───────────┘
//      ▲          │ fulfill, reject, resolve(value)    │      │ what it follows has settled
//      │ the child│ of a handler:                      │      │
//     ┌─────────┐ │  ┌─────────┐  returned a promise   │      │
//     │ handler │─┼─▶│ running │ ──────────────────────┘      │
//     └─────────┘ │  └─────────┘                              │
//      │ cancel   │      │ returned a value, or threw         │
//      │          ▼      ▼                                    ▼
//      │       ┌────────────────────────────────────────────────┐
//      └─────▶ │ fulfilled | rejected (perhaps by request)      │   for good
//              └────────────────────────────────────────────────┘
//
// Every transition is a function on `Promise` that is named after it, called with the tree's lock held. It
// changes fields, adds what is to be done once the lock is free to the `Turn`, and calls no foreign code.

/// What a promise is. The names of its states.
enum State {
  /// Not resolved yet: it waits for a resolver, or (a child without a handler) for its parent.
  case unresolved
  /// A child whose handler has not begun to run.
  case handler(Handler)
  /// A child whose handler runs on the thread of this number; zero for an asynchronous handler.
  case running(thread: UInt)
  /// Resolved with a promise whose outcome is not known yet. Only a cancel can settle it before.
  case following(Adoption)
  /// The same for a thenable, which has been called and has not called back.
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

  /// Whether the first resolution is still to come.
  var isUnresolved: Bool {
    switch self {
    case .unresolved, .handler, .running: true
    default: false
    }
  }

  /// The outcome, once there is one.
  @inline(__always) var outcome: Outcome? {
    switch self {
    case .fulfilled(let value): .fulfilled(value)
    case .rejected(let reason): .rejected(reason)
    default: nil
    }
  }

  /// Why, once it is rejected.
  @inline(__always) var reason: (any Error)? {
    if case .rejected(let reason) = self { reason } else { nil }
  }

  /// The context that a handler which has not begun names as its own.
  @inline(__always) var handlersContext: ContextRef? {
    if case .handler(let handler) = self { handler.context } else { nil }
  }
}

/// What is noted of a promise beside its state.
struct Flags: OptionSet {
  let rawValue: UInt32

  @inlinable init(rawValue: UInt32) { self.rawValue = rawValue }

  /// Cancelled by request, not merely rejected with an error that says so.
  static let cancelled = Flags(rawValue: 1 << 0)
  /// Cancelled before it was resolved: the first resolution still withdraws.
  static let awaitsResolution = Flags(rawValue: 1 << 1)
  /// The rejection was handled, forwarded, adopted or read.
  static let observed = Flags(rawValue: 1 << 2)

  // Its place in the tree.

  /// Is in its parent's list of children that wait.
  static let waiting = Flags(rawValue: 1 << 3)
  /// Keeps its parent, as every child does while it is pending, with one exception (`updateHolds`).
  static let holdsParent = Flags(rawValue: 1 << 4)
  /// Keeps itself (`Holding.swift`).
  static let holdsItself = Flags(rawValue: 1 << 5)
  /// A promise follows this one, has followed it or is about to.
  static let followed = Flags(rawValue: 1 << 7)

  // Who wants it (`Demand.swift`).

  /// No consumer has wanted it: a cancel has begun here or above, and will come.
  static let givenUp = Flags(rawValue: 1 << 8)
  /// When its last consumer leaves, it is marked as unwanted, whether or not that one withdraws.
  static let cancelsWhenUnwanted = Flags(rawValue: 1 << 10)
  /// Its handler for a rejection runs because the promise is unwanted, not because of its parent's
  /// outcome.
  static let unwantedHandler = Flags(rawValue: 1 << 11)

  // Whose handlers run when.

  /// Some thread is scheduling the handlers of this settled promise; a new one is only appended.
  static let dispatching = Flags(rawValue: 1 << 12)
  /// When its handler has returned, or continues elsewhere, this stack continues with the parent's
  /// other children.
  static let resumesParent = Flags(rawValue: 1 << 13)
  /// Was registered while some other thread was scheduling its siblings.
  static let isLate = Flags(rawValue: 1 << 14)
}
