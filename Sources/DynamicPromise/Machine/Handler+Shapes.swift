// Handlers as users write them: every operator makes one and adds it. Labels say what a closure is for and where
// it is isolated; a `nil` closure is no handler for its outcome.

extension Handler {
  /// No handler at all.
  @inlinable static var none: Handler { Handler([]) { .outcome($0) } }
}

// MARK: Ordinary closures

extension Handler {
  /// For the value, whatever it is.
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

  /// For the value, which it does not look at.
  @inlinable
  init<T>(noInput body: (@Sendable () throws -> T)?) {
    guard let body else {
      self = .none
      return
    }
    self.init(.value) { _ in .of(try body()) }
  }

  /// For the reason, whatever it is.
  @inlinable
  init<U>(reason: (@Sendable (any Error) throws -> U)?) {
    guard let reason else {
      self = .none
      return
    }
    self.init(.reason) { .of(try reason($0.error)) }
  }

  /// For the reason as an `E`; any other goes on as it is.
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

  /// For either outcome, which goes on as it is.
  @inlinable
  init<T>(finally body: @escaping @Sendable () throws -> T) {
    self.init([.both, .finally]) { _ in .of(try body()) }
  }
}

// MARK: Closures of the main actor, which are run there

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

  /// For the value, which it does not look at.
  @inlinable
  init<T>(mainNoInput body: (@MainActor () throws -> T)?) {
    guard let body else {
      self = .none
      return
    }
    self.init(.value) { _ in try Wrap.onMain { try body() } }
  }

  /// For the reason, whatever it is.
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

  /// For the reason as an `E`; any other goes on as it is.
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

  /// For either outcome, which goes on as it is.
  @inlinable
  init<T>(mainFinally body: @escaping @MainActor () throws -> T) {
    self.init([.both, .finally]) { _ in try Wrap.onMain { try body() } }
  }
}

// MARK: Asynchronous closures

extension Handler {
  /// For the value as a `V`; one of another type rejects, and no task is started.
  init<V, T>(asyncValue value: (@Sendable (V) async throws -> T)?) {
    guard let value else {
      self = .none
      return
    }
    let call = Wrap.inTask(value)
    self.init(.value) { try call($0.value) }
  }

  /// For the reason as an `E`; any other goes on as it is, and no task is started.
  init<E, U>(asyncReason reason: (@Sendable (E) async throws -> U)?) {
    guard let reason else {
      self = .none
      return
    }
    self.init(.reason) { outcome in
      let input = UncheckedBox<E>(try Wrap.expected(outcome))
      return Wrap.task { try await reason(input.value) }
    }
  }

  /// For either outcome.
  init<V, T, U>(
    asyncValue value: (@Sendable (V) async throws -> T)?,
    asyncReason reason: (@Sendable (any Error) async throws -> U)?
  ) {
    guard let value else {
      self.init(asyncReason: reason)
      return
    }
    guard let reason else {
      self.init(asyncValue: value)
      return
    }
    self.init(.both) { outcome in
      if case .rejected(let error) = outcome {
        let input = UncheckedBox(error)
        return Wrap.task { try await reason(input.value) }
      }
      let input = UncheckedBox<V>(try Wrap.argument(outcome))
      return Wrap.task { try await value(input.value) }
    }
  }

  /// For either outcome, which goes on when the body has returned.
  init<T>(asyncFinally body: @escaping @Sendable () async throws -> T) {
    self.init([.both, .finally]) { _ in Wrap.task(body) }
  }
}

// MARK: Asynchronous closures of the main actor

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

  /// For the reason as an `E`; any other goes on as it is, and no task is started.
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

  /// For either outcome, which goes on when the body has returned.
  init<T>(mainAsyncFinally body: @escaping @MainActor () async throws -> T) {
    self.init([.both, .finally]) { _ in
      Wrap.task { try await Wrap.call(UncheckedBox(())) { try await body() }.value }
    }
  }
}

// MARK: Closures that are isolated to an actor, and hold it
//
// The job runs in the actor's drain, which the runtime checks.

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

  /// For the reason as an `E`; any other goes on as it is.
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

  /// For either outcome, which goes on as it is.
  init<A: Actor, T>(_ actor: A, finally body: @escaping @Sendable (isolated A) throws -> T) {
    self.init([.both, .finally]) { _ in
      try actor.assumeIsolated { UncheckedBox(.of(try body($0))) }.value
    }
  }
}

// MARK: Asynchronous closures that are isolated to an actor

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

  /// For the reason as an `E`; any other goes on as it is, and no task is started.
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

  /// For either outcome, which goes on when the body has returned.
  init<A: Actor, T>(_ actor: A, asyncFinally body: @escaping @Sendable (isolated A) async throws -> T) {
    self.init([.both, .finally]) { _ in
      Wrap.task { try await Wrap.call(actor, UncheckedBox(())) { actor, _ in try await body(actor) }.value }
    }
  }
}
