// Errors that mean a cancellation.

/// An error type with values that mean a cancellation, such as a closed dialog. A promise that is rejected
/// with such a value has `isCancelled == true`; its children are not cancelled, and a `catch` recovers as
/// from any other error. (PromiseKit has a protocol of the same name and meaning.)
///
///     enum DialogueError: CancellableError {
///       case closed, invalidInput
///       var isCancelled: Bool { self == .closed }
///     }
public protocol CancellableError: Error {
  /// Whether this value means a cancellation. Called on any thread, without a lock. Must not wait for
  /// handlers or hooks of promises that it settles or cancels: they may run only after it has returned.
  var isCancelled: Bool { get }
}

/// `NSError`, which must not be a `CancellableError`: on Apple systems every error can be cast to `NSError`.
package protocol ForeignError {
  var meansCancellation: Bool { get }
}

extension Error {
  /// Whether this error means that something was cancelled: `CancellationError`,
  /// ``PromiseError/cancelled(reason:)``, or a ``CancellableError`` whose `isCancelled` is true; with
  /// `DynamicPromiseFoundation`, also `URLError.cancelled` and `CocoaError.userCancelled`.
  ///
  /// The property describes the error, not a promise. A promise may be cancelled with any error, and a
  /// handler that throws one of these errors cancels no promise.
  public var isCancellation: Bool { PromiseError.isCancellation(self) }
}
