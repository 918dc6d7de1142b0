import Dispatch
public import DynamicPromise

/// Requests promises from an iterator, so that at most `concurrently` of them are pending at a time. Less
/// than one counts as one, more than a thousand as a thousand. Fulfilled with the values in order, rejected
/// with the first reason.
///
/// The iterator's `next` runs on a separate serial queue, and should start the work of the promise that it
/// returns. Its first calls follow soon after this function has returned; PromiseKit makes them before.
///
/// After a rejection, or when the result is cancelled, `next` is not called any more, and the pending
/// promises are cancelled unless they have other consumers. In PromiseKit they continue.
public func when<Inputs: IteratorProtocol>(fulfilled inputs: sending Inputs, concurrently: Int) -> Promise {
  var inputs = inputs
  let taking = Taking { inputs.next() }
  let lanes = (0..<min(max(concurrently, 1), 1000)).map { _ in
    Promise.repeat(on: taking.queue) { taking.next() }
  }
  let result = Promise()
  // The result follows the lanes and is no child of theirs, so that cancelling it withdraws from them.
  result.bind(
    Promise.all(lanes, cancellingInputs: true).thenOn(taking.queue) { _ in taking.values() })
  return result
}

/// The state that the lanes share. Used on `queue` only.
private final class Taking: @unchecked Sendable {
  let queue = DispatchQueue(label: "PromiseKitNames.when")
  private let take: () -> Any?
  private var found: [Any?] = []

  init(_ take: @escaping () -> Any?) { self.take = take }

  /// The next input, as a promise that stores its value; `nil` after the last input.
  func next() -> Promise? {
    guard let input = take() else { return nil }
    let index = found.count
    found.append(nil)
    return Promise.resolved(input).thenOn(queue) { self.found[index] = .some($0) }
  }

  /// The values in order, when all inputs have one.
  func values() -> [Any] { found.compactMap { $0 } }
}
