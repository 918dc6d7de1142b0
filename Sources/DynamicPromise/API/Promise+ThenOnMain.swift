// `thenOnMain`: handlers on the main actor.
// The overloads are few, and ranked. docs/decisions/014-face.md gives the reasons.

extension Promise {
  /// Calls `onFulfilled` with the value, on the main actor, in a block of the main queue. Otherwise like
  /// `then`.
  @inlinable
  @discardableResult
  public func thenOnMain<T>(
    _ onFulfilled: (@MainActor (Any) throws -> T)?, _ onRejected: Never? = nil,
    fileID: StaticString = #fileID, line: UInt = #line
  ) -> Promise {
    add(Handler(value: Wrap.onMain(onFulfilled)), on: .mainQueue).at(fileID, line)
  }

  /// Calls `onFulfilled` with the value as a `V`, on the main actor. Otherwise like a typed `then`.
  @_disfavoredOverload
  @inlinable
  @discardableResult
  public func thenOnMain<V, T>(
    _ onFulfilled: (@MainActor (V) throws -> T)?, _ onRejected: Never? = nil,
    fileID: StaticString = #fileID, line: UInt = #line
  ) -> Promise {
    add(Handler(value: Wrap.onMain(onFulfilled)).at(V.self, fileID, line), on: .mainQueue).at(fileID, line)
  }

  /// An overload for a closure of an `Any?`, which receives `nil` for a promise that is fulfilled with `nil`.
  @inlinable
  @discardableResult
  public func thenOnMain(
    _ onFulfilled: (@MainActor (Any?) throws -> Any?)??,
    fileID: StaticString = #fileID, line: UInt = #line
  ) -> Promise {
    add(Handler(value: Wrap.onMain(onFulfilled ?? nil)), on: .mainQueue).at(fileID, line)
  }

  /// Calls `onFulfilled`, which has no parameter, on the main actor when the promise is fulfilled.
  @inlinable
  @discardableResult
  public func thenOnMain<T>(
    _ onFulfilled: @escaping @MainActor () throws -> T,
    fileID: StaticString = #fileID, line: UInt = #line
  ) -> Promise {
    add(Handler(.value, Wrap.onMain(onFulfilled)), on: .mainQueue).at(fileID, line)
  }

  /// An overload for closures without a parameter that return values of different types, or a bare `nil`.
  @_disfavoredOverload
  @inlinable
  @discardableResult
  public func thenOnMain(
    _ onFulfilled: (@MainActor () throws -> Any?)??,
    fileID: StaticString = #fileID, line: UInt = #line
  ) -> Promise {
    add(Handler(.value, Wrap.onMain(onFulfilled ?? nil)), on: .mainQueue).at(fileID, line)
  }

  /// Calls `onFulfilled` with the value or `onRejected` with the reason, on the main actor.
  @inlinable
  @discardableResult
  public func thenOnMain<T, U>(
    _ onFulfilled: @escaping @MainActor (Any) throws -> T,
    _ onRejected: @escaping @MainActor (any Error) throws -> U,
    fileID: StaticString = #fileID, line: UInt = #line
  ) -> Promise {
    add(Handler(value: Wrap.onMain(onFulfilled), reason: Wrap.onMain(onRejected)), on: .mainQueue).at(
      fileID, line)
  }

  /// Calls one of two handlers, the first with the value as a `V`. Otherwise like a typed `then`.
  @inlinable
  @discardableResult
  public func thenOnMain<V, T, U>(
    _ onFulfilled: (@MainActor (V) throws -> T)?, _ onRejected: (@MainActor (any Error) throws -> U)?,
    fileID: StaticString = #fileID, line: UInt = #line
  ) -> Promise {
    add(
      Handler(value: Wrap.onMain(onFulfilled), reason: Wrap.onMain(onRejected)).at(V.self, fileID, line),
      on: .mainQueue
    ).at(fileID, line)
  }

  /// An overload for a `nil` literal as the first handler.
  @inlinable
  @discardableResult
  public func thenOnMain<U>(
    _ onFulfilled: Never?, _ onRejected: @escaping @MainActor (any Error) throws -> U,
    fileID: StaticString = #fileID, line: UInt = #line
  ) -> Promise {
    add(Handler(reason: Wrap.onMain(onRejected)), on: .mainQueue).at(fileID, line)
  }

  /// An overload for a first closure that returns values of different types, or a bare `nil`.
  @_disfavoredOverload
  @inlinable
  @discardableResult
  public func thenOnMain<U>(
    _ onFulfilled: @escaping @MainActor (Any) throws -> Any?,
    _ onRejected: @escaping @MainActor (any Error) throws -> U,
    fileID: StaticString = #fileID, line: UInt = #line
  ) -> Promise {
    add(Handler(value: Wrap.onMain(onFulfilled), reason: Wrap.onMain(onRejected)), on: .mainQueue).at(
      fileID, line)
  }

  /// An overload for a second closure that returns values of different types, or a bare `nil`.
  @_disfavoredOverload
  @inlinable
  @discardableResult
  public func thenOnMain<T>(
    _ onFulfilled: @escaping @MainActor (Any) throws -> T,
    _ onRejected: @escaping @MainActor (any Error) throws -> Any?,
    fileID: StaticString = #fileID, line: UInt = #line
  ) -> Promise {
    add(Handler(value: Wrap.onMain(onFulfilled), reason: Wrap.onMain(onRejected)), on: .mainQueue).at(
      fileID, line)
  }

  /// An overload for `nil` literals, and for closures that return values of different types, or a bare `nil`.
  @_disfavoredOverload
  @inlinable
  @discardableResult
  public func thenOnMain(
    _ onFulfilled: (@MainActor (Any) throws -> Any?)??,
    _ onRejected: (@MainActor (any Error) throws -> Any?)?? = nil,
    fileID: StaticString = #fileID, line: UInt = #line
  ) -> Promise {
    add(
      Handler(value: Wrap.onMain(onFulfilled ?? nil), reason: Wrap.onMain(onRejected ?? nil)), on: .mainQueue
    ).at(fileID, line)
  }

  /// Starts a task on the main actor. Otherwise like an asynchronous `then`.
  @_disfavoredOverload
  @discardableResult
  public func thenOnMain<T>(
    _ onFulfilled: (@MainActor (Any) async throws -> T)?, _ onRejected: Never? = nil
  ) -> Promise {
    add(Handler(value: Wrap.inMainTask(onFulfilled)), on: .mainQueue)
  }

  /// Starts a task on the main actor, with the value as a `V`.
  @_disfavoredOverload
  @discardableResult
  public func thenOnMain<V, T>(
    _ onFulfilled: (@MainActor (V) async throws -> T)??, _ onRejected: Never? = nil,
    fileID: StaticString = #fileID, line: UInt = #line
  ) -> Promise {
    add(Handler(value: Wrap.inMainTask(onFulfilled ?? nil)).at(V.self, fileID, line), on: .mainQueue).at(
      fileID, line)
  }

  /// Calls one of two handlers, at least one of which is asynchronous. Each runs in a task.
  @_disfavoredOverload
  @discardableResult
  public func thenOnMain<T, U>(
    _ onFulfilled: @escaping @MainActor (Any) async throws -> T,
    _ onRejected: @escaping @MainActor (any Error) async throws -> U,
    fileID: StaticString = #fileID, line: UInt = #line
  ) -> Promise {
    add(Handler(value: Wrap.inMainTask(onFulfilled), reason: Wrap.inMainTask(onRejected)), on: .mainQueue).at(
      fileID, line)
  }

  /// Calls one of two handlers, at least one of which is asynchronous, with the value as a `V`.
  @_disfavoredOverload
  @discardableResult
  public func thenOnMain<V, T, U>(
    _ onFulfilled: (@MainActor (V) async throws -> T)?,
    _ onRejected: (@MainActor (any Error) async throws -> U)?, fileID: StaticString = #fileID,
    line: UInt = #line
  ) -> Promise {
    add(
      Handler(value: Wrap.inMainTask(onFulfilled), reason: Wrap.inMainTask(onRejected)).at(
        V.self, fileID, line),
      on: .mainQueue
    ).at(fileID, line)
  }

  /// An overload for asynchronous handlers that return values of different types, or a bare `nil`.
  @_disfavoredOverload
  @discardableResult
  public func thenOnMain(
    _ onFulfilled: (@MainActor (Any) async throws -> Any?)??,
    _ onRejected: (@MainActor (any Error) async throws -> Any?)?? = nil,
    fileID: StaticString = #fileID, line: UInt = #line
  ) -> Promise {
    add(
      Handler(value: Wrap.inMainTask(onFulfilled ?? nil), reason: Wrap.inMainTask(onRejected ?? nil)),
      on: .mainQueue
    ).at(fileID, line)
  }
}
