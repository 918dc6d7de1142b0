// `race`: the first of several promises. The others continue.

import DynamicPromise

/// Settles with the outcome of the first promise that settles. Without promises, the result is rejected with
/// ``PMKError/badInput``.
public func race<U: Thenable>(_ promises: [U]) -> Promise<U.T> {
  promises.isEmpty
    ? Promise(error: PMKError.badInput)
    : Promise(trusting: .race(promises.map(\.untyped), cancellingInputs: false))
}

/// Settles with the outcome of the first promise that settles. Without promises, the result is rejected with
/// ``PMKError/badInput``.
public func race<U: Thenable>(_ promises: U...) -> Promise<U.T> { race(promises) }

/// Fulfilled with the value of the first guarantee that is fulfilled.
public func race<T>(_ guarantees: Guarantee<T>...) -> Guarantee<T> {
  Guarantee(trusting: race(guarantees).untyped)
}

/// Fulfilled with the first value; rejected with ``PMKError/noWinner`` if no promise is fulfilled, and with
/// ``PMKError/badInput`` without promises.
public func race<U: Thenable>(fulfilled promises: [U]) -> Promise<U.T> {
  guard !promises.isEmpty else { return Promise(error: PMKError.badInput) }
  let first = Untyped.any(promises.map(\.untyped), cancellingInputs: false)
  return Promise(trusting: first.rescue(nil, nil) { _ in throw PMKError.noWinner })
}
