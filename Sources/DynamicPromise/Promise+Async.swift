// Asynchronous handlers, where those in the operators' own files do not reach: several types of result, a `nil`
// literal beside them, errors of one type, the main actor.

extension Promise {
  /// For asynchronous closures whose `return` statements have different types, or return a bare `nil`.
  @_disfavoredOverload
  @discardableResult
  public func then(_ onFulfilled: @escaping @Sendable (Any) async throws -> Any?) -> Promise {
    then(on: nil, Wrap.asyncValue(onFulfilled), nil)
  }

  /// The same with a typed value.
  @_disfavoredOverload
  @discardableResult
  public func then<V>(_ onFulfilled: (@Sendable (V) async throws -> Any?)??) -> Promise {
    then(on: nil, Wrap.asyncValue(onFulfilled ?? nil), nil)
  }

  /// A `nil` literal for the rejection handler.
  @discardableResult
  public func then<T>(_ onFulfilled: @escaping @Sendable (Any) async throws -> T, _ onRejected: Never?)
    -> Promise
  {
    then(on: nil, Wrap.asyncValue(onFulfilled), nil)
  }

  /// A `nil` literal for the fulfillment handler.
  @_disfavoredOverload
  @discardableResult
  public func then<U>(
    _ onFulfilled: Never?, _ onRejected: @escaping @Sendable (any Error) async throws -> U
  ) -> Promise {
    then(on: nil, nil, Wrap.asyncReason(onRejected))
  }

  /// Starts `onFulfilled` in a task on the main actor; its result resolves the new promise. Cancelling that promise
  /// cancels the task.
  @discardableResult
  public func thenOnMain<T>(_ onFulfilled: (@MainActor (Any) async throws -> T)?) -> Promise {
    then(on: .mainQueue, Wrap.mainAsyncValue(onFulfilled), nil)
  }

  /// The same with a typed value.
  @_disfavoredOverload
  @discardableResult
  public func thenOnMain<V, T>(_ onFulfilled: (@MainActor (V) async throws -> T)?) -> Promise {
    then(on: .mainQueue, Wrap.mainAsyncValue(onFulfilled), nil)
  }

  /// Either handler may be asynchronous, on the main actor.
  @_disfavoredOverload
  @discardableResult
  public func thenOnMain<T, U>(
    _ onFulfilled: (@MainActor (Any) async throws -> T)?,
    _ onRejected: (@MainActor (any Error) async throws -> U)?
  ) -> Promise {
    then(on: .mainQueue, Wrap.mainAsyncValue(onFulfilled), Wrap.mainAsyncReason(onRejected))
  }

  /// Starts `onRejected` in a task on the main actor; its result resolves the new promise.
  @_disfavoredOverload
  @discardableResult
  public func catchOnMain<U>(_ onRejected: (@MainActor (any Error) async throws -> U)?) -> Promise {
    then(on: .mainQueue, nil, Wrap.mainAsyncReason(onRejected))
  }

  /// Starts `onRejected` in a task, from a job on the promise's default context, for reasons of type `E`; any other goes on as
  /// it is.
  @_disfavoredOverload
  @discardableResult
  public func `catch`<E: Error, U>(_ onRejected: @escaping @Sendable (E) async throws -> U) -> Promise {
    then(on: nil, nil, Wrap.asyncTypedReason(onRejected))
  }

  /// The same from a job on `context`.
  @_disfavoredOverload
  @discardableResult
  public func catchOn<E: Error, U>(
    _ context: some ExecutionContext, _ onRejected: @escaping @Sendable (E) async throws -> U
  ) -> Promise {
    then(on: reference(to: context), nil, Wrap.asyncTypedReason(onRejected))
  }

  /// The same in a task on the main actor.
  @_disfavoredOverload
  @discardableResult
  public func catchOnMain<E: Error, U>(_ onRejected: @escaping @MainActor (E) async throws -> U) -> Promise {
    then(on: .mainQueue, nil, Wrap.mainAsyncTypedReason(onRejected))
  }
}

extension Wrap {
  static func mainAsyncValue<V, T>(_ handler: (@MainActor (V) async throws -> T)?) -> (
    @Sendable (Any) throws -> Resolution
  )? {
    guard let handler else { return nil }
    return { value in
      let input = UncheckedBox<V>(try argument(value))
      return .running(Promise { try await onMainActor { try await handler(input.value) }.value })
    }
  }

  static func mainAsyncReason<U>(_ handler: (@MainActor (any Error) async throws -> U)?) -> (
    @Sendable (any Error) throws -> Resolution
  )? {
    guard let handler else { return nil }
    return { reason in .running(Promise { try await onMainActor { try await handler(reason) }.value }) }
  }

  /// An error of another type goes on as it is, at once.
  static func mainAsyncTypedReason<E: Error, U>(_ handler: @escaping @MainActor (E) async throws -> U) -> (
    @Sendable (any Error) throws -> Resolution
  ) {
    { reason in
      guard let expected = reason as? E else { throw reason }
      return .running(Promise { try await onMainActor { try await handler(expected) }.value })
    }
  }

  static func mainAsyncBody<T>(_ body: @escaping @MainActor () async throws -> T) -> (
    @Sendable () throws -> Resolution
  ) {
    { .running(Promise { try await onMainActor { try await body() }.value }) }
  }

  /// A box carries the result out, which need not be Sendable (S1).
  @MainActor
  private static func onMainActor<T>(_ body: @MainActor () async throws -> T) async throws -> UncheckedBox<T>
  {
    UncheckedBox(try await body())
  }
}
