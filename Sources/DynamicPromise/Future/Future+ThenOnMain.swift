// Made from `Promise+ThenOnMain.swift`: the same operators, on the read-only face.

extension Future {
  /// Calls `onFulfilled` with the value, on the main queue; what it returns resolves the new promise, what it throws rejects it.
  /// A rejection goes on to the new promise as it is. `nil` stands for no handler (2.2.1).
  @inlinable
  @discardableResult
  public func thenOnMain<T>(_ onFulfilled: (@MainActor (Any) throws -> T)?) -> Future {
    then(on: .mainQueue, onFulfilled.map { Direct(castingOnMain: $0) })
  }

  /// Calls a handler that does not look at the value, on the main queue.
  @inlinable
  @discardableResult
  public func thenOnMain<T>(_ onFulfilled: @escaping @MainActor () throws -> T) -> Future {
    then(on: .mainQueue, Direct(ignoringOnMain: onFulfilled))
  }

  /// Calls `onFulfilled` with the value as a `V`, on the main queue. A value of another type rejects the new promise with
  /// ``PromiseError/typeMismatch(expected:found:)``, and the handler is not called.
  @_disfavoredOverload
  @inlinable
  @discardableResult
  public func thenOnMain<V, T>(_ onFulfilled: (@MainActor (V) throws -> T)?) -> Future {
    then(on: .mainQueue, onFulfilled.map { Direct(castingOnMain: $0) })
  }

  /// For closures whose `return` statements have different types, or return a bare `nil`.
  @_disfavoredOverload
  @inlinable
  @discardableResult
  public func thenOnMain(_ onFulfilled: (@MainActor (Any) throws -> Any?)?) -> Future {
    then(on: .mainQueue, onFulfilled.map { Direct(castingOnMain: $0) })
  }

  /// The same with a typed value.
  @_disfavoredOverload
  @inlinable
  @discardableResult
  public func thenOnMain<V>(_ onFulfilled: (@MainActor (V) throws -> Any?)??) -> Future {
    then(on: .mainQueue, (onFulfilled ?? nil).map { Direct(castingOnMain: $0) })
  }

  /// Calls `onFulfilled` or `onRejected`, on the main queue; what it returns resolves the new promise, what it throws rejects
  /// it. Without a handler for the outcome, the outcome goes on as it is (2.2.7).
  @inlinable
  @discardableResult
  public func thenOnMain<T, U>(
    _ onFulfilled: (@MainActor (Any) throws -> T)?, _ onRejected: (@MainActor (any Error) throws -> U)?
  ) -> Future {
    then(on: .mainQueue, Handling(onMain: onFulfilled, onRejected))
  }

  /// The same with a typed value; one of another type rejects the new promise with
  /// ``PromiseError/typeMismatch(expected:found:)``, and neither handler is called.
  @_disfavoredOverload
  @inlinable
  @discardableResult
  public func thenOnMain<V, T, U>(
    _ onFulfilled: (@MainActor (V) throws -> T)?, _ onRejected: (@MainActor (any Error) throws -> U)?
  ) -> Future {
    then(on: .mainQueue, Handling(onMain: onFulfilled, onRejected))
  }

  /// For closures whose `return` statements have different types, or return a bare `nil`.
  @_disfavoredOverload
  @inlinable
  @discardableResult
  public func thenOnMain(
    _ onFulfilled: (@MainActor (Any) throws -> Any?)??,
    _ onRejected: (@MainActor (any Error) throws -> Any?)??
  ) -> Future {
    then(on: .mainQueue, Handling(onMain: onFulfilled ?? nil, onRejected ?? nil))
  }

  /// The same with a typed value; one of another type rejects the new promise with
  /// ``PromiseError/typeMismatch(expected:found:)``, and neither handler is called.
  @_disfavoredOverload
  @inlinable
  @discardableResult
  public func thenOnMain<V>(
    _ onFulfilled: (@MainActor (V) throws -> Any?)??, _ onRejected: (@MainActor (any Error) throws -> Any?)??
  ) -> Future {
    then(on: .mainQueue, Handling(onMain: onFulfilled ?? nil, onRejected ?? nil))
  }

  /// A `nil` literal for the rejection handler.
  @inlinable
  @discardableResult
  public func thenOnMain<T>(_ onFulfilled: (@MainActor (Any) throws -> T)?, _ onRejected: Never?) -> Future {
    then(on: .mainQueue, onFulfilled.map { Direct(castingOnMain: $0) })
  }

  /// A `nil` literal for the rejection handler, with a typed value.
  @_disfavoredOverload
  @inlinable
  @discardableResult
  public func thenOnMain<V, T>(
    _ onFulfilled: (@MainActor (V) throws -> T)?, _ onRejected: Never?
  ) -> Future {
    then(on: .mainQueue, onFulfilled.map { Direct(castingOnMain: $0) })
  }

  /// A `nil` literal for the fulfillment handler.
  @_disfavoredOverload
  @inlinable
  @discardableResult
  public func thenOnMain<U>(_ onFulfilled: Never?, _ onRejected: (@MainActor (any Error) throws -> U)?)
    -> Future
  {
    then(on: .mainQueue, Handling(catchingOnMain: onRejected))
  }
}
