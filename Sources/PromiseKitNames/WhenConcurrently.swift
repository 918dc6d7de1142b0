import Dispatch
public import DynamicPromise

/// Takes promises from an iterator, at most `concurrently` of which are pending at a time: fulfilled with
/// their values in order, rejected with the first reason. With less than one it is one.
///
/// The iterator is asked for the next promise, which is the time to begin its work, on a serial queue of its
/// own; the first few begin soon after the call, and in PromiseKit before it returns.
///
/// After a rejection, or when the result is cancelled, the iterator is asked no more, and what is pending is
/// cancelled unless somebody else wants it. In PromiseKit it goes on.
public func when<Inputs: IteratorProtocol>(fulfilled inputs: sending Inputs, concurrently: Int) -> Promise {
  var inputs = inputs
  let taking = Taking { inputs.next() }
  let lanes = (0..<max(concurrently, 1)).map { _ in
    Promise.repeat(on: taking.queue) { taking.next() }
  }
  let result = Promise()
  // Followed and not a child: so that cancelling the result reaches the lanes.
  result.bind(
    Promise.all(lanes, cancellingInputs: true).thenOn(taking.queue) { _ in taking.values() })
  return result
}

/// What the lanes share. Touched on the queue only.
private final class Taking: @unchecked Sendable {
  let queue = DispatchQueue(label: "PromiseKitNames.when")
  private let take: () -> Any?
  private var found: [Any?] = []

  init(_ take: @escaping () -> Any?) { self.take = take }

  /// The next input, as a promise that notes its value; `nil` if there is none left.
  func next() -> Promise? {
    guard let input = take() else { return nil }
    let index = found.count
    found.append(nil)
    return Promise.resolved(input).thenOn(queue) { self.found[index] = .some($0) }
  }

  /// The values in order, when all inputs have one.
  func values() -> [Any] { found.compactMap { $0 } }
}
