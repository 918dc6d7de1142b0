// Functions that return promises, one after the other: `f >>> g`, and `x |> f`.
//
// Each operator has a form for functions of any value and one for functions of a type: the former so that
// closures without a type compile, as for `then`.

import DynamicPromise

/// Binds more tightly than comparisons and `??`, less than arithmetic.
precedencegroup PromiseCompositionPrecedence {
  associativity: left
  higherThan: NilCoalescingPrecedence
  lowerThan: AdditionPrecedence
}

/// Binds less tightly than all but `? :` and assignments: what is composed on the right is composed first.
precedencegroup PromisePipePrecedence {
  associativity: left
  higherThan: TernaryPrecedence
  lowerThan: LogicalDisjunctionPrecedence
}

infix operator >>> : PromiseCompositionPrecedence
infix operator |> : PromisePipePrecedence

/// A function that calls `f`, and `g` with what that comes to: `{ a in f(a).then(g) }`.
///
/// `f` is called at once. It may return a promise or thenable, which is followed, or anything else; what it
/// throws, or an `Error` that it returns, rejects, and `g` is not called. `g` is called on the default
/// context of the promise that `f` returned; of another value than it takes it rejects with
/// `PromiseError.typeMismatch`. Cancelling the result is cancelling the end of that chain.
///
/// The idea is Futuristics'.
public func >>> <A, R, T>(
  f: @escaping @Sendable (A) throws -> R, g: @escaping @Sendable (Any) throws -> T
) -> @Sendable (A) -> Promise {
  { a in outcome { try f(a) }.then(g) }
}

/// The same for a second function of a type.
@_disfavoredOverload
public func >>> <A, R, B, T>(
  f: @escaping @Sendable (A) throws -> R, g: @escaping @Sendable (B) throws -> T
) -> @Sendable (A) -> Promise {
  { a in outcome { try f(a) }.then(g) }
}

/// The same for a first function without an input.
public func >>> <R, T>(
  f: @escaping @Sendable () throws -> R, g: @escaping @Sendable (Any) throws -> T
) -> @Sendable () -> Promise {
  { outcome(f).then(g) }
}

/// The same for a first function without an input, and a second one of a type.
@_disfavoredOverload
public func >>> <R, B, T>(
  f: @escaping @Sendable () throws -> R, g: @escaping @Sendable (B) throws -> T
) -> @Sendable () -> Promise {
  { outcome(f).then(g) }
}

// MARK: Asynchronous functions

// Those of a type only: with one more form for each these would be twelve, and every composition has to be
// checked against all.

/// The same for a second function that is asynchronous. Cancelling the result cancels its Swift task.
///
/// A closure beside an asynchronous function, or one that is asynchronous itself, names the type that it
/// takes: `f >>> { (x: Int) in await g(x) }`.
@_disfavoredOverload
public func >>> <A, R, B, T>(
  f: @escaping @Sendable (A) throws -> R, g: @escaping @Sendable (B) async throws -> T
) -> @Sendable (A) -> Promise {
  { a in outcome { try f(a) }.then(g) }
}

/// The same for a first function without an input, and a second one that is asynchronous.
@_disfavoredOverload
public func >>> <R, B, T>(
  f: @escaping @Sendable () throws -> R, g: @escaping @Sendable (B) async throws -> T
) -> @Sendable () -> Promise {
  { outcome(f).then(g) }
}

/// The same for a first function that is asynchronous: it begins in a Swift task, and not on the caller's
/// stack. Cancelling the end of the chain cancels that. `g` is called on `Promise.defaultContext`.
@_disfavoredOverload
public func >>> <A, R, B, T>(
  f: @escaping @Sendable (A) async throws -> R, g: @escaping @Sendable (B) throws -> T
) -> @Sendable (A) -> Promise {
  { a in started(f, a).then(g) }
}

/// The same for a first function that is asynchronous and has no input.
@_disfavoredOverload
public func >>> <R, B, T>(
  f: @escaping @Sendable () async throws -> R, g: @escaping @Sendable (B) throws -> T
) -> @Sendable () -> Promise {
  { Promise(f).then(g) }
}

/// The same for two functions that are asynchronous.
@_disfavoredOverload
public func >>> <A, R, B, T>(
  f: @escaping @Sendable (A) async throws -> R, g: @escaping @Sendable (B) async throws -> T
) -> @Sendable (A) -> Promise {
  { a in started(f, a).then(g) }
}

/// The same for two functions that are asynchronous, the first one without an input.
@_disfavoredOverload
public func >>> <R, B, T>(
  f: @escaping @Sendable () async throws -> R, g: @escaping @Sendable (B) async throws -> T
) -> @Sendable () -> Promise {
  { Promise(f).then(g) }
}

/// The promise of an asynchronous function.
private func started<A, R>(_ f: @escaping @Sendable (A) async throws -> R, _ a: A) -> Promise {
  let argument = Unchecked(value: a)
  return Promise { try await f(argument.value) }
}

// MARK: A value and a function

/// Gives `x` to `f`: `x.then(f)` for a promise, which may be rejected or cancelled before `f` is called.
/// Anything else stands for a promise resolved with it: a thenable is followed, an `Error` is a rejection.
/// `f` is never called on this stack.
///
/// The idea is Futuristics'.
@discardableResult
public func |> <T>(x: Any?, f: @escaping @Sendable (Any) throws -> T) -> Promise {
  outcome { x }.then(f)
}

/// The same for a function of a type; another value rejects with `PromiseError.typeMismatch`.
@_disfavoredOverload
@discardableResult
public func |> <B, T>(x: Any?, f: @escaping @Sendable (B) throws -> T) -> Promise {
  outcome { x }.then(f)
}

/// The same for an asynchronous function. Cancelling the result cancels its Swift task.
@_disfavoredOverload
@discardableResult
public func |> <B, T>(x: Any?, f: @escaping @Sendable (B) async throws -> T) -> Promise {
  outcome { x }.then(f)
}

/// What a function comes to, as a promise: the one that it has returned, or a new one.
private func outcome<R>(_ body: () throws -> R) -> Future {
  do {
    let value = try body() as Any
    return value as? Future ?? Promise.resolved(value)
  } catch {
    return Promise.rejected(error)
  }
}
