// `when` for an iterator, which starts the work of the promises that it returns.

import DynamicPromise

/// Requests promises from an iterator, so that at most `concurrently` of them, and no more than a thousand,
/// are pending at a time. The result is fulfilled with the values in order, or rejected with the first
/// reason. A limit below one rejects the result with ``PMKError/badInput``.
///
/// The iterator's `next` runs on `conf.Q.map`, through a serial queue. The first calls are made soon after
/// this function has returned; in PromiseKit, they are made before the function returns. After a rejection
/// `next` is not called again, and the pending promises are cancelled unless they have other consumers. In
/// PromiseKit they continue.
public func when<Iterator: IteratorProtocol>(
  fulfilled iterator: Iterator, concurrently: Int
) -> Promise<[Iterator.Element.T]> where Iterator.Element: Thenable {
  guard concurrently > 0 else { return Promise(error: PMKError.badInput) }
  var iterator = iterator
  let values = taken(concurrently) { iterator.next()?.untyped }
  return Promise<[Any]>(trusting: values).map(on: nil) { try $0.map { try cast($0) } }
}

/// Fulfilled with the outcomes of all promises, in order. After a rejection the other promises continue. A
/// limit below one results in a single outcome, ``PMKError/badInput``.
public func when<Iterator: IteratorProtocol>(
  resolved iterator: Iterator, concurrently: Int
) -> Guarantee<[Result<Iterator.Element.T>]> where Iterator.Element: Thenable {
  guard concurrently > 0 else { return .value([.rejected(PMKError.badInput)]) }
  var iterator = iterator
  let found = taken(concurrently) { iterator.next().map { Untyped.allSettled([$0.untyped]) } }
  return outcomes(
    Guarantee<[[Swift.Result<Any, any Error>]]>(trusting: found).map(on: nil) { $0.flatMap { $0 } })
}

/// Calls `take` until it returns `nil`. Fulfilled with the values of the returned promises, in order.
private func taken(_ limit: Int, _ take: @escaping () -> Untyped?) -> Untyped {
  let taking = Taking(take)
  let lanes = (0..<min(limit, 1000)).map { _ in Untyped.repeat(on: taking.place) { taking.next() } }
  let result = Untyped()
  // The result follows the lanes and is not their child, so that a cancel of the result withdraws from the
  // lanes.
  result.bind(Untyped.all(lanes, cancellingRest: true).thenOn(taking.place) { _ in taking.found })
  return result
}

/// The state that the lanes share. Used in `place` only.
private final class Taking: @unchecked Sendable {
  /// A queue that is serial, even if its target is concurrent.
  let place = PromiseKitTypes.place(serialQueue(on: conf.Q.map), [])
  private let take: () -> Untyped?
  /// The values of the promises, in the order in which `take` returned them.
  private(set) var found: [Any] = []

  init(_ take: @escaping () -> Untyped?) { self.take = take }

  /// The next promise, with a step that stores its value; `nil` after the last promise.
  func next() -> Untyped? {
    guard let promise = take() else { return nil }
    let index = found.count
    found.append(())
    return promise.thenOn(place) { (value: Any) in self.found[index] = value }
  }
}
