// `thenOn`: handlers on a named context.
//
// There are few overloads, and they are ranked. docs/decisions/014-face.md gives the reasons, and says what
// to write in place of an overload that is missing.

extension Future {
  /// Calls `onFulfilled` with the value, on `context`. Otherwise like `then`.
  ///
  /// A context that is `nil` means the promise's default context.
  @inlinable
  @discardableResult
  public final func thenOn<T>(
    _ context: (any ExecutionContext)?, _ onFulfilled: (@Sendable (Any) throws -> T)?
  ) -> Promise {
    add(Handler(value: onFulfilled), on: reference(to: context))
  }

  /// The same with the value as a `V`. A value of another type rejects the new promise with
  /// ``PromiseError/typeMismatch(expected:found:index:at:)``, and the handler is not called.
  @_disfavoredOverload
  @inlinable
  @discardableResult
  public final func thenOn<V, T>(
    _ context: (any ExecutionContext)?, _ onFulfilled: (@Sendable (V) throws -> T)?,
    fileID: StaticString = #fileID, line: UInt = #line
  ) -> Promise {
    add(Handler(value: onFulfilled).placed(V.self, fileID, line), on: reference(to: context))
  }

  /// For closures whose `return` statements have different types, or return a bare `nil`.
  @_disfavoredOverload
  @inlinable
  @discardableResult
  public final func thenOn(
    _ context: (any ExecutionContext)?, _ onFulfilled: @escaping @Sendable (Any) throws -> Any?
  ) -> Promise {
    add(Handler(value: onFulfilled), on: reference(to: context))
  }

  /// Calls a handler without a parameter after a fulfillment.
  @inlinable
  @discardableResult
  public final func thenOn<T>(
    _ context: (any ExecutionContext)?, _ onFulfilled: @escaping @Sendable () throws -> T
  ) -> Promise {
    add(Handler(.value, onFulfilled), on: reference(to: context))
  }

  /// The same for closures whose `return` statements have different types, or return a bare `nil`.
  @_disfavoredOverload
  @inlinable
  @discardableResult
  public final func thenOn(
    _ context: (any ExecutionContext)?, _ onFulfilled: (@Sendable () throws -> Any?)??
  ) -> Promise {
    add(Handler(.value, onFulfilled ?? nil), on: reference(to: context))
  }

  /// Calls `onFulfilled` with the value or `onRejected` with the reason, on `context`. Without a
  /// handler for the outcome, the outcome is passed on.
  @inlinable
  @discardableResult
  public final func thenOn<T, U>(
    _ context: (any ExecutionContext)?, _ onFulfilled: @escaping @Sendable (Any) throws -> T,
    _ onRejected: @escaping @Sendable (any Error) throws -> U
  ) -> Promise {
    add(Handler(value: onFulfilled, reason: onRejected), on: reference(to: context))
  }

  /// The same with the value as a `V`. After a mismatch neither handler is called.
  @_disfavoredOverload
  @inlinable
  @discardableResult
  public final func thenOn<V, T, U>(
    _ context: (any ExecutionContext)?, _ onFulfilled: (@Sendable (V) throws -> T)?,
    _ onRejected: (@Sendable (any Error) throws -> U)?, fileID: StaticString = #fileID, line: UInt = #line
  ) -> Promise {
    add(
      Handler(value: onFulfilled, reason: onRejected).placed(V.self, fileID, line),
      on: reference(to: context))
  }

  /// A `nil` literal for the rejection handler.
  @inlinable
  @discardableResult
  public final func thenOn<T>(
    _ context: (any ExecutionContext)?, _ onFulfilled: @escaping @Sendable (Any) throws -> T,
    _ onRejected: Never?
  ) -> Promise {
    add(Handler(value: onFulfilled), on: reference(to: context))
  }

  /// A `nil` literal for the rejection handler, with the value as a `V`.
  @_disfavoredOverload
  @inlinable
  @discardableResult
  public final func thenOn<V, T>(
    _ context: (any ExecutionContext)?, _ onFulfilled: (@Sendable (V) throws -> T)?, _ onRejected: Never?,
    fileID: StaticString = #fileID, line: UInt = #line
  ) -> Promise {
    add(Handler(value: onFulfilled).placed(V.self, fileID, line), on: reference(to: context))
  }

  /// For `nil` literals, and for closures whose `return` statements have different types, or return a bare
  /// `nil`.
  @_disfavoredOverload
  @inlinable
  @discardableResult
  public final func thenOn(
    _ context: (any ExecutionContext)?, _ onFulfilled: (@Sendable (Any) throws -> Any?)??,
    _ onRejected: (@Sendable (any Error) throws -> Any?)??
  ) -> Promise {
    add(
      Handler(value: onFulfilled ?? nil, reason: onRejected ?? nil),
      on: reference(to: context))
  }

  /// Starts `onFulfilled` with the value in a task, from a job on `context`. Cancelling the
  /// new promise cancels the task.
  @discardableResult
  public final func thenOn<T>(
    _ context: (any ExecutionContext)?, _ onFulfilled: (@Sendable (Any) async throws -> T)?
  ) -> Promise {
    add(Handler(value: InTask(onFulfilled)), on: reference(to: context))
  }

  /// The same with the value as a `V`.
  @_disfavoredOverload
  @discardableResult
  public final func thenOn<V, T>(
    _ context: (any ExecutionContext)?, _ onFulfilled: (@Sendable (V) async throws -> T)?,
    fileID: StaticString = #fileID, line: UInt = #line
  ) -> Promise {
    add(Handler(value: InTask(onFulfilled)).placed(V.self, fileID, line), on: reference(to: context))
  }

  /// For closures whose `return` statements have different types, or return a bare `nil`.
  @_disfavoredOverload
  @discardableResult
  public final func thenOn(
    _ context: (any ExecutionContext)?, _ onFulfilled: @escaping @Sendable (Any) async throws -> Any?
  ) -> Promise {
    add(Handler(value: InTask(onFulfilled)), on: reference(to: context))
  }

  /// Two handlers, of which at least one is asynchronous. Either may be `nil`.
  @_disfavoredOverload
  @discardableResult
  public final func thenOn(
    _ context: (any ExecutionContext)?, _ onFulfilled: (@Sendable (Any) async throws -> Any?)??,
    _ onRejected: (@Sendable (any Error) async throws -> Any?)??
  ) -> Promise {
    add(
      Handler(value: InTask(onFulfilled ?? nil), reason: InTask(onRejected ?? nil)),
      on: reference(to: context))
  }
}
