// Made from `Promise+AsyncPairs.swift`: the same operators, on the read-only face.

extension Future {
  /// Either handler may be asynchronous, with a typed value; one of another type rejects the new promise with
  /// ``PromiseError/typeMismatch(expected:found:)``, and neither handler is called.
  @_disfavoredOverload
  @discardableResult
  public func then<V, T, U>(
    _ onFulfilled: (@Sendable (V) async throws -> T)?,
    _ onRejected: (@Sendable (any Error) async throws -> U)?
  ) -> Future {
    then(on: nil, Wrap.asyncValue(onFulfilled), Wrap.asyncReason(onRejected))
  }

  /// A `nil` literal for the rejection handler, with a typed value.
  @_disfavoredOverload
  @discardableResult
  public func then<V, T>(_ onFulfilled: (@Sendable (V) async throws -> T)?, _ onRejected: Never?) -> Future {
    then(on: nil, Wrap.asyncValue(onFulfilled), nil)
  }

  /// The same from jobs on `context`; one of another type rejects the new promise with
  /// ``PromiseError/typeMismatch(expected:found:)``, and neither handler is called.
  @_disfavoredOverload
  @discardableResult
  public func thenOn<V, T, U>(
    _ context: some ExecutionContext, _ onFulfilled: (@Sendable (V) async throws -> T)?,
    _ onRejected: (@Sendable (any Error) async throws -> U)?
  ) -> Future {
    then(on: reference(to: context), Wrap.asyncValue(onFulfilled), Wrap.asyncReason(onRejected))
  }

  /// A `nil` literal for the rejection handler, with a typed value.
  @_disfavoredOverload
  @discardableResult
  public func thenOn<V, T>(
    _ context: some ExecutionContext, _ onFulfilled: (@Sendable (V) async throws -> T)?, _ onRejected: Never?
  ) -> Future {
    then(on: reference(to: context), Wrap.asyncValue(onFulfilled), nil)
  }

  /// A `nil` literal for the rejection handler.
  @discardableResult
  public func thenOn<T>(
    _ context: some ExecutionContext, _ onFulfilled: (@Sendable (Any) async throws -> T)?,
    _ onRejected: Never?
  ) -> Future {
    then(on: reference(to: context), Wrap.asyncValue(onFulfilled), nil)
  }

  /// A `nil` literal for the fulfillment handler.
  @_disfavoredOverload
  @discardableResult
  public func thenOn<U>(
    _ context: some ExecutionContext, _ onFulfilled: Never?,
    _ onRejected: (@Sendable (any Error) async throws -> U)?
  ) -> Future {
    then(on: reference(to: context), nil, Wrap.asyncReason(onRejected))
  }

  /// The same in tasks on the main actor; one of another type rejects the new promise with
  /// ``PromiseError/typeMismatch(expected:found:)``, and neither handler is called.
  @_disfavoredOverload
  @discardableResult
  public func thenOnMain<V, T, U>(
    _ onFulfilled: (@MainActor (V) async throws -> T)?,
    _ onRejected: (@MainActor (any Error) async throws -> U)?
  ) -> Future {
    then(on: .mainQueue, Wrap.mainAsyncValue(onFulfilled), Wrap.mainAsyncReason(onRejected))
  }

  /// A `nil` literal for the rejection handler, with a typed value.
  @_disfavoredOverload
  @discardableResult
  public func thenOnMain<V, T>(_ onFulfilled: (@MainActor (V) async throws -> T)?, _ onRejected: Never?)
    -> Future
  {
    then(on: .mainQueue, Wrap.mainAsyncValue(onFulfilled), nil)
  }

  /// A `nil` literal for the rejection handler.
  @discardableResult
  public func thenOnMain<T>(_ onFulfilled: (@MainActor (Any) async throws -> T)?, _ onRejected: Never?)
    -> Future
  {
    then(on: .mainQueue, Wrap.mainAsyncValue(onFulfilled), nil)
  }

  /// A `nil` literal for the fulfillment handler.
  @_disfavoredOverload
  @discardableResult
  public func thenOnMain<U>(_ onFulfilled: Never?, _ onRejected: (@MainActor (any Error) async throws -> U)?)
    -> Future
  {
    then(on: .mainQueue, nil, Wrap.mainAsyncReason(onRejected))
  }
}
