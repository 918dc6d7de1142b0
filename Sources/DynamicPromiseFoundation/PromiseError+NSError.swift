import DynamicPromise
import Foundation

/// Alerts and logs that ask for `localizedDescription` get the words of `description` instead of a type's
/// name and a number.
extension PromiseError: LocalizedError {
  /// What happened. Errors inside speak for themselves with their own `localizedDescription`.
  public var errorDescription: String? {
    guard case .noneFulfilled(let errors) = self else { return description }
    return "none of \(errors.count) was fulfilled: "
      + "[\(errors.map(\.localizedDescription).joined(separator: ", "))]"
  }
}

/// As an `NSError`, each case has a code that does not change from version to version.
extension PromiseError: CustomNSError {
  /// `DynamicPromise.PromiseError`.
  public static var errorDomain: String { "DynamicPromise.PromiseError" }

  /// A number for each case: 1 cycle, 2 rejected, 3 cancelled, 4 timeout, 5 broken, 6 typeMismatch, 7
  /// noneFulfilled, 8 wouldDeadlock; 0 for those that have none yet.
  public var errorCode: Int {
    // No switch, so that a new case needs no number at once.
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

  /// The description, and for `noneFulfilled` the first of its errors as the underlying one.
  public var errorUserInfo: [String: Any] {
    var info: [String: Any] = [NSLocalizedDescriptionKey: errorDescription ?? description]
    if case .noneFulfilled(let errors) = self, let first = errors.first { info[NSUnderlyingErrorKey] = first }
    return info
  }
}
