/// What this library itself rejects with.
///
/// A reason that is not an `Error` is wrapped: `reject("no such user")` rejects with `rejected(reason: "no
/// such user")`. Reasons keep their identity inside. Sendable under the same rule as values.
public enum PromiseError: Error, @unchecked Sendable {
  /// The promise was resolved with itself, directly or through a chain of adoptions.
  case cycle
  /// Rejected with something that is not an `Error`.
  case rejected(reason: Any)
  /// Cancelled with something that is not an `Error`.
  case cancelled(reason: Any)
  /// The time given to `setTimeout` or `get(timeout:)` was over.
  case timeout
  /// ``broken``, with the place where the promise was made, if it was made together with a resolver.
  case brokenAt(Promise.Origin?)
  /// A typed handler was given a value of another type. With an index it is the part of the value that has
  /// it, for a handler that was to be given the parts (`spread`). `at` is the handler's line, where this
  /// library was built for debugging.
  case typeMismatch(expected: Any.Type, found: Any.Type, index: Int? = nil, at: Promise.Origin? = nil)
  /// A blocking wait that could never end, because the promise needs a handler that cannot run before the
  /// waiting thread returns. Thrown by `get`; no promise is rejected with it.
  case wouldDeadlock
  /// None of the promises given to `any` was fulfilled; their reasons, in order.
  case noneFulfilled([any Error])

  /// Nobody can resolve the promise any more: its resolver, or the job that would have run its handler, is
  /// gone.
  ///
  /// As a pattern (`case PromiseError.broken`) it matches whatever place there is; `case
  /// PromiseError.brokenAt(let origin)` takes the place.
  public static var broken: PromiseError { .brokenAt(nil) }

  /// What makes ``broken`` a pattern. Other errors are matched as the cases that they are, not as values.
  public static func ~= (pattern: PromiseError, error: Any) -> Bool {
    guard case .brokenAt(nil) = pattern, case .brokenAt? = error as? PromiseError else { return false }
    return true
  }

  /// A reason as an error: as it is, or wrapped. A promise or thenable is wrapped like anything else.
  static func asError(_ reason: Any) -> any Error {
    Fact.error(in: reason) ?? PromiseError.rejected(reason: reason)
  }

  /// A cancellation's reason as an error.
  static func asCancellation(_ reason: Any) -> any Error {
    Fact.error(in: reason) ?? PromiseError.cancelled(reason: reason)
  }

  /// Whether an error says by itself that it is a cancellation.
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
    case .typeMismatch(let expected, let found, let index, let place):
      "type mismatch\(index.map { " at index \($0)" } ?? ""): expected \(expected), found \(found)"
        + (found == Void.self ? "; does the handler before it return nothing, or forget a return?" : "")
        + (place.map { " (handler at \($0))" } ?? "")
    case .wouldDeadlock:
      "would deadlock: the promise needs a handler that cannot run before this thread returns; "
        + "do not block here: return the promise from the handler, use then, or await its value"
    case .noneFulfilled(let errors):
      "none of \(errors.count) was fulfilled: [\(errors.map { "\($0)" }.joined(separator: ", "))]"
    }
  }
}
