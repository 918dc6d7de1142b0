// Handlers made of ordinary and main-actor closures; `Handler+Invocable.swift` has the other handlers. A
// `nil` closure means that there is no handler for its outcome. All initializers are inlined into the
// operators. Separate initializers for `Any` and `any Error` save the cast. The isolations have separate
// initializers, because a common one would allocate once more per handler (docs/decisions/014-face.md).

extension Handler {
  /// No handler.
  @inlinable static var none: Handler { Handler([]) { value, _ in .fulfilled(value) } }

  /// A handler for a value of any type.
  @inlinable
  init<T>(value: (@Sendable (Any) throws -> T)?) {
    guard let value else {
      self = .none
      return
    }
    self.init(.value) { input, _ in .of(try value(input)) }
  }

  /// A handler for a value of type `V`. A value of another type rejects the child.
  @inlinable
  init<V, T>(value: (@Sendable (V) throws -> T)?) {
    guard let value else {
      self = .none
      return
    }
    self.init(.value) { input, _ in .of(try value(try Wrap.argument(input))) }
  }

  /// A handler for a reason of any type.
  @inlinable
  init<U>(reason: (@Sendable (any Error) throws -> U)?) {
    guard let reason else {
      self = .none
      return
    }
    self.init(.reason) { _, error in .of(try reason(Wrap.reason(error))) }
  }

  /// A handler for a reason of type `E`. Other reasons are passed on.
  @inlinable
  init<E, U>(reason: (@Sendable (E) throws -> U)?) {
    guard let reason else {
      self = .none
      return
    }
    self.init(.reason) { _, error in .of(try reason(try Wrap.expected(error))) }
  }

  /// A handler for either outcome.
  @inlinable
  init<V, T, U>(value: (@Sendable (V) throws -> T)?, reason: (@Sendable (any Error) throws -> U)?) {
    guard let value else {
      self.init(reason: reason)
      return
    }
    guard let reason else {
      self.init(value: value)
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
    guard let body else {
      self = .none
      return
    }
    self.init(kind) { _, _ in .of(try body()) }
  }
}

// MARK: The main actor

extension Handler {
  @inlinable
  init<V, T>(mainValue value: (@MainActor (V) throws -> T)?) {
    guard let value else {
      self = .none
      return
    }
    self.init(.value) { input, _ in
      let input = UncheckedBox<V>(try Wrap.argument(input))
      return try Wrap.onMain { try value(input.value) }
    }
  }

  @inlinable
  init<U>(mainReason reason: (@MainActor (any Error) throws -> U)?) {
    guard let reason else {
      self = .none
      return
    }
    self.init(.reason) { _, error in
      let error = Wrap.reason(error)
      return try Wrap.onMain { try reason(error) }
    }
  }

  @inlinable
  init<E, U>(mainReason reason: (@MainActor (E) throws -> U)?) {
    guard let reason else {
      self = .none
      return
    }
    self.init(.reason) { _, error in
      let input = UncheckedBox<E>(try Wrap.expected(error))
      return try Wrap.onMain { try reason(input.value) }
    }
  }

  @inlinable
  init<V, T, U>(
    mainValue value: (@MainActor (V) throws -> T)?, mainReason reason: (@MainActor (any Error) throws -> U)?
  ) {
    guard let value else {
      self.init(mainReason: reason)
      return
    }
    guard let reason else {
      self.init(mainValue: value)
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
    guard let body else {
      self = .none
      return
    }
    self.init(kind) { _, _ in try Wrap.onMain { try body() } }
  }
}
