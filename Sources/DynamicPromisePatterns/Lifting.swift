// Lifts ordinary functions to functions that run on a context and return promises.

import DynamicPromise

/// Makes functions run on `context`: `onQueue(database)(insert)` is a function that calls `insert` on that
/// context and returns the promise of its result.
///
///     let insert = onQueue(database)(self.insert)
///     insert(row).then { (id: Int) in ... }
///
/// The idea is from Futuristics.
public func onQueue(_ context: any ExecutionContext) -> FunctionLifting { FunctionLifting(context) }

/// Makes functions run in the background, on the private concurrent context: `onBackgroundQueue(parse)`.
///
/// Like ``onQueue(_:)`` with `.shared`. The idea is from Futuristics.
public let onBackgroundQueue = FunctionLifting(.shared)

/// The result of ``onQueue(_:)``, to be called with a function.
///
/// The new function never throws and never waits: each call schedules a job on the context, and returns a
/// promise. The original function's result resolves that promise. A promise or thenable is followed, and an
/// `Error`, returned or thrown, rejects the result.
///
/// If the promise is cancelled before the job has started, the original function is not called. A later
/// cancel also cancels the promise that the function has returned, unless that promise has other consumers.
/// Handlers of the promise run on `Promise.defaultContext` unless they are added with another context.
///
/// The caller must not use the argument after the call, because the argument is passed to another thread. The
/// compiler does not check this.
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

  /// A function without an input that calls `f` on the context.
  public func callAsFunction<T>(_ f: @escaping @Sendable () throws -> T) -> @Sendable () -> Promise {
    { [context] in Promise.resolved(()).thenOn(context) { try f() } }
  }

  /// A function that starts the asynchronous `f` in a Swift task, from a job on the context. The task is
  /// cancelled with the promise.
  public func callAsFunction<A, T>(_ f: @escaping @Sendable (A) async throws -> T) -> @Sendable (A) -> Promise
  {
    { [context] a in
      let argument = Unchecked(value: a)
      return Promise.resolved(()).thenOn(context) { try await f(argument.value) }
    }
  }

  /// A function without an input that starts the asynchronous `f` in a Swift task, from a job on the context.
  public func callAsFunction<T>(_ f: @escaping @Sendable () async throws -> T) -> @Sendable () -> Promise {
    { [context] in Promise.resolved(()).thenOn(context) { try await f() } }
  }
}

/// A function that calls `f` on the main actor, and returns the promise of its result, like
/// ``FunctionLifting``. `f` never runs on the stack of the call, not even on the main thread.
///
/// The idea is from Futuristics. In Futuristics, a call from the main thread runs at once.
public func onMainQueue<A, T>(_ f: @escaping @MainActor (A) throws -> T) -> @Sendable (A) -> Promise {
  { a in
    let argument = Unchecked(value: a)
    return Promise.resolved(()).thenOnMain { _ in try f(argument.value) }
  }
}

/// A function without an input that calls `f` on the main actor, and returns the promise of its result.
public func onMainQueue<T>(_ f: @escaping @MainActor () throws -> T) -> @Sendable () -> Promise {
  { Promise.resolved(()).thenOnMain { _ in try f() } }
}

/// A function that starts the asynchronous `f` in a Swift task on the main actor, and returns the promise of
/// its result. The task is cancelled with the promise.
public func onMainQueue<A, T>(_ f: @escaping @MainActor (A) async throws -> T) -> @Sendable (A) -> Promise {
  { a in
    let argument = Unchecked(value: a)
    return Promise.resolved(()).thenOnMain { _ in try await f(argument.value) }
  }
}

/// A function without an input that starts the asynchronous `f` in a Swift task on the main actor, and
/// returns the promise of its result.
public func onMainQueue<T>(_ f: @escaping @MainActor () async throws -> T) -> @Sendable () -> Promise {
  { Promise.resolved(()).thenOnMain { _ in try await f() } }
}
