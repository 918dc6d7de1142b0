// A handler as it is stored, whatever shape it was written in.

/// A closure that takes an outcome and says what it came to, which outcomes it is for, and where it runs.
@usableFromInline
struct Handler: Sendable {
  @usableFromInline
  typealias Call = @Sendable (Outcome) throws -> Resolution

  /// Which outcomes a handler is for, and what else does not change about its child.
  @frozen
  @usableFromInline
  struct Kind: OptionSet, Sendable {
    @usableFromInline let rawValue: UInt8
    @inlinable init(rawValue: UInt8) { self.rawValue = rawValue }

    @inlinable static var value: Kind { Kind(rawValue: 1) }
    @inlinable static var reason: Kind { Kind(rawValue: 2) }
    /// A body that leaves the outcome as it is, and runs though its child was cancelled.
    @inlinable static var finally: Kind { Kind(rawValue: 4) }
    /// Only waits for the value, and does not want it: a timer, or the handler of a child that was settled by
    /// hand.
    static var onlyWaits: Kind { Kind(rawValue: 8) }
    /// Names a context of its own.
    static var ownContext: Kind { Kind(rawValue: 16) }
    /// Wants the value, and withdrawals have no effect on it.
    static var shield: Kind { Kind(rawValue: 32) }
    /// Is not kept as the end of a discarded chain: its maker says how long it is wanted.
    static var step: Kind { Kind(rawValue: 64) }
    /// A child that is pending while its settled parent is unfinished. A cancel passes it by.
    static var unfinished: Kind { Kind(rawValue: 128) }
    @inlinable static var both: Kind { [.value, .reason] }
    /// The kind of a `finally`.
    @inlinable static var afterwards: Kind { [.both, .finally] }

    /// Whether a child with such a handler is a consumer of its parent.
    @inline(__always) var isConsumer: Bool {
      intersection([.value, .finally, .onlyWaits]) == .value || contains(.shield)
    }
  }

  @usableFromInline let call: Call
  /// `nil`: the default context of its child.
  var context: ContextRef?
  let kind: Kind

  @usableFromInline
  init(_ kind: Kind, _ call: @escaping Call) {
    self.call = call
    self.kind = kind
  }

  var isFinally: Bool { kind.contains(.finally) }

  @inline(__always)
  func handles(_ outcome: Outcome) -> Bool {
    switch outcome {
    case .fulfilled: kind.contains(.value)
    case .rejected: kind.contains(.reason)
    }
  }
}
