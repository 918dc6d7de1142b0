/// The library's own errors. A reason that is not an `Error` is wrapped, and keeps its identity: `reject("no
/// such user")` rejects with `rejected(reason: "no such user")`.
public enum PromiseError: Error, @unchecked Sendable {
  /// The promise was resolved with itself, directly or through a chain of followers.
  case cycle
  /// Rejected with a value that is not an `Error`.
  case rejected(reason: Any)
  /// Cancelled with a value that is not an `Error`.
  case cancelled(reason: Any)
  /// ``timeout``, with the place of the promise that took too long, as text, if a name or an origin is known.
  case timeoutBelow(String?)
  /// ``broken``, with the place where the promise was made, for promises that were made with a resolver.
  case brokenAt(Promise.Origin?)
  /// A typed handler received a value of another type. `index` is the wrong part of the value, if the value
  /// has parts. `at` is the handler's line, in debug builds.
  case typeMismatch(expected: Any.Type, found: Any.Type, index: Part? = nil, at: Promise.Origin? = nil)
  /// A blocking wait could never end, because the promise needs a handler that cannot run before the waiting
  /// thread returns. Thrown by `get`; the library rejects no promise with this error.
  case wouldDeadlock
  /// No input of `any` was fulfilled, or `race` had none. The array has the reasons.
  case noneFulfilled([any Error])

  /// The promise can no longer be resolved: its resolver was deallocated, or the job of its handler was
  /// dropped. Matches any place; the pattern `PromiseError.brokenAt(let origin)` binds it.
  public static var broken: PromiseError { .brokenAt(nil) }

  /// The time limit of `setTimeout`, `timeout` or `get(timeout:)` has passed. Matches any promise; the
  /// error's text identifies the promise that took too long, if that promise is known.
  public static var timeout: PromiseError { .timeoutBelow(nil) }

  /// Matches an error with the pattern ``broken`` or ``timeout``. Patterns of cases match the other errors.
  public static func ~= (pattern: PromiseError, error: Any) -> Bool {
    switch (pattern, error as? PromiseError) {
    case (.brokenAt(nil), .brokenAt?), (.timeoutBelow(nil), .timeoutBelow?): true
    default: false
    }
  }

  /// Adds a landmark for `source`, which took too long, to a timeout. Returns any other error unchanged.
  static func naming(_ source: Promise?, in error: any Error, _ turn: Turn) -> any Error {
    guard let source else { return error }
    defer { turn.release(source) }
    guard case .timeoutBelow(nil)? = error as? PromiseError else { return error }
    return PromiseError.timeoutBelow(source.core.lock.with { source.core.nearestLandmark }.map { "\($0)" })
  }

  /// A reason as an error: the reason itself if it is an `Error`, otherwise wrapped.
  static func asError(_ reason: Any) -> any Error {
    Resolution.error(in: reason) ?? PromiseError.rejected(reason: reason)
  }

  /// A cancellation's reason as an error.
  static func asCancellation(_ reason: Any) -> any Error {
    Resolution.error(in: reason) ?? PromiseError.cancelled(reason: reason)
  }

  /// The value that `reject` or `cancel` has wrapped, or the error itself.
  static func unwrapped(_ error: any Error) -> Any {
    switch error as? PromiseError {
    case .rejected(let reason), .cancelled(let reason): reason
    default: error
    }
  }

  /// Whether an error means a cancellation.
  static func isCancellation(_ error: any Error) -> Bool {
    if error is CancellationError { return true }
    if let error = error as? PromiseError {
      if case .cancelled = error { return true }
      return false
    }
    guard let error = error as? any CancellableError else {
      return (error as? any ForeignError)?.meansCancellation == true
    }
    let turn = Turn.current
    let outer = turn.enter(.getter)
    defer { turn.leave(outer) }
    return error.isCancelled
  }
}

extension PromiseError: CustomStringConvertible {
  /// A short text, made without Foundation.
  public var description: String { text(nesting: 0) }

  /// Of nested errors, only the outer three are listed, because a text of all might overflow the stack.
  private func text(nesting: Int) -> String {
    switch self {
    case .cycle: "a promise was resolved with itself"
    case .rejected(let reason): "rejected: \(reason)"
    case .cancelled(let reason): "cancelled: \(reason)"
    case .timeoutBelow(let place): "timed out" + (place.map { ", \($0)" } ?? "")
    case .brokenAt(let origin):
      "broken: the promise can no longer be resolved" + (origin.map { " (made at \($0))" } ?? "")
    case .typeMismatch(let expected, let found, let index, let place):
      "type mismatch\(index?.number.map { " at index \($0)" } ?? ""): expected \(expected), "
        + "found \(Self.name(of: found))"
        + (index?.element.map { ": \($0)" } ?? "")
        + (found == Void.self ? "; does the handler before it return nothing, or forget a return?" : "")
        + (place.map { " (handler at \($0))" } ?? "")
    case .wouldDeadlock:
      "would deadlock: the promise needs a handler that cannot run before this thread returns; "
        + "do not block here: return the promise from the handler, use then, or await its value"
    case .noneFulfilled(let errors):
      "none of \(errors.count) was fulfilled"
        + (nesting < 3
          ? ": [\(Self.list(errors) { ($0 as? PromiseError)?.text(nesting: nesting + 1) ?? "\($0)" })]" : "")
    }
  }

  /// A value of an optional type does not match only if it is `nil`.
  static func name(of found: Any.Type) -> String {
    found is any OptionalValue.Type ? "nil" : "\(found)"
  }

  /// The first ten errors in one line.
  package static func list(_ errors: [any Error], _ text: (any Error) -> String) -> String {
    let texts = errors.prefix(10).map { oneLine(text($0)) }
    return (errors.count > 10 ? texts + ["\(errors.count - 10) more"] : texts).joined(separator: ", ")
  }
}
