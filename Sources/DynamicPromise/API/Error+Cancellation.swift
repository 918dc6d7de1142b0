// Whether an error says that something was cancelled.

/// An error type some of whose values mean that something was cancelled: a transfer that was stopped, a
/// dialogue that was closed. A promise that is rejected with such a value has `isCancelled == true`.
///
///     enum DialogueError: CancellableError {
///       case closed, invalidInput
///       var isCancelled: Bool { self == .closed }
///     }
///
/// Such an error is no request to cancel: the promise's children are not cancelled, and a `catch` recovers
/// as from any other error. (The protocol's name and meaning are PromiseKit's.)
public protocol CancellableError: Error {
  /// Whether this value means a cancellation. Called on any thread, with nothing locked.
  var isCancelled: Bool { get }
}

extension Error {
  /// Whether this error means that something was cancelled: `CancellationError`,
  /// ``PromiseError/cancelled(reason:)``, or a ``CancellableError`` whose `isCancelled` is true. With
  /// `DynamicPromiseFoundation` also `URLError.cancelled` and `CocoaError.userCancelled`.
  ///
  /// For handlers that make up for failures, and must not make up for a cancellation: one that tries
  /// again, say. The question is about the error and not about a promise: a promise may be cancelled with
  /// any error, and a handler that throws one of these cancels no promise.
  public var isCancellation: Bool { PromiseError.isCancellation(self) }
}
