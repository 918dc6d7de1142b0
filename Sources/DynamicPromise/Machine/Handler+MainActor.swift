// Handlers whose closures are isolated to the main actor.

// MARK: Closures that return at once

extension Handler {
  /// For the value as a `V`; one of another type rejects.
  @inlinable
  init<V, T>(mainValue value: (@MainActor (V) throws -> T)?) {
    guard let value else {
      self = .none
      return
    }
    self.init(.value) { outcome in
      let input = UncheckedBox<V>(try Wrap.argument(outcome))
      return try Wrap.onMain { try value(input.value) }
    }
  }

  /// For any value, which the closure ignores.
  @inlinable
  init<T>(mainNoInput body: (@MainActor () throws -> T)?) {
    guard let body else {
      self = .none
      return
    }
    self.init(.value) { _ in try Wrap.onMain { try body() } }
  }

  /// For any reason.
  @inlinable
  init<U>(mainReason reason: (@MainActor (any Error) throws -> U)?) {
    guard let reason else {
      self = .none
      return
    }
    self.init(.reason) { outcome in
      let error = outcome.error
      return try Wrap.onMain { try reason(error) }
    }
  }

  /// For the reason as an `E`; any other is passed on.
  @inlinable
  init<E, U>(mainReason reason: (@MainActor (E) throws -> U)?) {
    guard let reason else {
      self = .none
      return
    }
    self.init(.reason) { outcome in
      let input = UncheckedBox<E>(try Wrap.expected(outcome))
      return try Wrap.onMain { try reason(input.value) }
    }
  }

  /// For either outcome.
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
    self.init(.both) { outcome in
      if case .rejected(let error) = outcome { return try Wrap.onMain { try reason(error) } }
      let input = UncheckedBox<V>(try Wrap.argument(outcome))
      return try Wrap.onMain { try value(input.value) }
    }
  }

  /// For either outcome, which is passed on.
  @inlinable
  init<T>(mainFinally body: @escaping @MainActor () throws -> T) {
    self.init([.both, .finally]) { _ in try Wrap.onMain { try body() } }
  }
}

// MARK: Asynchronous closures

extension Handler {
  /// For the value as a `V`; one of another type rejects, and no task is started.
  init<V, T>(mainAsyncValue value: (@MainActor (V) async throws -> T)?) {
    guard let value else {
      self = .none
      return
    }
    self.init(.value) { outcome in
      let input = UncheckedBox<V>(try Wrap.argument(outcome))
      return Wrap.task { try await Wrap.call(input, value).value }
    }
  }

  /// For the reason as an `E`; any other is passed on, and no task is started.
  init<E, U>(mainAsyncReason reason: (@MainActor (E) async throws -> U)?) {
    guard let reason else {
      self = .none
      return
    }
    self.init(.reason) { outcome in
      let input = UncheckedBox<E>(try Wrap.expected(outcome))
      return Wrap.task { try await Wrap.call(input, reason).value }
    }
  }

  /// For either outcome.
  init<V, T, U>(
    mainAsyncValue value: (@MainActor (V) async throws -> T)?,
    mainAsyncReason reason: (@MainActor (any Error) async throws -> U)?
  ) {
    guard let value else {
      self.init(mainAsyncReason: reason)
      return
    }
    guard let reason else {
      self.init(mainAsyncValue: value)
      return
    }
    self.init(.both) { outcome in
      if case .rejected(let error) = outcome {
        let input = UncheckedBox(error)
        return Wrap.task { try await Wrap.call(input, reason).value }
      }
      let input = UncheckedBox<V>(try Wrap.argument(outcome))
      return Wrap.task { try await Wrap.call(input, value).value }
    }
  }

  /// For either outcome, which is passed on when the body has returned.
  init<T>(mainAsyncFinally body: @escaping @MainActor () async throws -> T) {
    self.init([.both, .finally]) { _ in
      Wrap.task { try await Wrap.call(UncheckedBox(())) { try await body() }.value }
    }
  }
}
