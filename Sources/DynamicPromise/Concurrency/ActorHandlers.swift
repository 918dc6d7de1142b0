// From handlers for an actor to the pair that the machine stores.

extension Wrap {
  static func context(_ actor: some Actor) -> ContextRef? { ContextRef(WeakActorContext(actor)) }

  /// The handler holds the actor, because its context does not.
  static func keeping<Input>(
    _ actor: some Actor, _ handler: (@Sendable (Input) throws -> Resolution)?
  ) -> (@Sendable (Input) throws -> Resolution)? {
    guard let handler else { return nil }
    return { input in try withExtendedLifetime(actor) { try handler(input) } }
  }

  /// The job runs in the actor's drain, which the runtime checks.
  static func actorValue<A: Actor, V, T>(
    _ actor: A, _ handler: (@Sendable (isolated A, V) throws -> T)?
  ) -> (@Sendable (Any) throws -> Resolution)? {
    guard let handler else { return nil }
    return { value in
      let input = UncheckedBox<V>(try argument(value))
      return try actor.assumeIsolated { UncheckedBox(.of(try handler($0, input.value))) }.value
    }
  }

  static func actorReason<A: Actor, U>(
    _ actor: A, _ handler: (@Sendable (isolated A, any Error) throws -> U)?
  ) -> (@Sendable (any Error) throws -> Resolution)? {
    guard let handler else { return nil }
    return { reason in try actor.assumeIsolated { UncheckedBox(.of(try handler($0, reason))) }.value }
  }

  /// An error of another type goes on as it is.
  static func actorTypedReason<A: Actor, E: Error, U>(
    _ actor: A, _ handler: @escaping @Sendable (isolated A, E) throws -> U
  ) -> (@Sendable (any Error) throws -> Resolution) {
    { reason in
      guard let expected = reason as? E else { throw reason }
      return try actor.assumeIsolated { UncheckedBox(.of(try handler($0, expected))) }.value
    }
  }

  static func actorBody<A: Actor, T>(
    _ actor: A, _ body: @escaping @Sendable (isolated A) throws -> T
  ) -> (@Sendable () throws -> Resolution) {
    { try actor.assumeIsolated { UncheckedBox(.of(try body($0))) }.value }
  }

  /// The handler's task is a promise that the child adopts, so that cancelling the child cancels the task (C4).
  static func actorAsyncValue<A: Actor, V, T>(
    _ actor: A, _ handler: (@Sendable (isolated A, V) async throws -> T)?
  ) -> (@Sendable (Any) throws -> Resolution)? {
    guard let handler else { return nil }
    return { value in
      let input = UncheckedBox<V>(try argument(value))
      return .running(Promise { try await call(actor, input, handler).value })
    }
  }

  static func actorAsyncReason<A: Actor, U>(
    _ actor: A, _ handler: (@Sendable (isolated A, any Error) async throws -> U)?
  ) -> (@Sendable (any Error) throws -> Resolution)? {
    guard let handler else { return nil }
    return { reason in
      .running(Promise { try await call(actor, UncheckedBox(reason), handler).value })
    }
  }

  /// An error of another type goes on as it is, at once.
  static func actorAsyncTypedReason<A: Actor, E: Error, U>(
    _ actor: A, _ handler: @escaping @Sendable (isolated A, E) async throws -> U
  ) -> (@Sendable (any Error) throws -> Resolution) {
    { reason in
      guard let expected = reason as? E else { throw reason }
      return .running(Promise { try await call(actor, UncheckedBox(expected), handler).value })
    }
  }

  static func actorAsyncBody<A: Actor, T>(
    _ actor: A, _ body: @escaping @Sendable (isolated A) async throws -> T
  ) -> (@Sendable () throws -> Resolution) {
    {
      .running(
        Promise { try await call(actor, UncheckedBox(())) { actor, _ in try await body(actor) }.value })
    }
  }

  private static func call<A: Actor, V, T>(
    _ actor: isolated A, _ input: UncheckedBox<V>,
    _ handler: @Sendable (isolated A, V) async throws -> T
  ) async throws -> UncheckedBox<T> {
    UncheckedBox(try await handler(actor, input.value))
  }
}
