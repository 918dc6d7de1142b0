// `when` and `race` combine several promises.

public import DynamicPromise

/// Fulfilled with the values of all inputs, `[Any]` in their order; rejected with the first reason. As for
/// `Promise.all`, a rejection, or a cancel of the result, does not cancel pending inputs.
public func when(fulfilled inputs: some Sequence) -> Promise { .all(inputs) }

/// Fulfilled with both values as a tuple; rejected with the first reason. The values may be the inputs of a
/// handler: `then { (user: User, count: Int) in ... }`.
public func when(fulfilled a: Future, _ b: Future) -> Promise {
  Promise.all([a, b]).then { (all: [Any]) in (all[0], all[1]) }
}

/// Fulfilled with the three values as a tuple; rejected with the first reason.
public func when(fulfilled a: Future, _ b: Future, _ c: Future) -> Promise {
  Promise.all([a, b, c]).then { (all: [Any]) in (all[0], all[1], all[2]) }
}

/// Fulfilled with the four values as a tuple; rejected with the first reason.
public func when(fulfilled a: Future, _ b: Future, _ c: Future, _ d: Future) -> Promise {
  Promise.all([a, b, c, d]).then { (all: [Any]) in (all[0], all[1], all[2], all[3]) }
}

/// Fulfilled with the five values as a tuple; rejected with the first reason.
public func when(fulfilled a: Future, _ b: Future, _ c: Future, _ d: Future, _ e: Future) -> Promise {
  Promise.all([a, b, c, d, e]).then { (all: [Any]) in (all[0], all[1], all[2], all[3], all[4]) }
}

/// Fulfilled with the outcomes of all inputs, `[Result<Any, any Error>]` in their order; never rejected. The
/// same as `Promise.allSettled`.
public func when(resolved inputs: some Sequence) -> Promise { .allSettled(inputs) }

/// Fulfilled with the outcomes of all promises, `[Result<Any, any Error>]` in their order; never rejected.
public func when(resolved inputs: Future...) -> Promise { .allSettled(inputs) }

/// Settles with the outcome of the first input that settles, like `Promise.race`. The other inputs continue.
/// Without inputs, the result is rejected with `PromiseError.noneFulfilled([])`.
public func race(_ inputs: some Sequence) -> Promise { .race(inputs) }

/// Settles with the outcome of the first promise that settles. Without promises, the result is rejected with
/// `PromiseError.noneFulfilled([])`.
public func race(_ inputs: Future...) -> Promise { .race(inputs) }

/// Fulfilled with the first value. If no input is fulfilled, rejected with `PromiseError.noneFulfilled`,
/// which contains all reasons. The same as `Promise.any`.
public func race(fulfilled inputs: some Sequence) -> Promise { .any(inputs) }
