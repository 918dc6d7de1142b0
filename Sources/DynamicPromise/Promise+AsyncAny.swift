// Asynchronous handlers whose `return` statements have different types, or return a bare `nil`. That their parameters are twice
// optional puts them behind the shapes with a type of result: those are taken wherever they will do.

extension Promise {
  /// Two types of result from either handler, which may be asynchronous; `nil` stands for no handler.
  @_disfavoredOverload
  @discardableResult
  public func then(
    _ onFulfilled: (@Sendable (Any) async throws -> Any?)??,
    _ onRejected: (@Sendable (any Error) async throws -> Any?)??
  ) -> Promise {
    then(on: nil, Wrap.asyncValue(onFulfilled ?? nil), Wrap.asyncReason(onRejected ?? nil))
  }

  /// The same with a typed value; one of another type rejects the new promise with
  /// ``PromiseError/typeMismatch(expected:found:)``, and neither handler is called.
  @_disfavoredOverload
  @discardableResult
  public func then<V>(
    _ onFulfilled: (@Sendable (V) async throws -> Any?)??,
    _ onRejected: (@Sendable (any Error) async throws -> Any?)??
  ) -> Promise {
    then(on: nil, Wrap.asyncValue(onFulfilled ?? nil), Wrap.asyncReason(onRejected ?? nil))
  }

  /// Two types of result, from a job on `context`.
  @_disfavoredOverload
  @discardableResult
  public func thenOn(
    _ context: some ExecutionContext, _ onFulfilled: (@Sendable (Any) async throws -> Any?)??
  ) -> Promise {
    then(on: reference(to: context), Wrap.asyncValue(onFulfilled ?? nil), nil)
  }

  /// The same with a typed value.
  @_disfavoredOverload
  @discardableResult
  public func thenOn<V>(
    _ context: some ExecutionContext, _ onFulfilled: (@Sendable (V) async throws -> Any?)??
  ) -> Promise {
    then(on: reference(to: context), Wrap.asyncValue(onFulfilled ?? nil), nil)
  }

  /// The same from jobs on `context`; `nil` stands for no handler.
  @_disfavoredOverload
  @discardableResult
  public func thenOn(
    _ context: some ExecutionContext, _ onFulfilled: (@Sendable (Any) async throws -> Any?)??,
    _ onRejected: (@Sendable (any Error) async throws -> Any?)??
  ) -> Promise {
    then(on: reference(to: context), Wrap.asyncValue(onFulfilled ?? nil), Wrap.asyncReason(onRejected ?? nil))
  }

  /// The same with a typed value; one of another type rejects the new promise with
  /// ``PromiseError/typeMismatch(expected:found:)``, and neither handler is called.
  @_disfavoredOverload
  @discardableResult
  public func thenOn<V>(
    _ context: some ExecutionContext, _ onFulfilled: (@Sendable (V) async throws -> Any?)??,
    _ onRejected: (@Sendable (any Error) async throws -> Any?)??
  ) -> Promise {
    then(on: reference(to: context), Wrap.asyncValue(onFulfilled ?? nil), Wrap.asyncReason(onRejected ?? nil))
  }

  /// Two types of result, in a task on the main actor.
  @_disfavoredOverload
  @discardableResult
  public func thenOnMain(_ onFulfilled: (@MainActor (Any) async throws -> Any?)??) -> Promise {
    then(on: .mainQueue, Wrap.mainAsyncValue(onFulfilled ?? nil), nil)
  }

  /// The same with a typed value.
  @_disfavoredOverload
  @discardableResult
  public func thenOnMain<V>(_ onFulfilled: (@MainActor (V) async throws -> Any?)??) -> Promise {
    then(on: .mainQueue, Wrap.mainAsyncValue(onFulfilled ?? nil), nil)
  }

  /// The same in tasks on the main actor; `nil` stands for no handler.
  @_disfavoredOverload
  @discardableResult
  public func thenOnMain(
    _ onFulfilled: (@MainActor (Any) async throws -> Any?)??,
    _ onRejected: (@MainActor (any Error) async throws -> Any?)??
  ) -> Promise {
    then(on: .mainQueue, Wrap.mainAsyncValue(onFulfilled ?? nil), Wrap.mainAsyncReason(onRejected ?? nil))
  }

  /// The same with a typed value; one of another type rejects the new promise with
  /// ``PromiseError/typeMismatch(expected:found:)``, and neither handler is called.
  @_disfavoredOverload
  @discardableResult
  public func thenOnMain<V>(
    _ onFulfilled: (@MainActor (V) async throws -> Any?)??,
    _ onRejected: (@MainActor (any Error) async throws -> Any?)??
  ) -> Promise {
    then(on: .mainQueue, Wrap.mainAsyncValue(onFulfilled ?? nil), Wrap.mainAsyncReason(onRejected ?? nil))
  }
}
