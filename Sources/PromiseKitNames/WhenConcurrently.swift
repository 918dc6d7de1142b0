import Dispatch
public import DynamicPromise

/// Requests promises from an iterator, so that at most `concurrently` of them are pending at a time. A limit
/// below one counts as one, a limit above a thousand as a thousand. The result is fulfilled with the values
/// in order, or rejected with the first reason.
///
/// The iterator's `next` runs on a separate serial queue, and should start the work of the promise that it
/// returns. The first calls are made soon after this function has returned; in PromiseKit, they are made
/// before the function returns.
///
/// After a rejection, or when the result is cancelled, `next` is not called again, and the pending promises
/// are cancelled unless they have other consumers. In PromiseKit they continue.
public func when<Inputs: IteratorProtocol>(fulfilled inputs: sending Inputs, concurrently: Int) -> Promise {
  var inputs = inputs
  let taking = Taking { inputs.next() }
  let lanes = (0..<min(max(concurrently, 1), 1000)).map { _ in
    Promise.repeat(on: taking.queue) { taking.next() }
  }
  let result = Promise()
  // The result follows the lanes and is not their child, so that a cancel of the result withdraws from the
  // lanes.
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

  /// A promise that stores the value of the next input; `nil` after the last input.
  func next() -> Promise? {
    guard let input = take() else { return nil }
    let index = found.count
    found.append(nil)
    return Promise.resolved(input).thenOn(queue) { self.found[index] = .some($0) }
  }

  /// The values in order, when all inputs have a value.
  func values() -> [Any] { found.compactMap { $0 } }
}
