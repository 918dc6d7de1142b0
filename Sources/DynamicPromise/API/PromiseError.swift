/// The errors with which this library itself rejects.
///
/// A reason that is not an `Error` is wrapped: `reject("no such user")` rejects with `rejected(reason: "no
/// such user")`. The wrapped value keeps its identity, and is Sendable under the same rule as the value of a
/// promise.
public enum PromiseError: Error, @unchecked Sendable {
  /// The promise was resolved with itself, directly or through a chain of adoptions.
  case cycle
  /// Rejected with something that is not an `Error`.
  case rejected(reason: Any)
  /// Cancelled with something that is not an `Error`.
  case cancelled(reason: Any)
  /// The time given to `setTimeout` or `get(timeout:)` was over.
  case timeout
  /// ``broken``, with the place where the promise was made, if that is known: for promises made together with
  /// a resolver.
  case brokenAt(Promise.Origin?)
  /// A typed handler was given a value of another type. With an index: it was the part of the value at that
  /// index, for a handler that takes several parts (`spread`).
  case typeMismatch(expected: Any.Type, found: Any.Type, index: Int? = nil)
  /// A blocking wait could never end, because the promise needs a handler that cannot run before the waiting
  /// thread returns. Thrown by `get`; no promise is rejected with it.
  case wouldDeadlock
  /// Not enough of the promises given to `any`, `some` or `race` could be fulfilled. The reasons of those
  /// that were rejected.
  case noneFulfilled([any Error])

  /// Nobody can resolve the promise any more: its resolver is gone, or the job that would have run its
  /// handler was dropped.
  ///
  /// The pattern `case PromiseError.broken` matches whatever the place is; `case PromiseError.brokenAt(let
  /// origin)` binds the place.
  public static var broken: PromiseError { .brokenAt(nil) }

  /// Lets ``broken`` be a pattern. Any other error is matched by the pattern of its case.
  public static func ~= (pattern: PromiseError, error: Any) -> Bool {
    guard case .brokenAt(nil) = pattern, case .brokenAt? = error as? PromiseError else { return false }
    return true
  }

  /// A reason as an error: the reason itself, or wrapped. Promises and thenables are wrapped, too.
  static func asError(_ reason: Any) -> any Error {
    Fact.error(in: reason) ?? PromiseError.rejected(reason: reason)
  }

  /// A cancellation's reason as an error.
  static func asCancellation(_ reason: Any) -> any Error {
    Fact.error(in: reason) ?? PromiseError.cancelled(reason: reason)
  }

  /// Whether an error means a cancellation.
  static func isCancellation(_ error: any Error) -> Bool {
    if error is CancellationError { return true }
    if let error = error as? PromiseError {
      if case .cancelled = error { return true }
      return false
    }
    return (error as? any CancellableError)?.isCancelled ?? false
  }
}

extension PromiseError: CustomStringConvertible {
  /// What happened, in a few words; needs no Foundation.
  public var description: String {
    switch self {
    case .cycle: "a promise was resolved with itself"
    case .rejected(let reason): "rejected: \(reason)"
    case .cancelled(let reason): "cancelled: \(reason)"
    case .timeout: "timed out"
    case .brokenAt(let origin):
      "broken: nobody can resolve the promise any more" + (origin.map { " (made at \($0))" } ?? "")
    case .typeMismatch(let expected, let found, let index):
      "type mismatch\(index.map { " at index \($0)" } ?? ""): expected \(expected), found \(found)"
        + (found == Void.self ? "; does the handler before it return nothing, or forget a return?" : "")
    case .wouldDeadlock:
      "would deadlock: the promise needs a handler that cannot run before this thread returns; "
        + "do not block here: return the promise from the handler, use then, or await its value"
    case .noneFulfilled(let errors):
      "none of \(errors.count) was fulfilled: [\(errors.map { "\($0)" }.joined(separator: ", "))]"
    }
  }
}
