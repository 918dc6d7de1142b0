// `catch`: rejection handlers on the promise's default context.

extension Promise {
  /// Calls `onRejected` with the reason, on the promise's default context. The handler's result resolves the
  /// new promise; a thrown error rejects it. If this promise is fulfilled, its value is passed on.
  ///
  /// The handler also runs after a cancellation, because a cancelled promise is rejected.
  @inlinable
  @discardableResult
  public func `catch`<U>(
    _ onRejected: (@Sendable (any Error) throws -> U)?,
    fileID: StaticString = #fileID, line: UInt = #line
  ) -> Promise {
    add(Handler(reason: onRejected), on: nil).at(fileID, line)
  }

  /// Calls `onRejected` with the reason, on the promise's default context, if the reason is an `E`; otherwise
  /// passes the reason on. A reason is an `E` if it is an error of that type, or a value of that type that
  /// `reject` has wrapped in ``PromiseError/rejected(reason:)``.
  @_disfavoredOverload
  @inlinable
  @discardableResult
  public func `catch`<E, U>(
    _ onRejected: @escaping @Sendable (E) throws -> U,
    fileID: StaticString = #fileID, line: UInt = #line
  ) -> Promise {
    add(Handler(reason: onRejected), on: nil).at(fileID, line)
  }

  /// An overload for closures that return values of different types, or a bare `nil`.
  @_disfavoredOverload
  @inlinable
  @discardableResult
  public func `catch`(
    _ onRejected: (@Sendable (any Error) throws -> Any?)?,
    fileID: StaticString = #fileID, line: UInt = #line
  ) -> Promise {
    add(Handler(reason: onRejected), on: nil).at(fileID, line)
  }

  /// Calls `onRejected` with the reason, in a task. Cancelling the new promise cancels the task.
  @discardableResult
  public func `catch`<U>(
    _ onRejected: (@Sendable (any Error) async throws -> U)?,
    fileID: StaticString = #fileID, line: UInt = #line
  ) -> Promise {
    add(Handler(reason: Wrap.inTask(onRejected)), on: nil).at(fileID, line)
  }

  /// Starts a task if the reason is an `E`. Any other reason is passed on.
  @_disfavoredOverload
  @discardableResult
  public func `catch`<E, U>(
    _ onRejected: @escaping @Sendable (E) async throws -> U,
    fileID: StaticString = #fileID, line: UInt = #line
  ) -> Promise {
    add(Handler(reason: Wrap.inTask(onRejected)), on: nil).at(fileID, line)
  }

  /// An overload for asynchronous closures that return values of different types, or a bare `nil`.
  @_disfavoredOverload
  @discardableResult
  public func `catch`(
    _ onRejected: (@Sendable (any Error) async throws -> Any?)??,
    fileID: StaticString = #fileID, line: UInt = #line
  ) -> Promise {
    add(Handler(reason: Wrap.inTask(onRejected ?? nil)), on: nil).at(fileID, line)
  }
}
