// Rejection handlers whose `return` statements have different types, or return a bare `nil`, where the operators' own
// files do not reach: those that suspend, and those that do not look at the reason.
//
// One Optional more than a shape with a type of result has puts a shape behind it: that one is taken wherever it will do.

extension Promise {
  /// A handler that does not look at the reason, with two types of result.
  @_disfavoredOverload
  @inlinable
  @discardableResult
  public func `catch`(_ onRejected: @escaping @Sendable () throws -> Any?) -> Promise {
    then(on: nil, Handling(catchingAny: onRejected))
  }

  /// Starts a handler that does not look at the reason, from a job on the promise's default context; its result resolves the new promise.
  @discardableResult
  public func `catch`<U>(_ onRejected: @escaping @Sendable () async throws -> U) -> Promise {
    then(on: nil, nil, Wrap.asyncReason({ _ in try await onRejected() }))
  }

  /// The same with two types of result.
  @_disfavoredOverload
  @discardableResult
  public func `catch`(_ onRejected: @escaping @Sendable () async throws -> Any?) -> Promise {
    then(on: nil, nil, Wrap.asyncReason({ _ in try await onRejected() }))
  }

  /// Starts a handler with two types of result, from a job on the promise's default context.
  @_disfavoredOverload
  @discardableResult
  public func `catch`(_ onRejected: (@Sendable (any Error) async throws -> Any?)??) -> Promise {
    then(on: nil, nil, Wrap.asyncReason(onRejected ?? nil))
  }

  /// The same for reasons of type `E`; any other goes on as it is.
  @_disfavoredOverload
  @discardableResult
  public func `catch`<E: Error>(_ onRejected: (@Sendable (E) async throws -> Any?)?) -> Promise {
    then(on: nil, nil, onRejected.map { Wrap.asyncTypedReason($0) })
  }

  /// A handler that does not look at the reason, with two types of result.
  @_disfavoredOverload
  @inlinable
  @discardableResult
  public func catchOn(_ context: some ExecutionContext, _ onRejected: @escaping @Sendable () throws -> Any?)
    -> Promise
  {
    then(on: reference(to: context), Handling(catchingAny: onRejected))
  }

  /// Starts a handler that does not look at the reason, from a job on `context`; its result resolves the new promise.
  @discardableResult
  public func catchOn<U>(
    _ context: some ExecutionContext, _ onRejected: @escaping @Sendable () async throws -> U
  ) -> Promise {
    then(on: reference(to: context), nil, Wrap.asyncReason({ _ in try await onRejected() }))
  }

  /// The same with two types of result.
  @_disfavoredOverload
  @discardableResult
  public func catchOn(
    _ context: some ExecutionContext, _ onRejected: @escaping @Sendable () async throws -> Any?
  ) -> Promise {
    then(on: reference(to: context), nil, Wrap.asyncReason({ _ in try await onRejected() }))
  }

  /// Starts a handler with two types of result, from a job on `context`.
  @_disfavoredOverload
  @discardableResult
  public func catchOn(
    _ context: some ExecutionContext, _ onRejected: (@Sendable (any Error) async throws -> Any?)??
  ) -> Promise {
    then(on: reference(to: context), nil, Wrap.asyncReason(onRejected ?? nil))
  }

  /// The same for reasons of type `E`; any other goes on as it is.
  @_disfavoredOverload
  @discardableResult
  public func catchOn<E: Error>(
    _ context: some ExecutionContext, _ onRejected: (@Sendable (E) async throws -> Any?)?
  ) -> Promise {
    then(on: reference(to: context), nil, onRejected.map { Wrap.asyncTypedReason($0) })
  }

  /// A handler that does not look at the reason, with two types of result.
  @_disfavoredOverload
  @inlinable
  @discardableResult
  public func catchOnMain(_ onRejected: @escaping @MainActor () throws -> Any?) -> Promise {
    then(on: .mainQueue, Handling(catchingAnyOnMain: onRejected))
  }

  /// Starts a handler that does not look at the reason, in a task on the main actor; its result resolves the new promise.
  @discardableResult
  public func catchOnMain<U>(_ onRejected: @escaping @MainActor () async throws -> U) -> Promise {
    then(on: .mainQueue, nil, Wrap.mainAsyncReason({ _ in try await onRejected() }))
  }

  /// The same with two types of result.
  @_disfavoredOverload
  @discardableResult
  public func catchOnMain(_ onRejected: @escaping @MainActor () async throws -> Any?) -> Promise {
    then(on: .mainQueue, nil, Wrap.mainAsyncReason({ _ in try await onRejected() }))
  }

  /// Starts a handler with two types of result, in a task on the main actor.
  @_disfavoredOverload
  @discardableResult
  public func catchOnMain(_ onRejected: (@MainActor (any Error) async throws -> Any?)??) -> Promise {
    then(on: .mainQueue, nil, Wrap.mainAsyncReason(onRejected ?? nil))
  }

  /// The same for reasons of type `E`; any other goes on as it is.
  @_disfavoredOverload
  @discardableResult
  public func catchOnMain<E: Error>(_ onRejected: (@MainActor (E) async throws -> Any?)?) -> Promise {
    then(on: .mainQueue, nil, onRejected.map { Wrap.mainAsyncTypedReason($0) })
  }
}
