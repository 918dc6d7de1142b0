// Functions that return promises, in sequence: `f >>> g`, and `x |> f`.
//
// Each operator has an overload for functions of `Any` and one for functions of a named type. The overload
// for `Any` lets closures without a type compile, as with `then`. With `line: 0`, the error of a type
// mismatch names no line. Otherwise it would name a line of this file.

import DynamicPromise

/// Binds more tightly than comparisons and `??`, less tightly than arithmetic.
precedencegroup PromiseCompositionPrecedence {
  associativity: left
  higherThan: NilCoalescingPrecedence
  lowerThan: AdditionPrecedence
}

/// Binds less tightly than all operators except `? :` and assignments, so a composition on the right is
/// evaluated first.
precedencegroup PromisePipePrecedence {
  associativity: left
  higherThan: TernaryPrecedence
  lowerThan: LogicalDisjunctionPrecedence
}

infix operator >>> : PromiseCompositionPrecedence
infix operator |> : PromisePipePrecedence

/// A function that calls `f`, and then `g` with the result: `{ a in f(a).then(g) }`.
///
/// The new function calls `f` at once. A promise or thenable that `f` returns is followed. If `f` throws, or
/// returns an `Error`, the result is rejected and `g` is not called. `g` is called on the default context of
/// `f`'s promise. If the value does not have the type of `g`'s input, the result is rejected with
/// `PromiseError.typeMismatch`. The result is the end of a chain: a withdrawal from it also withdraws from
/// the promise of `f`.
///
/// The idea is from Futuristics.
public func >>> <A, R, T>(
  f: @escaping @Sendable (A) throws -> R, g: @escaping @Sendable (Any) throws -> T
) -> @Sendable (A) -> Promise {
  { a in outcome { try f(a) }.then(g) }
}

/// A function that calls `f`, and then `g` with the result as a `B`. A result of another type rejects the
/// returned promise with `PromiseError.typeMismatch`. Otherwise like `>>>` with a `g` of `Any`.
@_disfavoredOverload
public func >>> <A, R, B, T>(
  f: @escaping @Sendable (A) throws -> R, g: @escaping @Sendable (B) throws -> T
) -> @Sendable (A) -> Promise {
  { a in outcome { try f(a) }.then(g, line: 0) }
}

/// A function without an input that calls `f`, and then `g` with the result.
public func >>> <R, T>(
  f: @escaping @Sendable () throws -> R, g: @escaping @Sendable (Any) throws -> T
) -> @Sendable () -> Promise {
  { outcome(f).then(g) }
}

/// A function without an input that calls `f`, and then `g` with the result as a `B`.
@_disfavoredOverload
public func >>> <R, B, T>(
  f: @escaping @Sendable () throws -> R, g: @escaping @Sendable (B) throws -> T
) -> @Sendable () -> Promise {
  { outcome(f).then(g, line: 0) }
}

// MARK: Asynchronous functions

// These overloads exist for functions of a named type only. With functions of `Any` there would be twelve,
// and the compiler checks each composition against all overloads.

/// A function that calls `f`, and then the asynchronous `g` with the result as a `B`. Cancelling the returned
/// promise cancels the Swift task of `g`.
///
/// An asynchronous closure, or a closure beside an asynchronous function, must name its input type:
/// `f >>> { (x: Int) in await g(x) }`.
@_disfavoredOverload
public func >>> <A, R, B, T>(
  f: @escaping @Sendable (A) throws -> R, g: @escaping @Sendable (B) async throws -> T
) -> @Sendable (A) -> Promise {
  { a in outcome { try f(a) }.then(g, line: 0) }
}

/// A function without an input that calls `f`, and then the asynchronous `g` with the result as a `B`.
@_disfavoredOverload
public func >>> <R, B, T>(
  f: @escaping @Sendable () throws -> R, g: @escaping @Sendable (B) async throws -> T
) -> @Sendable () -> Promise {
  { outcome(f).then(g, line: 0) }
}

/// A function that calls the asynchronous `f`, and then `g` with the result as a `B`. `f` starts in a Swift
/// task, not on the caller's stack. A withdrawal from the returned promise cancels the Swift task. `g` is
/// called on `Promise.defaultContext`.
@_disfavoredOverload
public func >>> <A, R, B, T>(
  f: @escaping @Sendable (A) async throws -> R, g: @escaping @Sendable (B) throws -> T
) -> @Sendable (A) -> Promise {
  { a in started(f, a).then(g, line: 0) }
}

/// A function without an input that calls the asynchronous `f`, and then `g` with the result as a `B`.
@_disfavoredOverload
public func >>> <R, B, T>(
  f: @escaping @Sendable () async throws -> R, g: @escaping @Sendable (B) throws -> T
) -> @Sendable () -> Promise {
  { Promise(f).then(g, line: 0) }
}

/// A function that calls the asynchronous `f`, and then the asynchronous `g` with the result as a `B`.
@_disfavoredOverload
public func >>> <A, R, B, T>(
  f: @escaping @Sendable (A) async throws -> R, g: @escaping @Sendable (B) async throws -> T
) -> @Sendable (A) -> Promise {
  { a in started(f, a).then(g, line: 0) }
}

/// A function without an input that calls the asynchronous `f`, and then the asynchronous `g` with the result
/// as a `B`.
@_disfavoredOverload
public func >>> <R, B, T>(
  f: @escaping @Sendable () async throws -> R, g: @escaping @Sendable (B) async throws -> T
) -> @Sendable () -> Promise {
  { Promise(f).then(g, line: 0) }
}

/// The promise of an asynchronous function.
private func started<A, R>(_ f: @escaping @Sendable (A) async throws -> R, _ a: A) -> Promise {
  let argument = Unchecked(value: a)
  return Promise { try await f(argument.value) }
}

// MARK: A value and a function

/// Calls `f` with `x`. If `x` is a promise, this is `x.then(f)`. Any other value is treated as in `resolve`:
/// a thenable is followed, and an `Error` rejects. `f` is not called on this stack, unless the default
/// context is `.immediate`.
///
/// The idea is from Futuristics.
@discardableResult
public func |> <T>(x: Any?, f: @escaping @Sendable (Any) throws -> T) -> Promise {
  outcome { x }.then(f)
}

/// Calls `f` with `x` as a `B`. If `x` is a promise, this is `x.then(f)`. A value of another type rejects the
/// result with `PromiseError.typeMismatch`. Otherwise like `|>` with an `f` of `Any`.
@_disfavoredOverload
@discardableResult
public func |> <B, T>(x: Any?, f: @escaping @Sendable (B) throws -> T) -> Promise {
  outcome { x }.then(f, line: 0)
}

/// Calls the asynchronous `f` with `x` as a `B`. If `x` is a promise, this is `x.then(f)`. Cancelling the
/// result cancels the Swift task of `f`.
@_disfavoredOverload
@discardableResult
public func |> <B, T>(x: Any?, f: @escaping @Sendable (B) async throws -> T) -> Promise {
  outcome { x }.then(f, line: 0)
}

/// The result of a function as a promise: the returned promise, or a new promise.
private func outcome<R>(_ body: () throws -> R) -> Promise {
  do {
    let value = try body() as Any
    return value as? Promise ?? Promise.resolved(value)
  } catch {
    return Promise.rejected(error)
  }
}
