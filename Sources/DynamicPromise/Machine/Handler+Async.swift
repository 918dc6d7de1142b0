// Handlers whose closures are asynchronous, and isolated to no actor.

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

  /// For the reason as an `E`; any other is passed on, and no task is started.
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

  /// For either outcome, which is passed on when the body has returned.
  init<T>(asyncFinally body: @escaping @Sendable () async throws -> T) {
    self.init([.both, .finally]) { _ in Wrap.task(body) }
  }
}
