// Handlers made of closures. A `nil` closure means that there is no handler for its outcome. The initializers
// are inlined into the operators. Those for `Any` and `any Error` save a cast per handler.

extension Handler {
  /// No handler.
  @inlinable static var none: Handler { Handler([]) { value, _ in .fulfilled(value) } }

  /// A handler for a value of any type.
  @inlinable
  init<T>(value: (@Sendable (Any) throws -> T)?) {
    self = value.map { value in Handler(.value) { input, _ in .of(try value(input)) } } ?? .none
  }

  /// A handler for a value of type `V`. A value of another type rejects the child.
  @inlinable
  init<V, T>(value: (@Sendable (V) throws -> T)?) {
    self =
      value.map { value in Handler(.value) { input, _ in .of(try value(try Wrap.argument(input))) } } ?? .none
  }

  /// A handler for a reason of any type.
  @inlinable
  init<U>(reason: (@Sendable (any Error) throws -> U)?) {
    self =
      reason.map { reason in Handler(.reason) { _, error in .of(try reason(Wrap.reason(error))) } } ?? .none
  }

  /// A handler for a reason of type `E`. Other reasons are passed on.
  @inlinable
  init<E, U>(reason: (@Sendable (E) throws -> U)?) {
    self =
      reason.map { reason in Handler(.reason) { _, error in .of(try reason(try Wrap.expected(error))) } }
      ?? .none
  }

  /// A handler for either outcome.
  @inlinable
  init<V, T, U>(value: (@Sendable (V) throws -> T)?, reason: (@Sendable (any Error) throws -> U)?) {
    guard let value, let reason else {
      self = value.map { Handler(value: $0) } ?? Handler(reason: reason)
      return
    }
    self.init(.both) { input, error in
      if let error { return .of(try reason(error)) }
      return .of(try value(try Wrap.argument(input)))
    }
  }

  /// A handler without input, for outcomes of this kind.
  @inlinable
  init<T>(_ kind: Kind, _ body: (@Sendable () throws -> T)?) {
    self = body.map { body in Handler(kind) { _, _ in .of(try body()) } } ?? .none
  }

  /// A handler for outcomes of this kind, with a closure of `Wrap`.
  init(_ kind: Kind, _ body: Wrap.Ordinary<Void>?) {
    self = body.map { body in Handler(kind) { _, _ in try body(()) } } ?? .none
  }
}
