// Made from `Promise+Async.swift`: the same operators, on the read-only face.

extension Future {
  /// For asynchronous closures whose `return` statements have different types, or return a bare `nil`.
  @_disfavoredOverload
  @discardableResult
  public func then(_ onFulfilled: @escaping @Sendable (Any) async throws -> Any?) -> Future {
    then(on: nil, Wrap.asyncValue(onFulfilled), nil)
  }

  /// The same with a typed value.
  @_disfavoredOverload
  @discardableResult
  public func then<V>(_ onFulfilled: (@Sendable (V) async throws -> Any?)??) -> Future {
    then(on: nil, Wrap.asyncValue(onFulfilled ?? nil), nil)
  }

  /// A `nil` literal for the rejection handler.
  @discardableResult
  public func then<T>(_ onFulfilled: @escaping @Sendable (Any) async throws -> T, _ onRejected: Never?)
    -> Future
  {
    then(on: nil, Wrap.asyncValue(onFulfilled), nil)
  }

  /// A `nil` literal for the fulfillment handler.
  @_disfavoredOverload
  @discardableResult
  public func then<U>(
    _ onFulfilled: Never?, _ onRejected: @escaping @Sendable (any Error) async throws -> U
  ) -> Future {
    then(on: nil, nil, Wrap.asyncReason(onRejected))
  }

  /// Starts `onFulfilled` in a task on the main actor; its result resolves the new promise. Cancelling that promise
  /// cancels the task.
  @discardableResult
  public func thenOnMain<T>(_ onFulfilled: (@MainActor (Any) async throws -> T)?) -> Future {
    then(on: .mainQueue, Wrap.mainAsyncValue(onFulfilled), nil)
  }

  /// The same with a typed value.
  @_disfavoredOverload
  @discardableResult
  public func thenOnMain<V, T>(_ onFulfilled: (@MainActor (V) async throws -> T)?) -> Future {
    then(on: .mainQueue, Wrap.mainAsyncValue(onFulfilled), nil)
  }

  /// Either handler may be asynchronous, on the main actor.
  @_disfavoredOverload
  @discardableResult
  public func thenOnMain<T, U>(
    _ onFulfilled: (@MainActor (Any) async throws -> T)?,
    _ onRejected: (@MainActor (any Error) async throws -> U)?
  ) -> Future {
    then(on: .mainQueue, Wrap.mainAsyncValue(onFulfilled), Wrap.mainAsyncReason(onRejected))
  }

  /// Starts `onRejected` in a task on the main actor; its result resolves the new promise.
  @_disfavoredOverload
  @discardableResult
  public func catchOnMain<U>(_ onRejected: (@MainActor (any Error) async throws -> U)?) -> Future {
    then(on: .mainQueue, nil, Wrap.mainAsyncReason(onRejected))
  }

  /// Starts `onRejected` in a task, from a job on the promise's default context, for reasons of type `E`; any other goes on as
  /// it is.
  @_disfavoredOverload
  @discardableResult
  public func `catch`<E: Error, U>(_ onRejected: @escaping @Sendable (E) async throws -> U) -> Future {
    then(on: nil, nil, Wrap.asyncTypedReason(onRejected))
  }

  /// The same from a job on `context`.
  @_disfavoredOverload
  @discardableResult
  public func catchOn<E: Error, U>(
    _ context: some ExecutionContext, _ onRejected: @escaping @Sendable (E) async throws -> U
  ) -> Future {
    then(on: reference(to: context), nil, Wrap.asyncTypedReason(onRejected))
  }

  /// The same in a task on the main actor.
  @_disfavoredOverload
  @discardableResult
  public func catchOnMain<E: Error, U>(_ onRejected: @escaping @MainActor (E) async throws -> U) -> Future {
    then(on: .mainQueue, nil, Wrap.mainAsyncTypedReason(onRejected))
  }
}
