// Handlers made of ordinary and main-actor closures. A `nil` closure means that there is no handler for its
// outcome. All initializers are inlined into the operators. Separate initializers for `Any`, `any Error` and
// each isolation save a cast or an allocation per handler (docs/decisions/014-face.md).

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
}

// MARK: The main actor

extension Handler {
  @inlinable
  init<V, T>(mainValue value: (@MainActor (V) throws -> T)?) {
    self =
      value.map { value in
        Handler(.value) { input, _ in
          let input = UncheckedBox<V>(try Wrap.argument(input))
          return try Wrap.onMain { try value(input.value) }
        }
      } ?? .none
  }

  @inlinable
  init<U>(mainReason reason: (@MainActor (any Error) throws -> U)?) {
    self =
      reason.map { reason in
        Handler(.reason) { _, error in
          let error = Wrap.reason(error)
          return try Wrap.onMain { try reason(error) }
        }
      } ?? .none
  }

  @inlinable
  init<E, U>(mainReason reason: (@MainActor (E) throws -> U)?) {
    self =
      reason.map { reason in
        Handler(.reason) { _, error in
          let input = UncheckedBox<E>(try Wrap.expected(error))
          return try Wrap.onMain { try reason(input.value) }
        }
      } ?? .none
  }

  @inlinable
  init<V, T, U>(
    mainValue value: (@MainActor (V) throws -> T)?, mainReason reason: (@MainActor (any Error) throws -> U)?
  ) {
    guard let value, let reason else {
      self = value.map { Handler(mainValue: $0) } ?? Handler(mainReason: reason)
      return
    }
    self.init(.both) { input, error in
      if let error { return try Wrap.onMain { try reason(error) } }
      let input = UncheckedBox<V>(try Wrap.argument(input))
      return try Wrap.onMain { try value(input.value) }
    }
  }

  @inlinable
  init<T>(_ kind: Kind, onMain body: (@MainActor () throws -> T)?) {
    self = body.map { body in Handler(kind) { _, _ in try Wrap.onMain { try body() } } } ?? .none
  }
}
