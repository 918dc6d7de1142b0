// What can be asked of a promise.

extension Promise {
  /// Neither fulfilled nor rejected yet.
  public var isPending: Bool { !isSettled }

  /// Fulfilled or rejected, for good.
  public var isSettled: Bool { State.isSettled(word.peek()) }

  /// Has a value.
  public var isFulfilled: Bool { word.peek() & State.mask == State.fulfilled }

  /// Has a reason; cancelled promises are rejected, too.
  public var isRejected: Bool { word.peek() & State.mask == State.rejected }

  /// Cancelled by message, or rejected with an error that says that it is a cancellation: `CancellationError` or
  /// ``PromiseError/cancelled(reason:)`` (C1, C7).
  public var isCancelled: Bool {
    let bits = word.peek()
    if bits & State.told != 0 { return true }
    guard let reason else { return false }
    return PromiseError.isCancellation(reason)
  }

  /// The outcome, or `nil` while pending. Reading a rejection counts as observing it (L5).
  public var result: Result<Any, any Error>? {
    switch outcome {
    case .value(let value):
      return .success(value)
    case .reason(let reason):
      markObserved()
      return .failure(reason)
    default:
      return nil
    }
  }

  /// Rejected, and somebody has handled, forwarded, adopted or read that, or had registered to do so (L5). Asking does not
  /// count.
  package var isRejectionObserved: Bool {
    let bits = word.peek()
    return bits & State.mask == State.rejected && bits & State.observed != 0
  }

  /// The nearest ancestor that still exists: the parent while this promise is pending; afterwards the parent if somebody
  /// holds it, else the next one up (L3). `nil` for a root.
  public var parent: Promise? {
    let parent = nearestAncestor
    if parent != nil, word.peek() & State.mask == State.lockedIn { standForItself() }
    return parent
  }

  /// The topmost ancestor that still exists; the promise itself if it has none.
  public var root: Promise {
    var promise = self
    while let parent = promise.parent { promise = parent }
    return promise
  }
}

extension Promise: CustomStringConvertible {
  /// The state, and the outcome once settled. Does not look at relatives.
  public var description: String {
    let bits = word.peek()
    switch outcome {
    case .value(let value): return "Promise(fulfilled: \(value))"
    case .reason(let reason):
      return bits & State.told != 0 ? "Promise(cancelled: \(reason))" : "Promise(rejected: \(reason))"
    default: return "Promise(pending)"
    }
  }
}
