// Steps for the value: `then(on:)`, `done`, `get`, `map`, `compactMap`.
//
// Each step accepts a closure of the untyped value, or a closure of typed inputs: none, one or several.
// Several inputs are the parts of a tuple or an array.

public import DynamicPromise

extension Future {
  /// Calls `body` with the value, on `context`, like `thenOn`. `nil` means the default context. In
  /// PromiseKit, `nil` means the stack that settles the promise; for that stack, write `.immediate`.
  ///
  /// `body` may return any value, not only a promise. There is no parameter for flags; a handler on a
  /// concurrent queue is a barrier.
  @discardableResult
  public final func then<T>(
    on context: (any ExecutionContext)?, _ body: @escaping @Sendable (Any) throws -> T
  ) -> Promise {
    thenOn(context, body)
  }

  /// Calls `body` with typed inputs, on `context`. A single input is the value itself; several inputs are the
  /// parts of a tuple, or of an array such as the value of `all`. If a type or the number of parts differs,
  /// the new promise is rejected with `PromiseError.typeMismatch`.
  @_disfavoredOverload
  @discardableResult
  public final func then<each V, T>(
    on context: (any ExecutionContext)?, _ body: @escaping @Sendable (repeat each V) throws -> T
  ) -> Promise {
    thenOn(context, onParts(body))
  }

  /// Calls a closure of two or more inputs, as in `then { (image: Image, name: String) in ... }`. The inputs
  /// are the parts of a tuple, or of an array such as the value of `all`.
  @_disfavoredOverload
  @discardableResult
  public final func then<A, B, each V, T>(
    _ body: @escaping @Sendable (A, B, repeat each V) throws -> T
  ) -> Promise {
    then { (value: Any) in
      var parts = try Parts(of: value, for: A.self, B.self, repeat (each V).self)
      return try body(
        parts.next(as: A.self), parts.next(as: B.self), repeat try parts.next(as: (each V).self))
    }
  }

  /// Calls `body` with the value, on `context` or the default context. The new promise is fulfilled with
  /// `()`, or rejected with the error that `body` throws.
  @discardableResult
  public final func done(
    on context: (any ExecutionContext)? = nil, _ body: @escaping @Sendable (Any) throws -> Void
  ) -> Promise {
    thenOn(context, body)
  }

  /// Like `done` with an untyped value, but `body` has typed inputs: none, the value, or the parts of a tuple
  /// or an array. If a type or the number of parts differs, the new promise is rejected with
  /// `PromiseError.typeMismatch`.
  @_disfavoredOverload
  @discardableResult
  public final func done<each V>(
    on context: (any ExecutionContext)? = nil, _ body: @escaping @Sendable (repeat each V) throws -> Void
  ) -> Promise {
    thenOn(context, onParts(body))
  }

  /// Calls `body` with the value, on `context` or the default context, and passes the value on, even if the
  /// value is an error or a promise. An error that `body` throws rejects the new promise. (`get()` without a
  /// closure blocks until the promise settles.)
  @discardableResult
  public final func get(
    on context: (any ExecutionContext)? = nil, _ body: @escaping @Sendable (Any) throws -> Void
  ) -> Promise {
    tap(on: context, body)
  }

  /// Like `get` with an untyped value, but `body` has typed inputs: none, the value, or the parts of a tuple
  /// or an array. If a type or the number of parts differs, the new promise is rejected with
  /// `PromiseError.typeMismatch`.
  @_disfavoredOverload
  @discardableResult
  public final func get<each V>(
    on context: (any ExecutionContext)? = nil, _ body: @escaping @Sendable (repeat each V) throws -> Void
  ) -> Promise {
    get(on: context, onParts(body))
  }

  /// Calls `transform` with the value, on `context` or the default context. As for `then`, a returned promise
  /// is followed, and a returned `Error` rejects the new promise. In PromiseKit's `map`, a promise or an
  /// error is an ordinary value.
  public final func map<T>(
    on context: (any ExecutionContext)? = nil, _ transform: @escaping @Sendable (Any) throws -> T
  ) -> Promise {
    thenOn(context, transform)
  }

  /// Like `map` with an untyped value, but `transform` has typed inputs: none, the value, or the parts of a
  /// tuple or an array. If a type or the number of parts differs, the new promise is rejected with
  /// `PromiseError.typeMismatch`.
  @_disfavoredOverload
  public final func map<each V, T>(
    on context: (any ExecutionContext)? = nil, _ transform: @escaping @Sendable (repeat each V) throws -> T
  ) -> Promise {
    thenOn(context, onParts(transform))
  }

  /// Calls `transform` with the value, on `context` or the default context. If `transform` returns `nil`, the
  /// new promise is rejected with ``PMKError/compactMap(_:_:)``; any other result resolves the new promise.
  public final func compactMap<T>(
    on context: (any ExecutionContext)? = nil, _ transform: @escaping @Sendable (Any) throws -> T?
  ) -> Promise {
    thenOn(context) { value in
      guard let found = try transform(value) else { throw PMKError.compactMap(value, T.self) }
      return found
    }
  }

  /// Like `compactMap` with an untyped value, but `transform` has typed inputs: none, the value, or the parts
  /// of a tuple or an array. If a type or the number of parts differs, the new promise is rejected with
  /// `PromiseError.typeMismatch`.
  @_disfavoredOverload
  public final func compactMap<each V, T>(
    on context: (any ExecutionContext)? = nil, _ transform: @escaping @Sendable (repeat each V) throws -> T?
  ) -> Promise {
    compactMap(on: context, onParts(transform))
  }

  /// A promise with the same outcome, except that its value is `()`.
  public final func asVoid() -> Promise { then { _ in () } }
}
