// Handlers as users write them: every operator makes one and adds it. Labels say what a closure is for and
// where it is isolated; a `nil` closure is no handler for its outcome. This file: ordinary closures.
// `Handler+MainActor.swift`, `Handler+Actor.swift` and `Handler+Async.swift` have the others.

extension Handler {
  /// No handler at all.
  @inlinable static var none: Handler { Handler([]) { .outcome($0) } }
}

extension Handler {
  /// For a value of any type.
  @inlinable
  init<T>(value: (@Sendable (Any) throws -> T)?) {
    guard let value else {
      self = .none
      return
    }
    self.init(.value) { .of(try value($0.value)) }
  }

  /// For the value as a `V`; one of another type rejects.
  @inlinable
  init<V, T>(value: (@Sendable (V) throws -> T)?) {
    guard let value else {
      self = .none
      return
    }
    self.init(.value) { .of(try value(try Wrap.argument($0))) }
  }

  /// For any value, which the closure ignores.
  @inlinable
  init<T>(noInput body: (@Sendable () throws -> T)?) {
    guard let body else {
      self = .none
      return
    }
    self.init(.value) { _ in .of(try body()) }
  }

  /// For any reason.
  @inlinable
  init<U>(reason: (@Sendable (any Error) throws -> U)?) {
    guard let reason else {
      self = .none
      return
    }
    self.init(.reason) { .of(try reason($0.error)) }
  }

  /// For the reason as an `E`; any other is passed on.
  @inlinable
  init<E, U>(reason: (@Sendable (E) throws -> U)?) {
    guard let reason else {
      self = .none
      return
    }
    self.init(.reason) { .of(try reason(try Wrap.expected($0))) }
  }

  /// For either outcome.
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
    self.init(.both) { outcome in
      if case .rejected(let error) = outcome { return .of(try reason(error)) }
      return .of(try value(try Wrap.argument(outcome)))
    }
  }

  /// For either outcome, which is passed on.
  @inlinable
  init<T>(finally body: @escaping @Sendable () throws -> T) {
    self.init([.both, .finally]) { _ in .of(try body()) }
  }
}
