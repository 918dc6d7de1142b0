// Made from `Promise+ThenOn.swift`: the same operators, on the read-only face.

extension Future {
  /// Calls `onFulfilled` with the value, on `context`; what it returns resolves the new promise, what it throws rejects it.
  /// A rejection goes on to the new promise as it is. `nil` stands for no handler (2.2.1).
  @inlinable
  @discardableResult
  public func thenOn<T>(_ context: some ExecutionContext, _ onFulfilled: (@Sendable (Any) throws -> T)?)
    -> Future
  {
    then(on: reference(to: context), onFulfilled.map { Direct($0) })
  }

  /// Calls a handler that does not look at the value, on `context`.
  @inlinable
  @discardableResult
  public func thenOn<T>(_ context: some ExecutionContext, _ onFulfilled: @escaping @Sendable () throws -> T)
    -> Future
  {
    then(on: reference(to: context), Direct(ignoring: onFulfilled))
  }

  /// Calls `onFulfilled` with the value as a `V`, on `context`. A value of another type rejects the new promise with
  /// ``PromiseError/typeMismatch(expected:found:)``, and the handler is not called.
  @_disfavoredOverload
  @inlinable
  @discardableResult
  public func thenOn<V, T>(_ context: some ExecutionContext, _ onFulfilled: (@Sendable (V) throws -> T)?)
    -> Future
  {
    then(on: reference(to: context), onFulfilled.map { Direct(casting: $0) })
  }

  /// For closures whose `return` statements have different types, or return a bare `nil`.
  @_disfavoredOverload
  @inlinable
  @discardableResult
  public func thenOn(_ context: some ExecutionContext, _ onFulfilled: (@Sendable (Any) throws -> Any?)?)
    -> Future
  {
    then(on: reference(to: context), onFulfilled.map { Direct($0) })
  }

  /// The same with a typed value.
  @_disfavoredOverload
  @inlinable
  @discardableResult
  public func thenOn<V>(_ context: some ExecutionContext, _ onFulfilled: (@Sendable (V) throws -> Any?)??)
    -> Future
  {
    then(on: reference(to: context), (onFulfilled ?? nil).map { Direct(casting: $0) })
  }

  /// Calls `onFulfilled` or `onRejected`, on `context`; what it returns resolves the new promise, what it throws rejects
  /// it. Without a handler for the outcome, the outcome goes on as it is (2.2.7).
  @inlinable
  @discardableResult
  public func thenOn<T, U>(
    _ context: some ExecutionContext, _ onFulfilled: (@Sendable (Any) throws -> T)?,
    _ onRejected: (@Sendable (any Error) throws -> U)?
  ) -> Future {
    then(on: reference(to: context), Handling(onFulfilled, onRejected))
  }

  /// The same with a typed value; one of another type rejects the new promise with
  /// ``PromiseError/typeMismatch(expected:found:)``, and neither handler is called.
  @_disfavoredOverload
  @inlinable
  @discardableResult
  public func thenOn<V, T, U>(
    _ context: some ExecutionContext, _ onFulfilled: (@Sendable (V) throws -> T)?,
    _ onRejected: (@Sendable (any Error) throws -> U)?
  ) -> Future {
    then(on: reference(to: context), Handling(onFulfilled, onRejected))
  }

  /// For closures whose `return` statements have different types, or return a bare `nil`.
  @_disfavoredOverload
  @inlinable
  @discardableResult
  public func thenOn(
    _ context: some ExecutionContext, _ onFulfilled: (@Sendable (Any) throws -> Any?)??,
    _ onRejected: (@Sendable (any Error) throws -> Any?)??
  ) -> Future {
    then(on: reference(to: context), Handling(onFulfilled ?? nil, onRejected ?? nil))
  }

  /// The same with a typed value; one of another type rejects the new promise with
  /// ``PromiseError/typeMismatch(expected:found:)``, and neither handler is called.
  @_disfavoredOverload
  @inlinable
  @discardableResult
  public func thenOn<V>(
    _ context: some ExecutionContext, _ onFulfilled: (@Sendable (V) throws -> Any?)??,
    _ onRejected: (@Sendable (any Error) throws -> Any?)??
  ) -> Future {
    then(on: reference(to: context), Handling(onFulfilled ?? nil, onRejected ?? nil))
  }

  /// A `nil` literal for the rejection handler.
  @inlinable
  @discardableResult
  public func thenOn<T>(
    _ context: some ExecutionContext, _ onFulfilled: (@Sendable (Any) throws -> T)?, _ onRejected: Never?
  ) -> Future {
    then(on: reference(to: context), onFulfilled.map { Direct($0) })
  }

  /// A `nil` literal for the rejection handler, with a typed value.
  @_disfavoredOverload
  @inlinable
  @discardableResult
  public func thenOn<V, T>(
    _ context: some ExecutionContext, _ onFulfilled: (@Sendable (V) throws -> T)?, _ onRejected: Never?
  ) -> Future {
    then(on: reference(to: context), onFulfilled.map { Direct(casting: $0) })
  }

  /// A `nil` literal for the fulfillment handler.
  @_disfavoredOverload
  @inlinable
  @discardableResult
  public func thenOn<U>(
    _ context: some ExecutionContext, _ onFulfilled: Never?,
    _ onRejected: (@Sendable (any Error) throws -> U)?
  ) -> Future {
    then(on: reference(to: context), Handling(catching: onRejected))
  }

  /// Starts `onFulfilled` in a task, from a job on `context`; its result resolves the new promise. Cancelling that promise
  /// cancels the task.
  @discardableResult
  public func thenOn<T>(
    _ context: some ExecutionContext, _ onFulfilled: (@Sendable (Any) async throws -> T)?
  ) -> Future {
    then(on: reference(to: context), Wrap.asyncValue(onFulfilled), nil)
  }

  /// The same with a typed value.
  @_disfavoredOverload
  @discardableResult
  public func thenOn<V, T>(
    _ context: some ExecutionContext, _ onFulfilled: (@Sendable (V) async throws -> T)?
  ) -> Future {
    then(on: reference(to: context), Wrap.asyncValue(onFulfilled), nil)
  }

  /// Either handler may be asynchronous.
  @_disfavoredOverload
  @discardableResult
  public func thenOn<T, U>(
    _ context: some ExecutionContext, _ onFulfilled: (@Sendable (Any) async throws -> T)?,
    _ onRejected: (@Sendable (any Error) async throws -> U)?
  ) -> Future {
    then(on: reference(to: context), Wrap.asyncValue(onFulfilled), Wrap.asyncReason(onRejected))
  }
}
