// Foundation's errors that mean a cancellation.

import DynamicPromise
import Foundation

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

extension URLError: CancellableError {
  /// Whether the transfer was cancelled: the code `cancelled`.
  public var isCancelled: Bool { code == .cancelled }
}

extension CocoaError: CancellableError {
  /// Whether the user cancelled the operation: the code `userCancelled`.
  public var isCancelled: Bool { code == .userCancelled }
}

// For errors from Objective-C, or of unknown type.
extension NSError: ForeignError {
  /// Whether this is `NSURLErrorCancelled` or `NSUserCancelledError` in its domain.
  package var meansCancellation: Bool {
    switch domain {
    case NSURLErrorDomain: code == URLError.Code.cancelled.rawValue
    case NSCocoaErrorDomain: code == CocoaError.Code.userCancelled.rawValue
    default: false
    }
  }
}
