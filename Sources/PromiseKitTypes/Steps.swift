// Steps for the value. Each closure runs on `queue`, by default a queue of `conf.Q`; `nil` means the stack
// that settles the promise. An error that the closure throws rejects the new promise. A rejected promise does
// not call the closure.

public import Dispatch

extension Thenable {
  /// Calls `body` with the value, on `queue`; the new promise follows the promise that `body` returns.
  public func then<U: Thenable>(
    on queue: DispatchQueue? = conf.Q.map, flags: DispatchWorkItemFlags? = nil,
    _ body: @escaping (T) throws -> U
  ) -> Promise<U.T> { Promise(trusting: untyped.step(queue, flags) { try body($0).untyped }) }

  /// Calls `transform` with the value, on `queue`. Fulfilled with the result, even if the result is a promise
  /// or an error.
  public func map<U>(
    on queue: DispatchQueue? = conf.Q.map, flags: DispatchWorkItemFlags? = nil,
    _ transform: @escaping (T) throws -> U
  ) -> Promise<U> { Promise(trusting: untyped.step(queue, flags) { .plain(try transform($0)) }) }

  /// Calls `transform` with the value, on `queue`. Fulfilled with the result; a `nil` result rejects with
  /// ``PMKError/compactMap(_:_:)``.
  public func compactMap<U>(
    on queue: DispatchQueue? = conf.Q.map, flags: DispatchWorkItemFlags? = nil,
    _ transform: @escaping (T) throws -> U?
  ) -> Promise<U> {
    map(on: queue, flags: flags) { value in
      guard let found = try transform(value) else { throw PMKError.compactMap(value, U.self) }
      return found
    }
  }

  /// Calls `body` with the value, on `queue`; the new promise is fulfilled with `()`.
  public func done(
    on queue: DispatchQueue? = conf.Q.return, flags: DispatchWorkItemFlags? = nil,
    _ body: @escaping (T) throws -> Void
  ) -> Promise<Void> { map(on: queue, flags: flags, body) }

  /// Calls `body` with the value, on `queue`, and passes the value on.
  public func get(
    on queue: DispatchQueue? = conf.Q.return, flags: DispatchWorkItemFlags? = nil,
    _ body: @escaping (T) throws -> Void
  ) -> Promise<T> {
    map(on: queue, flags: flags) { value in
      try body(value)
      return value
    }
  }

  /// Calls `body` with the outcome, on `queue`, and passes the outcome on.
  public func tap(
    on queue: DispatchQueue? = conf.Q.map, flags: DispatchWorkItemFlags? = nil,
    _ body: @escaping (Result<T>) -> Void
  ) -> Promise<T> { Promise(trusting: untyped.look(queue, flags, body)) }

  /// A promise with the same outcome, but without the value.
  public func asVoid() -> Promise<Void> { map(on: nil) { _ in } }
}
