import DynamicPromise
import Foundation

/// Alerts and logs that use `localizedDescription` show the text of `description` instead of a type's name
/// and a number.
extension PromiseError: LocalizedError {
  /// The description. Other inner errors are described by their own `localizedDescription`.
  public var errorDescription: String? {
    guard case .noneFulfilled(let errors) = self else { return description }
    let list = Self.list(errors, Self.text)
    return "none of \(errors.count) was fulfilled: [\(list)]"
  }

  /// The cause: the argument of `reject` or `cancel`, the two types of a type mismatch, or the first error
  /// of `noneFulfilled`. Otherwise `nil`.
  public var failureReason: String? {
    switch self {
    case .rejected(let reason), .cancelled(let reason): Self.text(of: reason)
    // The description states the event, then the cause.
    case .typeMismatch: description.split(separator: ": ", maxSplits: 1).last.map(String.init)
    case .noneFulfilled(let errors): errors.first.map { Self.list([$0], Self.text) }
    default: nil
    }
  }

  private static func text(of reason: Any) -> String {
    (reason as? PromiseError)?.description ?? (reason as? any Error)?.localizedDescription ?? "\(reason)"
  }
}

/// As an `NSError`, each case has a code that is stable across versions.
extension PromiseError: CustomNSError {
  /// `DynamicPromise.PromiseError`.
  public static var errorDomain: String { "DynamicPromise.PromiseError" }

  /// A number for each case: 1 cycle, 2 rejected, 3 cancelled, 4 timeout, 5 broken, 6 typeMismatch, 7
  /// noneFulfilled, 8 wouldDeadlock. The code of a case without a number is 0.
  public var errorCode: Int {
    // Not a switch, so that a new case does not need a number at once.
    if case .cycle = self { return 1 }
    if case .rejected = self { return 2 }
    if case .cancelled = self { return 3 }
    if case .timeout = self { return 4 }
    if case .broken = self { return 5 }
    if case .typeMismatch = self { return 6 }
    if case .noneFulfilled = self { return 7 }
    if case .wouldDeadlock = self { return 8 }
    return 0
  }

  /// The description, the failure reason if any, and for `noneFulfilled` its first error as the underlying
  /// error.
  public var errorUserInfo: [String: Any] {
    var info: [String: Any] = [NSLocalizedDescriptionKey: errorDescription ?? description]
    info[NSLocalizedFailureReasonErrorKey] = failureReason
    if case .noneFulfilled(let errors) = self, let first = errors.first { info[NSUnderlyingErrorKey] = first }
    return info
  }
}
