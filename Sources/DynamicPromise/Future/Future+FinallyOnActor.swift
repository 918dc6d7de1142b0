// Made from `Promise+FinallyOnActor.swift`: the same operators, on the read-only face.

extension Future {
  /// Calls `body` with the actor when the promise settles either way, isolated to the actor; the outcome goes on as it is,
  /// unless `body` throws or returns an `Error`, which rejects the new promise. `body` runs even if the new promise is cancelled
  /// before (C9), and the actor is kept until then.
  @discardableResult
  public func finallyOn<A: Actor, T>(
    _ actor: A, _ body: @escaping @Sendable (isolated A) throws -> T
  ) -> Future {
    finally(on: Wrap.context(actor), Wrap.actorBody(actor, body))
  }

  /// The same with an asynchronous `body`, which stays on the actor; the outcome goes on when it has returned.
  @discardableResult
  public func finallyOn<A: Actor, T>(
    _ actor: A, _ body: @escaping @Sendable (isolated A) async throws -> T
  ) -> Future {
    finally(on: Wrap.context(actor), Wrap.actorAsyncBody(actor, body))
  }

  /// Calls a `body` on the actor that does not touch its state.
  @discardableResult
  public func finallyOn<T>(_ actor: some Actor, _ body: @escaping @Sendable () throws -> T) -> Future {
    finally(on: Wrap.context(actor)) { .of(try withExtendedLifetime(actor) { try body() }) }
  }
  /// The same with an asynchronous `body`, started in a task from a job on the actor; the outcome goes on when it has returned.
  @discardableResult
  public func finallyOn<T>(_ actor: some Actor, _ body: @escaping @Sendable () async throws -> T) -> Future {
    finally(on: Wrap.context(actor)) { withExtendedLifetime(actor) { .running(Promise(body)) } }
  }
}
