// Ordinary functions become functions that return promises, and run where they are told to.

import DynamicPromise

/// Makes functions run on `context`: `onQueue(database)(insert)` is a function that calls `insert` there and
/// returns the promise of its result.
///
///     let insert = onQueue(database)(self.insert)
///     insert(row).then { (id: Int) in ... }
///
/// The idea is Futuristics'.
public func onQueue(_ context: any ExecutionContext) -> FunctionLifting { FunctionLifting(context) }

/// Makes functions run in the background, on the private concurrent context: `onBackgroundQueue(parse)`.
///
/// As ``onQueue(_:)`` with `.shared`. The idea is Futuristics'.
public let onBackgroundQueue = FunctionLifting(.shared)

/// What ``onQueue(_:)`` returns, to be called with a function.
///
/// The function that comes of it never throws and never waits: each call hands a job to the context, and
/// returns a promise. What the function returns resolves it: another promise or a thenable is followed, an
/// `Error` is a rejection, as is what it throws. Cancelled before its turn, the function is not called;
/// afterwards, what it has returned is cancelled unless somebody else wants it. Handlers of the promise run
/// on `Promise.defaultContext` unless they name another context.
///
/// The argument is handed to another thread, though the compiler cannot see whether it may be: whoever hands
/// it over stops using it, as with the value of a promise.
public struct FunctionLifting: Sendable {
  let context: any ExecutionContext

  init(_ context: any ExecutionContext) { self.context = context }

  /// A function that calls `f` on the context.
  public func callAsFunction<A, T>(_ f: @escaping @Sendable (A) throws -> T) -> @Sendable (A) -> Promise {
    { [context] a in
      let argument = Unchecked(value: a)
      return Promise.resolved(()).thenOn(context) { try f(argument.value) }
    }
  }

  /// The same for a function without an input.
  public func callAsFunction<T>(_ f: @escaping @Sendable () throws -> T) -> @Sendable () -> Promise {
    { [context] in Promise.resolved(()).thenOn(context) { try f() } }
  }

  /// The same for an asynchronous function: a job on the context starts it, in a Swift task that is cancelled
  /// with the promise.
  public func callAsFunction<A, T>(_ f: @escaping @Sendable (A) async throws -> T) -> @Sendable (A) -> Promise
  {
    { [context] a in
      let argument = Unchecked(value: a)
      return Promise.resolved(()).thenOn(context) { try await f(argument.value) }
    }
  }

  /// The same for an asynchronous function without an input.
  public func callAsFunction<T>(_ f: @escaping @Sendable () async throws -> T) -> @Sendable () -> Promise {
    { [context] in Promise.resolved(()).thenOn(context) { try await f() } }
  }
}

/// A function that calls `f` on the main actor, and returns the promise of its result, as ``FunctionLifting``
/// does. Never on this stack, though it be the main thread.
///
/// The idea is Futuristics', where a call from the main thread runs at once.
public func onMainQueue<A, T>(_ f: @escaping @MainActor (A) throws -> T) -> @Sendable (A) -> Promise {
  { a in
    let argument = Unchecked(value: a)
    return Promise.resolved(()).thenOnMain { _ in try f(argument.value) }
  }
}

/// The same for a function without an input.
public func onMainQueue<T>(_ f: @escaping @MainActor () throws -> T) -> @Sendable () -> Promise {
  { Promise.resolved(()).thenOnMain { _ in try f() } }
}

/// The same for an asynchronous function, in a Swift task on the main actor that is cancelled with the
/// promise.
public func onMainQueue<A, T>(_ f: @escaping @MainActor (A) async throws -> T) -> @Sendable (A) -> Promise {
  { a in
    let argument = Unchecked(value: a)
    return Promise.resolved(()).thenOnMain { _ in try await f(argument.value) }
  }
}

/// The same for an asynchronous function without an input.
public func onMainQueue<T>(_ f: @escaping @MainActor () async throws -> T) -> @Sendable () -> Promise {
  { Promise.resolved(()).thenOnMain { _ in try await f() } }
}
