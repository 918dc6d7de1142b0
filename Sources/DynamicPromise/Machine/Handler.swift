// The stored form of all handlers.

/// A closure from an outcome to a resolution, with its context and the outcomes that it handles.
@usableFromInline
struct Handler: Sendable {
  /// Receives the value and `nil`, or `()` and the reason. (An `Outcome` would take two more copies of the
  /// value.)
  @usableFromInline
  typealias Call = @Sendable (_ value: Any, _ reason: (any Error)?) throws -> Resolution

  /// The outcomes that a handler handles, and fixed properties of its child.
  @frozen
  @usableFromInline
  struct Kind: OptionSet, Sendable {
    @usableFromInline let rawValue: UInt8
    @inlinable init(rawValue: UInt8) { self.rawValue = rawValue }

    @inlinable static var value: Kind { Kind(rawValue: 1) }
    @inlinable static var reason: Kind { Kind(rawValue: 2) }
    /// A `finally` body: its child receives the parent's outcome, and the body runs even if the child was
    /// cancelled.
    @inlinable static var finally: Kind { Kind(rawValue: 4) }
    /// Waits for the value, but is no consumer: a timer.
    static var onlyWaits: Kind { Kind(rawValue: 8) }
    /// Has its own context.
    static var ownContext: Kind { Kind(rawValue: 16) }
    /// Is a consumer that ignores withdrawals.
    static var shield: Kind { Kind(rawValue: 32) }
    /// A step of a series, or of `delay`. Unlike other children, it does not hold itself while it follows a
    /// promise. A series retains its steps.
    static var step: Kind { Kind(rawValue: 64) }
    /// A child that is pending while its settled parent has unfinished work. A cancel skips it.
    static var unfinished: Kind { Kind(rawValue: 128) }
    @inlinable static var both: Kind { [.value, .reason] }
    /// The kind of a `finally`.
    @inlinable static var afterwards: Kind { [.both, .finally] }

    /// Whether a child with such a handler is a consumer of its parent.
    @inline(__always) var isConsumer: Bool {
      intersection([.value, .finally, .onlyWaits]) == .value || contains(.shield)
    }

    /// Whether the handler runs for an outcome of this phase.
    @inline(__always)
    func handles(_ phase: Phase) -> Bool { contains(phase == .fulfilled ? .value : .reason) }
  }

  @usableFromInline let call: Call
  /// `nil` means the default context of the child.
  var context: ContextRef?
  let kind: Kind

  @usableFromInline
  init(_ kind: Kind, _ call: @escaping Call) {
    self.call = call
    self.kind = kind
  }

  /// Calls the handler with an outcome.
  func call(_ outcome: Outcome) throws -> Resolution {
    switch outcome {
    case .fulfilled(let value): try call(value, nil)
    case .rejected(let reason): try call((), reason)
    }
  }
}
