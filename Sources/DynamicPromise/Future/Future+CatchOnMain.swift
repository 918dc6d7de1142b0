// Made from `Promise+CatchOnMain.swift`: the same operators, on the read-only face.

extension Future {
  /// Calls `onRejected` with the reason, on the main queue; what it returns resolves the new promise, what it throws rejects it.
  /// A value goes on to the new promise as it is.
  @inlinable
  @discardableResult
  public func catchOnMain<U>(_ onRejected: (@MainActor (any Error) throws -> U)?) -> Future {
    then(on: .mainQueue, Handling(catchingOnMain: onRejected))
  }

  /// Calls a handler that does not look at the reason, on the main queue.
  @inlinable
  @discardableResult
  public func catchOnMain<U>(_ onRejected: @escaping @MainActor () throws -> U) -> Future {
    then(on: .mainQueue, Handling(catchingAnyOnMain: onRejected))
  }

  /// Calls `onRejected` for reasons of type `E`; any other goes on as it is.
  @_disfavoredOverload
  @inlinable
  @discardableResult
  public func catchOnMain<E: Error, U>(_ onRejected: @escaping @MainActor (E) throws -> U) -> Future {
    then(on: .mainQueue, Handling(catchingTypedOnMain: onRejected))
  }

  /// For closures whose `return` statements have different types, or return a bare `nil`.
  @_disfavoredOverload
  @inlinable
  @discardableResult
  public func catchOnMain<E: Error>(_ onRejected: (@MainActor (E) throws -> Any?)?) -> Future {
    then(on: .mainQueue, onRejected.map { Handling(catchingTypedOnMain: $0) } ?? Handling(nil, kind: 0))
  }

  /// For closures whose `return` statements have different types, or return a bare `nil`.
  @_disfavoredOverload
  @inlinable
  @discardableResult
  public func catchOnMain(_ onRejected: (@MainActor (any Error) throws -> Any?)?) -> Future {
    then(on: .mainQueue, Handling(catchingOnMain: onRejected))
  }
}
