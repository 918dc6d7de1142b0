// `when` for guarantees. The result is also a guarantee.

import DynamicPromise

/// Fulfilled with the values of all guarantees, in order.
public func when<T>(guarantees: [Guarantee<T>]) -> Guarantee<[T]> {
  Guarantee(trusting: when(fulfilled: guarantees).untyped)
}

/// Fulfilled when all guarantees are fulfilled.
public func when(guarantees: [Guarantee<Void>]) -> Guarantee<Void> {
  Guarantee(trusting: when(fulfilled: guarantees).untyped)
}

/// Fulfilled with the values of all guarantees, in order.
public func when<T>(_ guarantees: Guarantee<T>...) -> Guarantee<[T]> { when(guarantees: guarantees) }

/// Fulfilled when all guarantees are fulfilled.
public func when(_ guarantees: Guarantee<Void>...) -> Guarantee<Void> { when(guarantees: guarantees) }

/// Fulfilled with the values as a tuple, for `done { a, b in ... }`.
public func when<A, B, each C>(
  guarantees a: Guarantee<A>, _ b: Guarantee<B>, _ others: repeat Guarantee<each C>
) -> Guarantee<(A, B, repeat each C)> {
  Guarantee(trusting: when(fulfilled: a, b, repeat each others).untyped)
}
