// `when` and `race`: waiting for several. The promises go on when the result is rejected.

import DynamicPromise

private func values(of promises: [Untyped]) -> Promise<[Any]> { Promise(trusting: .all(promises)) }

/// Fulfilled with the values of all, in order; rejected with the first reason.
public func when<U: Thenable>(fulfilled promises: [U]) -> Promise<[U.T]> {
  values(of: promises.map(\.untyped)).map(on: nil) { try $0.map { try cast($0) } }
}

/// Fulfilled when all are; rejected with the first reason.
public func when<U: Thenable>(fulfilled promises: [U]) -> Promise<Void> where U.T == Void {
  values(of: promises.map(\.untyped)).asVoid()
}

/// The same for promises that are written down one by one. The tuple goes first.
@_disfavoredOverload
public func when<U: Thenable>(fulfilled promises: U...) -> Promise<Void> where U.T == Void {
  when(fulfilled: promises)
}

/// Fulfilled with the values of all as a tuple, which `done { a, b in ... }` takes apart; rejected with the
/// first reason. For any number, where PromiseKit has two to five.
public func when<A: Thenable, B: Thenable, each U: Thenable>(
  fulfilled a: A, _ b: B, _ rest: repeat each U
) -> Promise<(A.T, B.T, repeat (each U).T)> {
  var promises = [a.untyped, b.untyped]
  for promise in repeat each rest { promises.append(promise.untyped) }
  return values(of: promises).map(on: nil) { values -> (A.T, B.T, repeat (each U).T) in
    var values = values[...]
    return try (
      cast(values.removeFirst()), cast(values.removeFirst()),
      repeat cast(values.removeFirst(), to: (each U).T.self)
    )
  }
}

/// Fulfilled with the outcomes of all, in order; never rejected.
public func when<T>(resolved promises: [Promise<T>]) -> Guarantee<[Result<T>]> {
  let outcomes = Untyped.allSettled(promises.map(\.untyped))
  return Guarantee<[Swift.Result<Any, any Error>]>(trusting: outcomes).map(on: nil) { $0.map { Result($0) } }
}

/// The same for promises that are written down one by one.
public func when<T>(resolved promises: Promise<T>...) -> Guarantee<[Result<T>]> { when(resolved: promises) }

/// Fulfilled with the values of all, in order.
public func when<T>(guarantees: [Guarantee<T>]) -> Guarantee<[T]> {
  Guarantee(trusting: when(fulfilled: guarantees).untyped)
}

/// Fulfilled when all are.
public func when(guarantees: [Guarantee<Void>]) -> Guarantee<Void> {
  Guarantee(trusting: when(fulfilled: guarantees).untyped)
}

/// The same for guarantees that are written down one by one.
public func when(_ guarantees: Guarantee<Void>...) -> Guarantee<Void> { when(guarantees: guarantees) }

/// Settled as the first that settles. Without promises it is rejected with ``PMKError/badInput``.
public func race<U: Thenable>(_ promises: [U]) -> Promise<U.T> {
  promises.isEmpty
    ? Promise(error: PMKError.badInput) : Promise(trusting: .race(promises.map(\.untyped)))
}

/// The same for promises that are written down one by one.
public func race<U: Thenable>(_ promises: U...) -> Promise<U.T> { race(promises) }

/// Fulfilled as the first that is.
public func race<T>(_ guarantees: Guarantee<T>...) -> Guarantee<T> {
  Guarantee(trusting: race(guarantees).untyped)
}

/// Fulfilled with the first value; rejected with ``PMKError/noWinner`` if there is none.
public func race<U: Thenable>(fulfilled promises: [U]) -> Promise<U.T> {
  let first = Untyped.any(promises.map(\.untyped))
  return Promise(trusting: first.rescue(nil, nil, .allErrors) { _ in throw PMKError.noWinner })
}

/// Takes promises from an iterator, at most `concurrently` of which, and no more than a thousand, are pending
/// at a time. Fulfilled with their values in order, rejected with the first reason, or with
/// ``PMKError/badInput`` for a limit below one.
///
/// The iterator's `next` runs on `conf.Q.map` (a queue in front of it), soon after this call has returned; in
/// PromiseKit its first calls come before. After a rejection it is not called any more, and the promises that
/// are pending are cancelled unless somebody else wants them. In PromiseKit they go on.
public func when<Iterator: IteratorProtocol>(
  fulfilled iterator: Iterator, concurrently: Int
) -> Promise<[Iterator.Element.T]> where Iterator.Element: Thenable {
  guard concurrently > 0 else { return Promise(error: PMKError.badInput) }
  var iterator = iterator
  let taking = Taking { iterator.next()?.untyped }
  let lanes = (0..<min(concurrently, 1000)).map { _ in Untyped.repeat(on: taking.queue) { taking.next() } }
  let result = Untyped()
  // The result follows the lanes and is no child of theirs, so that cancelling it withdraws from them.
  result.bind(Untyped.all(lanes, cancellingInputs: true).thenOn(taking.queue) { _ in taking.found })
  return Promise<[Any]>(trusting: result).map(on: nil) { try $0.map { try cast($0) } }
}
