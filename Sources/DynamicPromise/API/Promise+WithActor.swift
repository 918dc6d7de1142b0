// `thenOn`, `catchOn` and `finallyOn` with an actor, which is the first parameter of their handlers.
//
// These overloads are disfavored, and the name of this file sorts after the names of the files with the other
// overloads. Otherwise the compiler would try each of them on every invalid closure
// (docs/decisions/014-face.md).

extension Promise {
  /// Calls `onFulfilled` with the actor and the value, isolated to the actor. Otherwise like `then`.
  ///
  /// Handlers on one actor run one at a time, in the order in which they were scheduled. The actor is
  /// retained until the handler has run or can no longer run. For a closure without the actor as its
  /// parameter, or for two handlers, write `thenOn(.actor(a)) { ... }`.
  @_disfavoredOverload
  @discardableResult
  public func thenOn<A: Actor, T>(
    _ actor: A, _ onFulfilled: @escaping @Sendable (isolated A, Any) throws -> T
  ) -> Promise {
    add(Handler(value: Wrap.on(actor, onFulfilled)), on: .actor(actor))
  }

  /// Calls `onFulfilled` with the actor and the value as a `V`. Otherwise like a typed `then`.
  @_disfavoredOverload
  @discardableResult
  public func thenOn<A: Actor, V, T>(
    _ actor: A, _ onFulfilled: (@Sendable (isolated A, V) throws -> T)??,
    fileID: StaticString = #fileID, line: UInt = #line
  ) -> Promise {
    add(Handler(value: Wrap.on(actor, onFulfilled ?? nil)).at(V.self, fileID, line), on: .actor(actor))
      .at(fileID, line)
  }

  /// Starts `onFulfilled` with the actor and the value, in a task that is isolated to the actor. Other calls
  /// of the actor may run while the handler is suspended. Cancelling the new promise cancels the task.
  @_disfavoredOverload
  @discardableResult
  public func thenOn<A: Actor, T>(
    _ actor: A, _ onFulfilled: @escaping @Sendable (isolated A, Any) async throws -> T
  ) -> Promise {
    add(Handler(value: Wrap.inTask(on: actor, onFulfilled)), on: .actor(actor))
  }

  /// Starts a task that is isolated to the actor, with the value as a `V`.
  @_disfavoredOverload
  @discardableResult
  public func thenOn<A: Actor, V, T>(
    _ actor: A, _ onFulfilled: (@Sendable (isolated A, V) async throws -> T)??,
    fileID: StaticString = #fileID, line: UInt = #line
  ) -> Promise {
    add(
      Handler(value: Wrap.inTask(on: actor, onFulfilled ?? nil)).at(V.self, fileID, line), on: .actor(actor)
    ).at(fileID, line)
  }

  /// Calls `onRejected` with the actor and the reason, isolated to the actor. Otherwise like `catch`.
  @_disfavoredOverload
  @discardableResult
  public func catchOn<A: Actor, U>(
    _ actor: A, _ onRejected: @escaping @Sendable (isolated A, any Error) throws -> U
  ) -> Promise {
    add(Handler(reason: Wrap.on(actor, onRejected)), on: .actor(actor))
  }

  /// Calls `onRejected` with the actor and the reason if the reason is an `E`. Any other reason is passed on.
  @_disfavoredOverload
  @discardableResult
  public func catchOn<A: Actor, E, U>(
    _ actor: A, _ onRejected: (@Sendable (isolated A, E) throws -> U)??
  ) -> Promise {
    add(Handler(reason: Wrap.on(actor, onRejected ?? nil)), on: .actor(actor))
  }

  /// Starts `onRejected` with the actor and the reason, in a task that is isolated to the actor.
  @_disfavoredOverload
  @discardableResult
  public func catchOn<A: Actor, U>(
    _ actor: A, _ onRejected: @escaping @Sendable (isolated A, any Error) async throws -> U
  ) -> Promise {
    add(Handler(reason: Wrap.inTask(on: actor, onRejected)), on: .actor(actor))
  }

  /// Calls `body` with the actor, isolated to the actor, when the promise settles. Otherwise like `finally`.
  @_disfavoredOverload
  @discardableResult
  public func finallyOn<A: Actor, T>(_ actor: A, _ body: @escaping @Sendable (isolated A) throws -> T)
    -> Promise
  {
    add(Handler(.afterwards, Wrap.on(actor) { actor, _ in try body(actor) }), on: .actor(actor))
  }

  /// When the promise settles, starts `body` with the actor, in a task that is isolated to the actor. The
  /// outcome is passed on when `body` has returned. The task is never cancelled.
  @_disfavoredOverload
  @discardableResult
  public func finallyOn<A: Actor, T>(
    _ actor: A, _ body: @escaping @Sendable (isolated A) async throws -> T
  ) -> Promise {
    add(Handler(.afterwards, Wrap.inTask(on: actor) { actor, _ in try await body(actor) }), on: .actor(actor))
  }
}
