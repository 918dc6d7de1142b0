// Handlers whose closures are isolated to an actor, which they hold.

// MARK: Closures that return at once
//
// The job runs in the actor's mailbox, which the runtime checks.

extension Handler {
  /// For the value as a `V`; one of another type rejects.
  init<A: Actor, V, T>(_ actor: A, value: (@Sendable (isolated A, V) throws -> T)?) {
    guard let value else {
      self = .none
      return
    }
    self.init(.value) { outcome in
      let input = UncheckedBox<V>(try Wrap.argument(outcome))
      return try actor.assumeIsolated { UncheckedBox(.of(try value($0, input.value))) }.value
    }
  }

  /// For the reason as an `E`; any other is passed on.
  init<A: Actor, E, U>(_ actor: A, reason: (@Sendable (isolated A, E) throws -> U)?) {
    guard let reason else {
      self = .none
      return
    }
    self.init(.reason) { outcome in
      let input = UncheckedBox<E>(try Wrap.expected(outcome))
      return try actor.assumeIsolated { UncheckedBox(.of(try reason($0, input.value))) }.value
    }
  }

  /// For either outcome.
  init<A: Actor, V, T, U>(
    _ actor: A, value: (@Sendable (isolated A, V) throws -> T)?,
    reason: (@Sendable (isolated A, any Error) throws -> U)?
  ) {
    guard let value else {
      self.init(actor, reason: reason)
      return
    }
    guard let reason else {
      self.init(actor, value: value)
      return
    }
    self.init(.both) { outcome in
      if case .rejected(let error) = outcome {
        let input = UncheckedBox(error)
        return try actor.assumeIsolated { UncheckedBox(.of(try reason($0, input.value))) }.value
      }
      let input = UncheckedBox<V>(try Wrap.argument(outcome))
      return try actor.assumeIsolated { UncheckedBox(.of(try value($0, input.value))) }.value
    }
  }

  /// For either outcome, which is passed on.
  init<A: Actor, T>(_ actor: A, finally body: @escaping @Sendable (isolated A) throws -> T) {
    self.init([.both, .finally]) { _ in
      try actor.assumeIsolated { UncheckedBox(.of(try body($0))) }.value
    }
  }
}

// MARK: Asynchronous closures

extension Handler {
  /// For the value as a `V`; one of another type rejects, and no task is started.
  init<A: Actor, V, T>(_ actor: A, asyncValue value: (@Sendable (isolated A, V) async throws -> T)?) {
    guard let value else {
      self = .none
      return
    }
    self.init(.value) { outcome in
      let input = UncheckedBox<V>(try Wrap.argument(outcome))
      return Wrap.task { try await Wrap.call(actor, input, value).value }
    }
  }

  /// For the reason as an `E`; any other is passed on, and no task is started.
  init<A: Actor, E, U>(_ actor: A, asyncReason reason: (@Sendable (isolated A, E) async throws -> U)?) {
    guard let reason else {
      self = .none
      return
    }
    self.init(.reason) { outcome in
      let input = UncheckedBox<E>(try Wrap.expected(outcome))
      return Wrap.task { try await Wrap.call(actor, input, reason).value }
    }
  }

  /// For either outcome.
  init<A: Actor, V, T, U>(
    _ actor: A, asyncValue value: (@Sendable (isolated A, V) async throws -> T)?,
    asyncReason reason: (@Sendable (isolated A, any Error) async throws -> U)?
  ) {
    guard let value else {
      self.init(actor, asyncReason: reason)
      return
    }
    guard let reason else {
      self.init(actor, asyncValue: value)
      return
    }
    self.init(.both) { outcome in
      if case .rejected(let error) = outcome {
        let input = UncheckedBox(error)
        return Wrap.task { try await Wrap.call(actor, input, reason).value }
      }
      let input = UncheckedBox<V>(try Wrap.argument(outcome))
      return Wrap.task { try await Wrap.call(actor, input, value).value }
    }
  }

  /// For either outcome, which is passed on when the body has returned.
  init<A: Actor, T>(_ actor: A, asyncFinally body: @escaping @Sendable (isolated A) async throws -> T) {
    self.init([.both, .finally]) { _ in
      Wrap.task { try await Wrap.call(actor, UncheckedBox(())) { actor, _ in try await body(actor) }.value }
    }
  }
}
