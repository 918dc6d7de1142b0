// `then`: handlers on the promise's default context.
// The overloads are few, and ranked. docs/decisions/014-face.md gives the reasons.

extension Promise {
  /// Calls `onFulfilled` with the value, on the promise's default context. The handler's result resolves the
  /// new promise; a thrown error rejects it. If this promise is rejected, the rejection is passed on.
  @inlinable
  @discardableResult
  public func then<T>(
    _ onFulfilled: (@Sendable (Any) throws -> T)?, _ onRejected: Never? = nil,
    fileID: StaticString = #fileID, line: UInt = #line
  ) -> Promise {
    add(Handler(value: onFulfilled), on: nil).at(fileID, line)
  }

  /// Calls `onFulfilled` with the value as a `V`, on the promise's default context. A value of another type
  /// rejects the new promise with ``PromiseError/typeMismatch(expected:found:index:at:)``.
  @_disfavoredOverload
  @inlinable
  @discardableResult
  public func then<V, T>(
    _ onFulfilled: (@Sendable (V) throws -> T)?, _ onRejected: Never? = nil,
    fileID: StaticString = #fileID, line: UInt = #line
  ) -> Promise {
    add(Handler(value: onFulfilled).at(V.self, fileID, line), on: nil).at(fileID, line)
  }

  /// An overload for a closure of an `Any?`, which receives `nil` for a promise that is fulfilled with `nil`.
  @inlinable
  @discardableResult
  public func then(
    _ onFulfilled: (@Sendable (Any?) throws -> Any?)??,
    fileID: StaticString = #fileID, line: UInt = #line
  ) -> Promise {
    add(Handler(value: onFulfilled ?? nil), on: nil).at(fileID, line)
  }

  /// Calls `onFulfilled`, which has no parameter, when the promise is fulfilled.
  @_disfavoredOverload
  @inlinable
  @discardableResult
  public func then<T>(
    _ onFulfilled: @escaping @Sendable () throws -> T,
    fileID: StaticString = #fileID, line: UInt = #line
  ) -> Promise {
    add(Handler(.value, onFulfilled), on: nil).at(fileID, line)
  }

  /// An overload for closures without a parameter that return values of different types, or a bare `nil`.
  @_disfavoredOverload
  @inlinable
  @discardableResult
  public func then(
    _ onFulfilled: (@Sendable () throws -> Any?)??,
    fileID: StaticString = #fileID, line: UInt = #line
  ) -> Promise {
    add(Handler(.value, onFulfilled ?? nil), on: nil).at(fileID, line)
  }

  /// Calls `onFulfilled` with the value or `onRejected` with the reason, on the promise's default context.
  @inlinable
  @discardableResult
  public func then<T, U>(
    _ onFulfilled: @escaping @Sendable (Any) throws -> T,
    _ onRejected: @escaping @Sendable (any Error) throws -> U,
    fileID: StaticString = #fileID, line: UInt = #line
  ) -> Promise {
    add(Handler(value: onFulfilled, reason: onRejected), on: nil).at(fileID, line)
  }

  /// Calls one of two handlers, the first with the value as a `V`. A value of another type calls neither.
  /// `nil` passes the outcome on.
  @inlinable
  @discardableResult
  public func then<V, T, U>(
    _ onFulfilled: (@Sendable (V) throws -> T)?, _ onRejected: (@Sendable (any Error) throws -> U)?,
    fileID: StaticString = #fileID, line: UInt = #line
  ) -> Promise {
    add(Handler(value: onFulfilled, reason: onRejected).at(V.self, fileID, line), on: nil).at(fileID, line)
  }

  /// An overload for a `nil` literal as the first handler.
  @inlinable
  @discardableResult
  public func then<U>(
    _ onFulfilled: Never?, _ onRejected: @escaping @Sendable (any Error) throws -> U,
    fileID: StaticString = #fileID, line: UInt = #line
  ) -> Promise {
    add(Handler(reason: onRejected), on: nil).at(fileID, line)
  }

  /// An overload for a first closure that returns values of different types, or a bare `nil`.
  @_disfavoredOverload
  @inlinable
  @discardableResult
  public func then<U>(
    _ onFulfilled: @escaping @Sendable (Any) throws -> Any?,
    _ onRejected: @escaping @Sendable (any Error) throws -> U,
    fileID: StaticString = #fileID, line: UInt = #line
  ) -> Promise {
    add(Handler(value: onFulfilled, reason: onRejected), on: nil).at(fileID, line)
  }

  /// An overload for a second closure that returns values of different types, or a bare `nil`.
  @_disfavoredOverload
  @inlinable
  @discardableResult
  public func then<T>(
    _ onFulfilled: @escaping @Sendable (Any) throws -> T,
    _ onRejected: @escaping @Sendable (any Error) throws -> Any?,
    fileID: StaticString = #fileID, line: UInt = #line
  ) -> Promise {
    add(Handler(value: onFulfilled, reason: onRejected), on: nil).at(fileID, line)
  }

  /// An overload for `nil` literals, and for closures that return values of different types, or a bare `nil`.
  @_disfavoredOverload
  @inlinable
  @discardableResult
  public func then(
    _ onFulfilled: (@Sendable (Any) throws -> Any?)??,
    _ onRejected: (@Sendable (any Error) throws -> Any?)?? = nil,
    fileID: StaticString = #fileID, line: UInt = #line
  ) -> Promise {
    add(Handler(value: onFulfilled ?? nil, reason: onRejected ?? nil), on: nil).at(fileID, line)
  }

  /// Calls `onFulfilled` with the value, in a task. Cancelling the new promise cancels the task.
  @_disfavoredOverload
  @discardableResult
  public func then<T>(
    _ onFulfilled: (@Sendable (Any) async throws -> T)?, _ onRejected: Never? = nil
  ) -> Promise {
    add(Handler(value: Wrap.inTask(onFulfilled)), on: nil)
  }

  /// Starts a task with the value as a `V`. A value of another type starts none, and rejects the new promise.
  @_disfavoredOverload
  @discardableResult
  public func then<V, T>(
    _ onFulfilled: (@Sendable (V) async throws -> T)??, _ onRejected: Never? = nil,
    fileID: StaticString = #fileID, line: UInt = #line
  ) -> Promise {
    add(Handler(value: Wrap.inTask(onFulfilled ?? nil)).at(V.self, fileID, line), on: nil).at(fileID, line)
  }

  /// Calls one of two handlers, at least one of which is asynchronous. Each runs in a task.
  @_disfavoredOverload
  @discardableResult
  public func then<T, U>(
    _ onFulfilled: @escaping @Sendable (Any) async throws -> T,
    _ onRejected: @escaping @Sendable (any Error) async throws -> U,
    fileID: StaticString = #fileID, line: UInt = #line
  ) -> Promise {
    add(Handler(value: Wrap.inTask(onFulfilled), reason: Wrap.inTask(onRejected)), on: nil).at(fileID, line)
  }

  /// Calls one of two handlers, at least one of which is asynchronous, with the value as a `V`.
  @_disfavoredOverload
  @discardableResult
  public func then<V, T, U>(
    _ onFulfilled: (@Sendable (V) async throws -> T)?,
    _ onRejected: (@Sendable (any Error) async throws -> U)?, fileID: StaticString = #fileID,
    line: UInt = #line
  ) -> Promise {
    add(
      Handler(value: Wrap.inTask(onFulfilled), reason: Wrap.inTask(onRejected)).at(V.self, fileID, line),
      on: nil
    ).at(fileID, line)
  }

  /// An overload for asynchronous handlers that return values of different types, or a bare `nil`.
  @_disfavoredOverload
  @discardableResult
  public func then(
    _ onFulfilled: (@Sendable (Any) async throws -> Any?)??,
    _ onRejected: (@Sendable (any Error) async throws -> Any?)?? = nil,
    fileID: StaticString = #fileID, line: UInt = #line
  ) -> Promise {
    add(Handler(value: Wrap.inTask(onFulfilled ?? nil), reason: Wrap.inTask(onRejected ?? nil)), on: nil).at(
      fileID, line)
  }
}
