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

/// Fulfilled with both values, as a tuple for `done { a, b in ... }`.
public func when<A, B>(guarantees a: Guarantee<A>, _ b: Guarantee<B>) -> Guarantee<(A, B)> {
  Guarantee(trusting: when(fulfilled: a, b).untyped)
}

/// Fulfilled with the three values.
public func when<A, B, C>(
  guarantees a: Guarantee<A>, _ b: Guarantee<B>, _ c: Guarantee<C>
) -> Guarantee<(A, B, C)> { Guarantee(trusting: when(fulfilled: a, b, c).untyped) }

/// Fulfilled with the four values.
public func when<A, B, C, D>(
  guarantees a: Guarantee<A>, _ b: Guarantee<B>, _ c: Guarantee<C>, _ d: Guarantee<D>
) -> Guarantee<(A, B, C, D)> { Guarantee(trusting: when(fulfilled: a, b, c, d).untyped) }

/// Fulfilled with the five values.
public func when<A, B, C, D, E>(
  guarantees a: Guarantee<A>, _ b: Guarantee<B>, _ c: Guarantee<C>, _ d: Guarantee<D>, _ e: Guarantee<E>
) -> Guarantee<(A, B, C, D, E)> { Guarantee(trusting: when(fulfilled: a, b, c, d, e).untyped) }
