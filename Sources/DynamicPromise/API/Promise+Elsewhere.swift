// Names of other libraries, with the name to write here. A call does not compile, and its error has the text.

extension Promise {
  /// The word of PromiseKit.
  @available(*, unavailable, message: "write then { ... }, or thenOnMain { ... } for the main actor")
  @discardableResult
  public func done<T>(on context: (any ExecutionContext)? = nil, _ f: (Any) throws -> T) -> Promise { self }

  /// The word of PromiseKit.
  @_disfavoredOverload
  @available(*, unavailable, message: "write then { ... }, or thenOnMain { ... } for the main actor")
  @discardableResult
  public func done<V, T>(on context: (any ExecutionContext)? = nil, _ f: (V) throws -> T) -> Promise { self }

  /// The word of PromiseKit and Combine.
  @available(*, unavailable, message: "write then { ... }; its closure returns a value or a promise")
  @discardableResult
  public func map<T>(on context: (any ExecutionContext)? = nil, _ f: (Any) throws -> T) -> Promise { self }

  /// The word of PromiseKit and Combine.
  @_disfavoredOverload
  @available(*, unavailable, message: "write then { ... }; its closure returns a value or a promise")
  @discardableResult
  public func map<V, T>(on context: (any ExecutionContext)? = nil, _ f: (V) throws -> T) -> Promise { self }

  /// The word of Combine and BrightFutures.
  @available(*, unavailable, message: "write then { ... }; its closure returns a value or a promise")
  @discardableResult
  public func flatMap<T>(on context: (any ExecutionContext)? = nil, _ transform: (Any) throws -> T) -> Promise
  { self }

  /// The word of Combine and BrightFutures.
  @_disfavoredOverload
  @available(*, unavailable, message: "write then { ... }; its closure returns a value or a promise")
  @discardableResult
  public func flatMap<V, T>(on context: (any ExecutionContext)? = nil, _ f: (V) throws -> T) -> Promise {
    self
  }

  /// The word of PromiseKit and BrightFutures.
  @available(*, unavailable, message: "write catch { ... }; its result is the value for the next step")
  @discardableResult
  public func recover<T>(on context: (any ExecutionContext)? = nil, _ f: (any Error) throws -> T)
    -> Promise
  { self }

  /// The word of Google's Promises.
  @available(*, unavailable, message: "write finally { ... }")
  @discardableResult
  public func always<T>(on context: (any ExecutionContext)? = nil, _ f: () throws -> T) -> Promise { self }

  /// The word of Combine.
  @available(*, unavailable, message: "write then { ... } and catch { ... }, or onSuccess { ... } to observe")
  @discardableResult
  public func sink<T>(
    receiveCompletion: (Result<Any, any Error>) -> Void = { _ in }, receiveValue: (Any) -> T
  ) -> Promise { self }

  /// PromiseKit's `then` on a queue.
  @available(*, unavailable, message: "write thenOn(queue) { ... }")
  @discardableResult
  public func then<T>(on context: (any ExecutionContext)?, _ f: (Any) throws -> T) -> Promise { self }

  /// PromiseKit's `then` on a queue.
  @_disfavoredOverload
  @available(*, unavailable, message: "write thenOn(queue) { ... }")
  @discardableResult
  public func then<V, T>(on context: (any ExecutionContext)?, _ f: (V) throws -> T) -> Promise { self }
}
