// An actor that is an execution context as well is used as a context: its own `execute` is called (X3.1). Without these, such an
// actor would be as much an actor as a context, and no call would be unambiguous.

extension Promise {
  /// Calls `onFulfilled` with the value, on `context`. A rejection goes on to the new promise as it is.
  @inlinable
  @discardableResult
  public func thenOn<T>(
    _ context: some Actor & ExecutionContext, _ onFulfilled: (@Sendable (Any) throws -> T)?
  ) -> Promise {
    then(on: reference(to: context), onFulfilled.map { Direct($0) })
  }

  /// Calls a handler that does not look at the value, on `context`.
  @inlinable
  @discardableResult
  public func thenOn<T>(
    _ context: some Actor & ExecutionContext, _ onFulfilled: @escaping @Sendable () throws -> T
  ) -> Promise {
    then(on: reference(to: context), Direct(ignoring: onFulfilled))
  }

  /// Calls `onFulfilled` with the value as a `V`; one of another type rejects the new promise with
  /// ``PromiseError/typeMismatch(expected:found:)``, and the handler is not called.
  @_disfavoredOverload
  @inlinable
  @discardableResult
  public func thenOn<V, T>(
    _ context: some Actor & ExecutionContext, _ onFulfilled: (@Sendable (V) throws -> T)?
  ) -> Promise {
    then(on: reference(to: context), onFulfilled.map { Direct(casting: $0) })
  }

  /// For closures whose `return` statements have different types, or return a bare `nil`.
  @_disfavoredOverload
  @inlinable
  @discardableResult
  public func thenOn(
    _ context: some Actor & ExecutionContext, _ onFulfilled: (@Sendable (Any) throws -> Any?)?
  ) -> Promise {
    then(on: reference(to: context), onFulfilled.map { Direct($0) })
  }

  /// The same with a typed value.
  @_disfavoredOverload
  @inlinable
  @discardableResult
  public func thenOn<V>(
    _ context: some Actor & ExecutionContext, _ onFulfilled: (@Sendable (V) throws -> Any?)??
  ) -> Promise {
    then(on: reference(to: context), (onFulfilled ?? nil).map { Direct(casting: $0) })
  }

  /// Calls `onFulfilled` or `onRejected`, on `context`. Without a handler for the outcome, the outcome goes on as it is (2.2.7).
  @inlinable
  @discardableResult
  public func thenOn<T, U>(
    _ context: some Actor & ExecutionContext, _ onFulfilled: (@Sendable (Any) throws -> T)?,
    _ onRejected: (@Sendable (any Error) throws -> U)?
  ) -> Promise {
    then(on: reference(to: context), Handling(onFulfilled, onRejected))
  }

  /// The same with a typed value; one of another type rejects the new promise with
  /// ``PromiseError/typeMismatch(expected:found:)``, and neither handler is called.
  @_disfavoredOverload
  @inlinable
  @discardableResult
  public func thenOn<V, T, U>(
    _ context: some Actor & ExecutionContext, _ onFulfilled: (@Sendable (V) throws -> T)?,
    _ onRejected: (@Sendable (any Error) throws -> U)?
  ) -> Promise {
    then(on: reference(to: context), Handling(onFulfilled, onRejected))
  }

  /// A `nil` literal for the rejection handler.
  @inlinable
  @discardableResult
  public func thenOn<T>(
    _ context: some Actor & ExecutionContext, _ onFulfilled: (@Sendable (Any) throws -> T)?,
    _ onRejected: Never?
  ) -> Promise {
    then(on: reference(to: context), onFulfilled.map { Direct($0) })
  }

  /// A `nil` literal for the rejection handler, with a typed value.
  @_disfavoredOverload
  @inlinable
  @discardableResult
  public func thenOn<V, T>(
    _ context: some Actor & ExecutionContext, _ onFulfilled: (@Sendable (V) throws -> T)?,
    _ onRejected: Never?
  ) -> Promise {
    then(on: reference(to: context), onFulfilled.map { Direct(casting: $0) })
  }

  /// A `nil` literal for the fulfillment handler.
  @_disfavoredOverload
  @inlinable
  @discardableResult
  public func thenOn<U>(
    _ context: some Actor & ExecutionContext, _ onFulfilled: Never?,
    _ onRejected: (@Sendable (any Error) throws -> U)?
  ) -> Promise {
    then(on: reference(to: context), Handling(catching: onRejected))
  }

  /// Starts `onFulfilled` in a task, from a job on `context`; its result resolves the new promise.
  @discardableResult
  public func thenOn<T>(
    _ context: some Actor & ExecutionContext, _ onFulfilled: @escaping @Sendable (Any) async throws -> T
  ) -> Promise {
    then(on: reference(to: context), Wrap.asyncValue(onFulfilled), nil)
  }

  /// The same with a typed value.
  @_disfavoredOverload
  @discardableResult
  public func thenOn<V, T>(
    _ context: some Actor & ExecutionContext, _ onFulfilled: @escaping @Sendable (V) async throws -> T
  ) -> Promise {
    then(on: reference(to: context), Wrap.asyncValue(onFulfilled), nil)
  }

  /// Calls `onRejected` with the reason, on `context`. A value goes on to the new promise as it is.
  @inlinable
  @discardableResult
  public func catchOn<U>(
    _ context: some Actor & ExecutionContext, _ onRejected: (@Sendable (any Error) throws -> U)?
  ) -> Promise {
    then(on: reference(to: context), Handling(catching: onRejected))
  }

  /// Calls a handler that does not look at the reason, on `context`.
  @inlinable
  @discardableResult
  public func catchOn<U>(
    _ context: some Actor & ExecutionContext, _ onRejected: @escaping @Sendable () throws -> U
  ) -> Promise {
    then(on: reference(to: context), Handling(catchingAny: onRejected))
  }

  /// Calls `onRejected` for reasons of type `E`; any other goes on as it is.
  @_disfavoredOverload
  @inlinable
  @discardableResult
  public func catchOn<E: Error, U>(
    _ context: some Actor & ExecutionContext, _ onRejected: @escaping @Sendable (E) throws -> U
  ) -> Promise {
    then(on: reference(to: context), Handling(catchingTyped: onRejected))
  }

  /// For closures whose `return` statements have different types, or return a bare `nil`.
  @_disfavoredOverload
  @inlinable
  @discardableResult
  public func catchOn(
    _ context: some Actor & ExecutionContext, _ onRejected: (@Sendable (any Error) throws -> Any?)?
  ) -> Promise {
    then(on: reference(to: context), Handling(catching: onRejected))
  }

  /// The same for reasons of type `E`; any other goes on as it is.
  @_disfavoredOverload
  @discardableResult
  public func catchOn<E: Error>(
    _ context: some Actor & ExecutionContext, _ onRejected: (@Sendable (E) throws -> Any?)?
  ) -> Promise {
    then(on: reference(to: context), nil, onRejected.map { Wrap.typedReason($0) })
  }

  /// Starts `onRejected` in a task, from a job on `context`; its result resolves the new promise.
  @discardableResult
  public func catchOn<U>(
    _ context: some Actor & ExecutionContext, _ onRejected: @escaping @Sendable (any Error) async throws -> U
  ) -> Promise {
    then(on: reference(to: context), nil, Wrap.asyncReason(onRejected))
  }

  /// The same for reasons of type `E`; any other goes on as it is.
  @_disfavoredOverload
  @discardableResult
  public func catchOn<E: Error, U>(
    _ context: some Actor & ExecutionContext, _ onRejected: @escaping @Sendable (E) async throws -> U
  ) -> Promise {
    then(on: reference(to: context), nil, Wrap.asyncTypedReason(onRejected))
  }

  /// Calls `body` on `context` when the promise settles either way; the outcome goes on as it is, unless `body` throws or returns an
  /// `Error`.
  @inlinable
  @discardableResult
  public func finallyOn<T>(
    _ context: some Actor & ExecutionContext, _ body: @escaping @Sendable () throws -> T
  ) -> Promise {
    then(on: reference(to: context), Handling(finally: Direct(ignoring: body)))
  }

  /// The same with an asynchronous `body`; the outcome goes on when it has returned.
  @discardableResult
  public func finallyOn<T>(
    _ context: some Actor & ExecutionContext, _ body: @escaping @Sendable () async throws -> T
  ) -> Promise {
    finally(on: reference(to: context)) { .running(Promise(body)) }
  }
}
