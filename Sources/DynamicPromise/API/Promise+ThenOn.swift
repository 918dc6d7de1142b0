// `thenOn`: handlers on a named context.
// The overloads are few, and ranked. docs/decisions/014-face.md gives the reasons.

extension Promise {
  /// Calls `onFulfilled` with the value, on `context` (`nil`: the promise's default). Otherwise like `then`.
  @inlinable
  @discardableResult
  public func thenOn<T>(
    _ context: (any ExecutionContext)?, _ onFulfilled: (@Sendable (Any) throws -> T)?,
    _ onRejected: Never? = nil,
    fileID: StaticString = #fileID, line: UInt = #line
  ) -> Promise {
    add(Handler(value: onFulfilled), on: ContextRef(context)).at(fileID, line)
  }

  /// Calls `onFulfilled` with the value as a `V`, on `context`. Otherwise like a typed `then`.
  @_disfavoredOverload
  @inlinable
  @discardableResult
  public func thenOn<V, T>(
    _ context: (any ExecutionContext)?, _ onFulfilled: (@Sendable (V) throws -> T)?,
    _ onRejected: Never? = nil,
    fileID: StaticString = #fileID, line: UInt = #line
  ) -> Promise {
    add(Handler(value: onFulfilled).at(V.self, fileID, line), on: ContextRef(context)).at(fileID, line)
  }

  /// An overload for closures that return values of different types, or a bare `nil`.
  @_disfavoredOverload
  @inlinable
  @discardableResult
  public func thenOn(
    _ context: (any ExecutionContext)?, _ onFulfilled: @escaping @Sendable (Any) throws -> Any?,
    fileID: StaticString = #fileID, line: UInt = #line
  ) -> Promise {
    add(Handler(value: onFulfilled), on: ContextRef(context)).at(fileID, line)
  }

  /// An overload for a closure of an `Any?`, which receives `nil` for a promise that is fulfilled with `nil`.
  @inlinable
  @discardableResult
  public func thenOn(
    _ context: (any ExecutionContext)?, _ onFulfilled: (@Sendable (Any?) throws -> Any?)??,
    fileID: StaticString = #fileID, line: UInt = #line
  ) -> Promise {
    add(Handler(value: onFulfilled ?? nil), on: ContextRef(context)).at(fileID, line)
  }

  /// Calls `onFulfilled`, which has no parameter, on `context` when the promise is fulfilled.
  @inlinable
  @discardableResult
  public func thenOn<T>(
    _ context: (any ExecutionContext)?, _ onFulfilled: @escaping @Sendable () throws -> T,
    fileID: StaticString = #fileID, line: UInt = #line
  ) -> Promise {
    add(Handler(.value, onFulfilled), on: ContextRef(context)).at(fileID, line)
  }

  /// An overload for closures without a parameter that return values of different types, or a bare `nil`.
  @_disfavoredOverload
  @inlinable
  @discardableResult
  public func thenOn(
    _ context: (any ExecutionContext)?, _ onFulfilled: (@Sendable () throws -> Any?)??,
    fileID: StaticString = #fileID, line: UInt = #line
  ) -> Promise {
    add(Handler(.value, onFulfilled ?? nil), on: ContextRef(context)).at(fileID, line)
  }

  /// Calls `onFulfilled` with the value or `onRejected` with the reason, on `context`.
  @inlinable
  @discardableResult
  public func thenOn<T, U>(
    _ context: (any ExecutionContext)?, _ onFulfilled: @escaping @Sendable (Any) throws -> T,
    _ onRejected: @escaping @Sendable (any Error) throws -> U,
    fileID: StaticString = #fileID, line: UInt = #line
  ) -> Promise {
    add(Handler(value: onFulfilled, reason: onRejected), on: ContextRef(context)).at(fileID, line)
  }

  /// Calls one of two handlers, the first with the value as a `V`. Otherwise like a typed `then`.
  @inlinable
  @discardableResult
  public func thenOn<V, T, U>(
    _ context: (any ExecutionContext)?, _ onFulfilled: (@Sendable (V) throws -> T)?,
    _ onRejected: (@Sendable (any Error) throws -> U)?, fileID: StaticString = #fileID, line: UInt = #line
  ) -> Promise {
    add(Handler(value: onFulfilled, reason: onRejected).at(V.self, fileID, line), on: ContextRef(context))
      .at(fileID, line)
  }

  /// An overload for a `nil` literal as the first handler.
  @inlinable
  @discardableResult
  public func thenOn<U>(
    _ context: (any ExecutionContext)?, _ onFulfilled: Never?,
    _ onRejected: @escaping @Sendable (any Error) throws -> U,
    fileID: StaticString = #fileID, line: UInt = #line
  ) -> Promise {
    add(Handler(reason: onRejected), on: ContextRef(context)).at(fileID, line)
  }

  /// An overload for a first closure that returns values of different types, or a bare `nil`.
  @_disfavoredOverload
  @inlinable
  @discardableResult
  public func thenOn<U>(
    _ context: (any ExecutionContext)?, _ onFulfilled: @escaping @Sendable (Any) throws -> Any?,
    _ onRejected: @escaping @Sendable (any Error) throws -> U,
    fileID: StaticString = #fileID, line: UInt = #line
  ) -> Promise {
    add(Handler(value: onFulfilled, reason: onRejected), on: ContextRef(context)).at(fileID, line)
  }

  /// An overload for a second closure that returns values of different types, or a bare `nil`.
  @_disfavoredOverload
  @inlinable
  @discardableResult
  public func thenOn<T>(
    _ context: (any ExecutionContext)?, _ onFulfilled: @escaping @Sendable (Any) throws -> T,
    _ onRejected: @escaping @Sendable (any Error) throws -> Any?,
    fileID: StaticString = #fileID, line: UInt = #line
  ) -> Promise {
    add(Handler(value: onFulfilled, reason: onRejected), on: ContextRef(context)).at(fileID, line)
  }

  /// An overload for `nil` literals, and for closures that return values of different types, or a bare `nil`.
  @_disfavoredOverload
  @inlinable
  @discardableResult
  public func thenOn(
    _ context: (any ExecutionContext)?, _ onFulfilled: (@Sendable (Any) throws -> Any?)??,
    _ onRejected: (@Sendable (any Error) throws -> Any?)??,
    fileID: StaticString = #fileID, line: UInt = #line
  ) -> Promise {
    add(Handler(value: onFulfilled ?? nil, reason: onRejected ?? nil), on: ContextRef(context)).at(
      fileID, line)
  }

  /// Starts a task, from a job on `context`. Otherwise like an asynchronous `then`.
  @_disfavoredOverload
  @discardableResult
  public func thenOn<T>(
    _ context: (any ExecutionContext)?, _ onFulfilled: (@Sendable (Any) async throws -> T)?,
    _ onRejected: Never? = nil
  ) -> Promise {
    add(Handler(value: Wrap.inTask(onFulfilled)), on: ContextRef(context))
  }

  /// Starts a task, from a job on `context`, with the value as a `V`.
  @_disfavoredOverload
  @discardableResult
  public func thenOn<V, T>(
    _ context: (any ExecutionContext)?, _ onFulfilled: (@Sendable (V) async throws -> T)??,
    _ onRejected: Never? = nil,
    fileID: StaticString = #fileID, line: UInt = #line
  ) -> Promise {
    add(Handler(value: Wrap.inTask(onFulfilled ?? nil)).at(V.self, fileID, line), on: ContextRef(context))
      .at(fileID, line)
  }

  /// An overload for asynchronous closures that return values of different types, or a bare `nil`.
  @_disfavoredOverload
  @discardableResult
  public func thenOn(
    _ context: (any ExecutionContext)?, _ onFulfilled: @escaping @Sendable (Any) async throws -> Any?,
    fileID: StaticString = #fileID, line: UInt = #line
  ) -> Promise {
    add(Handler(value: Wrap.inTask(onFulfilled)), on: ContextRef(context)).at(fileID, line)
  }

  /// Calls one of two handlers, at least one of which is asynchronous. Each runs in a task.
  @_disfavoredOverload
  @discardableResult
  public func thenOn<T, U>(
    _ context: (any ExecutionContext)?, _ onFulfilled: @escaping @Sendable (Any) async throws -> T,
    _ onRejected: @escaping @Sendable (any Error) async throws -> U,
    fileID: StaticString = #fileID, line: UInt = #line
  ) -> Promise {
    add(Handler(value: Wrap.inTask(onFulfilled), reason: Wrap.inTask(onRejected)), on: ContextRef(context))
      .at(fileID, line)
  }

  /// Calls one of two handlers, at least one of which is asynchronous, with the value as a `V`.
  @_disfavoredOverload
  @discardableResult
  public func thenOn<V, T, U>(
    _ context: (any ExecutionContext)?, _ onFulfilled: (@Sendable (V) async throws -> T)?,
    _ onRejected: (@Sendable (any Error) async throws -> U)?, fileID: StaticString = #fileID,
    line: UInt = #line
  ) -> Promise {
    add(
      Handler(value: Wrap.inTask(onFulfilled), reason: Wrap.inTask(onRejected)).at(V.self, fileID, line),
      on: ContextRef(context)
    ).at(fileID, line)
  }

  /// An overload for asynchronous handlers that return values of different types, or a bare `nil`.
  @_disfavoredOverload
  @discardableResult
  public func thenOn(
    _ context: (any ExecutionContext)?, _ onFulfilled: (@Sendable (Any) async throws -> Any?)??,
    _ onRejected: (@Sendable (any Error) async throws -> Any?)??,
    fileID: StaticString = #fileID, line: UInt = #line
  ) -> Promise {
    add(
      Handler(value: Wrap.inTask(onFulfilled ?? nil), reason: Wrap.inTask(onRejected ?? nil)),
      on: ContextRef(context)
    ).at(fileID, line)
  }
}
