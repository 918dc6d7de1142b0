// Errors that mean a cancellation.

/// An error type with values that mean a cancellation, such as a stopped transfer or a closed dialog. A
/// promise that is rejected with such a value has `isCancelled == true`.
///
///     enum DialogueError: CancellableError {
///       case closed, invalidInput
///       var isCancelled: Bool { self == .closed }
///     }
///
/// Such an error does not cancel the promise's children, and a `catch` recovers from it as from any other
/// error. (PromiseKit has a protocol of the same name and meaning.)
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
  /// ``PromiseError/cancelled(reason:)``, or a ``CancellableError`` whose `isCancelled` is true. With
  /// `DynamicPromiseFoundation`, the property is also true for `URLError.cancelled` and
  /// `CocoaError.userCancelled`.
  ///
  /// Use this property in handlers that recover from failures, but not from a cancellation, such as a retry.
  /// The property describes the error, not a promise. A promise may be cancelled with any error, and a
  /// handler that throws one of these errors cancels no promise.
  public var isCancellation: Bool { PromiseError.isCancellation(self) }
}
