// `when` combines several promises. If the result is rejected or cancelled, the promises continue.

import DynamicPromise

/// Fulfilled with the result of `make` for the values in order; rejected with the first reason.
private func together<T>(
  _ promises: [Untyped], _ make: @escaping ([Any]) throws -> T
) -> Promise<T> { Promise<[Any]>(trusting: .all(promises, cancellingInputs: false)).map(on: nil, make) }

/// Fulfilled with the values of all promises, in order; rejected with the first reason.
public func when<U: Thenable>(fulfilled promises: [U]) -> Promise<[U.T]> {
  together(promises.map(\.untyped)) { try $0.map { try cast($0) } }
}

/// Fulfilled with the values of all promises, which may have different types, in order; rejected with the
/// first reason.
public func when(fulfilled promises: [any Thenable]) -> Promise<[Any]> {
  together(promises.map { $0.untyped }) { $0 }
}

/// Fulfilled when all promises are fulfilled; rejected with the first reason.
public func when<U: Thenable>(fulfilled promises: [U]) -> Promise<Void> where U.T == Void {
  together(promises.map(\.untyped)) { _ in }
}

/// Fulfilled when all promises are fulfilled; rejected with the first reason. The overloads with a tuple are
/// preferred.
@_disfavoredOverload
public func when<U: Thenable>(fulfilled promises: U...) -> Promise<Void> where U.T == Void {
  when(fulfilled: promises)
}

/// Fulfilled with the values as a tuple, for `done { a, b in ... }`; rejected with the first reason.
public func when<A: Thenable, B: Thenable, each C: Thenable>(
  fulfilled a: A, _ b: B, _ others: repeat each C
) -> Promise<(A.T, B.T, repeat (each C).T)> {
  var promises = [a.untyped, b.untyped]
  repeat promises.append((each others).untyped)
  return together(promises) { values in
    var rest = values.dropFirst(2)
    return try (cast(values[0]), cast(values[1]), repeat cast(rest.removeFirst(), to: (each C).T.self))
  }
}

/// Fulfilled with the outcomes of all promises, in order; never rejected.
public func when<T>(resolved promises: [Promise<T>]) -> Guarantee<[Result<T>]> {
  outcomes(Guarantee(trusting: .allSettled(promises.map(\.untyped), cancellingInputs: false)))
}

/// Fulfilled with the outcomes of all promises, in order; never rejected.
public func when<T>(resolved promises: Promise<T>...) -> Guarantee<[Result<T>]> { when(resolved: promises) }

/// Converts outcomes to outcomes with a typed value.
func outcomes<T>(_ outcomes: Guarantee<[Swift.Result<Any, any Error>]>) -> Guarantee<[Result<T>]> {
  outcomes.map(on: nil) { $0.map { Result($0) } }
}
