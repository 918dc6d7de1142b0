// `thenOnMain`: handlers on the main actor.
//
// An overload whose parameters are optional twice over is the compiler's last choice (docs/decisions/014).

extension Future {
  /// Calls `onFulfilled` with the value, on the main actor. Its result resolves the new promise, and its
  /// error rejects it. A rejection is passed on to the new promise. `nil` means no handler.
  ///
  /// The handler runs in a block of the main queue and may use main actor state.
  @inlinable
  @discardableResult
  public final func thenOnMain<T>(_ onFulfilled: (@MainActor (Any) throws -> T)?) -> Promise {
    add(Handler(mainValue: onFulfilled), on: .mainQueue)
  }

  /// The same with the value as a `V`. A value of another type rejects the new promise with
  /// ``PromiseError/typeMismatch(expected:found:index:at:)``, and the handler is not called.
  @_disfavoredOverload
  @inlinable
  @discardableResult
  public final func thenOnMain<V, T>(
    _ onFulfilled: (@MainActor (V) throws -> T)?, fileID: StaticString = #fileID, line: UInt = #line
  ) -> Promise {
    add(Handler(mainValue: onFulfilled).placed(V.self, fileID, line), on: .mainQueue)
  }

  /// For closures whose `return` statements have different types, or return a bare `nil`.
  @_disfavoredOverload
  @inlinable
  @discardableResult
  public final func thenOnMain(_ onFulfilled: @escaping @MainActor (Any) throws -> Any?) -> Promise {
    add(Handler(mainValue: onFulfilled), on: .mainQueue)
  }

  /// Calls a handler without a parameter after a fulfillment, on the main actor.
  @inlinable
  @discardableResult
  public final func thenOnMain<T>(_ onFulfilled: @escaping @MainActor () throws -> T) -> Promise {
    add(Handler(mainNoInput: onFulfilled), on: .mainQueue)
  }

  /// For closures without a parameter whose `return` statements have different types, or return a bare `nil`.
  @_disfavoredOverload
  @inlinable
  @discardableResult
  public final func thenOnMain(_ onFulfilled: (@MainActor () throws -> Any?)??) -> Promise {
    add(Handler(mainNoInput: onFulfilled ?? nil), on: .mainQueue)
  }

  /// Calls `onFulfilled` with the value or `onRejected` with the reason, on the main actor. Its result
  /// resolves the new promise, and its error rejects it. Without a handler for the outcome, the outcome is
  /// passed on.
  @inlinable
  @discardableResult
  public final func thenOnMain<T, U>(
    _ onFulfilled: @escaping @MainActor (Any) throws -> T,
    _ onRejected: @escaping @MainActor (any Error) throws -> U
  ) -> Promise {
    add(Handler(mainValue: onFulfilled, mainReason: onRejected), on: .mainQueue)
  }

  /// The same with the value as a `V`. A value of another type rejects the new promise with
  /// ``PromiseError/typeMismatch(expected:found:index:at:)``, and neither handler is called.
  @_disfavoredOverload
  @inlinable
  @discardableResult
  public final func thenOnMain<V, T, U>(
    _ onFulfilled: (@MainActor (V) throws -> T)?, _ onRejected: (@MainActor (any Error) throws -> U)?,
    fileID: StaticString = #fileID, line: UInt = #line
  ) -> Promise {
    add(Handler(mainValue: onFulfilled, mainReason: onRejected).placed(V.self, fileID, line), on: .mainQueue)
  }

  /// For closures whose `return` statements have different types, or return a bare `nil`. Either may be
  /// `nil`.
  @_disfavoredOverload
  @inlinable
  @discardableResult
  public final func thenOnMain(
    _ onFulfilled: (@MainActor (Any) throws -> Any?)??,
    _ onRejected: (@MainActor (any Error) throws -> Any?)??
  ) -> Promise {
    add(Handler(mainValue: onFulfilled ?? nil, mainReason: onRejected ?? nil), on: .mainQueue)
  }

  /// A `nil` literal for the rejection handler.
  @inlinable
  @discardableResult
  public final func thenOnMain<T>(_ onFulfilled: @escaping @MainActor (Any) throws -> T, _ onRejected: Never?)
    -> Promise
  {
    add(Handler(mainValue: onFulfilled), on: .mainQueue)
  }

  /// A `nil` literal for the rejection handler, with the value as a `V`.
  @_disfavoredOverload
  @inlinable
  @discardableResult
  public final func thenOnMain<V, T>(
    _ onFulfilled: (@MainActor (V) throws -> T)?, _ onRejected: Never?,
    fileID: StaticString = #fileID, line: UInt = #line
  )
    -> Promise
  {
    add(Handler(mainValue: onFulfilled).placed(V.self, fileID, line), on: .mainQueue)
  }

  /// A `nil` literal for the fulfillment handler.
  @_disfavoredOverload
  @inlinable
  @discardableResult
  public final func thenOnMain<U>(
    _ onFulfilled: Never?, _ onRejected: @escaping @MainActor (any Error) throws -> U
  ) -> Promise {
    add(Handler(mainReason: onRejected), on: .mainQueue)
  }

  /// Starts `onFulfilled` with the value, in a task on the main actor. Its result resolves the new promise,
  /// and its error rejects it. A rejection is passed on to the new promise. `nil` means no handler.
  ///
  /// Cancelling the new promise cancels the task.
  @discardableResult
  public final func thenOnMain<T>(_ onFulfilled: (@MainActor (Any) async throws -> T)?) -> Promise {
    add(Handler(mainAsyncValue: onFulfilled), on: .mainQueue)
  }

  /// The same with the value as a `V`. A value of another type rejects the new promise with
  /// ``PromiseError/typeMismatch(expected:found:index:at:)``, and the handler is not called.
  @_disfavoredOverload
  @discardableResult
  public final func thenOnMain<V, T>(
    _ onFulfilled: (@MainActor (V) async throws -> T)?, fileID: StaticString = #fileID, line: UInt = #line
  ) -> Promise {
    add(Handler(mainAsyncValue: onFulfilled).placed(V.self, fileID, line), on: .mainQueue)
  }

  /// For closures whose `return` statements have different types, or return a bare `nil`.
  @_disfavoredOverload
  @discardableResult
  public final func thenOnMain(_ onFulfilled: @escaping @MainActor (Any) async throws -> Any?) -> Promise {
    add(Handler(mainAsyncValue: onFulfilled), on: .mainQueue)
  }

  /// Starts `onFulfilled` with the value or `onRejected` with the reason, either in a task on the main
  /// actor. Its result resolves the new promise, and its error rejects it. Without a handler for the
  /// outcome, the outcome is passed on.
  ///
  /// One of the two may be an ordinary closure.
  @_disfavoredOverload
  @discardableResult
  public final func thenOnMain<T, U>(
    _ onFulfilled: @escaping @MainActor (Any) async throws -> T,
    _ onRejected: @escaping @MainActor (any Error) async throws -> U
  ) -> Promise {
    add(Handler(mainAsyncValue: onFulfilled, mainAsyncReason: onRejected), on: .mainQueue)
  }

  /// The same with the value as a `V`. A value of another type rejects the new promise with
  /// ``PromiseError/typeMismatch(expected:found:index:at:)``, and neither handler is called.
  @_disfavoredOverload
  @discardableResult
  public final func thenOnMain<V, T, U>(
    _ onFulfilled: (@MainActor (V) async throws -> T)?,
    _ onRejected: (@MainActor (any Error) async throws -> U)?,
    fileID: StaticString = #fileID, line: UInt = #line
  ) -> Promise {
    add(
      Handler(mainAsyncValue: onFulfilled, mainAsyncReason: onRejected).placed(V.self, fileID, line),
      on: .mainQueue)
  }

  /// For closures whose `return` statements have different types, or return a bare `nil`. Either may be
  /// `nil`.
  @_disfavoredOverload
  @discardableResult
  public final func thenOnMain(
    _ onFulfilled: (@MainActor (Any) async throws -> Any?)??,
    _ onRejected: (@MainActor (any Error) async throws -> Any?)??
  ) -> Promise {
    add(Handler(mainAsyncValue: onFulfilled ?? nil, mainAsyncReason: onRejected ?? nil), on: .mainQueue)
  }

  /// A `nil` literal for the rejection handler.
  @discardableResult
  public final func thenOnMain<T>(
    _ onFulfilled: @escaping @MainActor (Any) async throws -> T, _ onRejected: Never?
  ) -> Promise {
    add(Handler(mainAsyncValue: onFulfilled), on: .mainQueue)
  }

  /// A `nil` literal for the rejection handler, with the value as a `V`.
  @_disfavoredOverload
  @discardableResult
  public final func thenOnMain<V, T>(
    _ onFulfilled: (@MainActor (V) async throws -> T)?, _ onRejected: Never?,
    fileID: StaticString = #fileID, line: UInt = #line
  )
    -> Promise
  {
    add(Handler(mainAsyncValue: onFulfilled).placed(V.self, fileID, line), on: .mainQueue)
  }

  /// A `nil` literal for the fulfillment handler.
  @_disfavoredOverload
  @discardableResult
  public final func thenOnMain<U>(
    _ onFulfilled: Never?, _ onRejected: @escaping @MainActor (any Error) async throws -> U
  ) -> Promise {
    add(Handler(mainAsyncReason: onRejected), on: .mainQueue)
  }
}
