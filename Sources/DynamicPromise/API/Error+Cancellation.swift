// Whether an error says that something was cancelled.

/// An error type some of whose values say that something was cancelled: a transfer that was stopped, a
/// dialogue that was closed. A promise that is rejected with such a value reads as cancelled.
///
///     enum DialogueError: CancellableError {
///       case closed, invalidInput
///       var isCancelled: Bool { self == .closed }
///     }
///
/// It is not a request: the promise's children are not cancelled for it, and a `catch` recovers as from any
/// other error. (The protocol's name and meaning are PromiseKit's.)
public protocol CancellableError: Error {
  /// Whether this value says that something was cancelled. Asked from any thread, with nothing locked.
  var isCancelled: Bool { get }
}

extension Error {
  /// Whether this error says that something was cancelled: `CancellationError`,
  /// ``PromiseError/cancelled(reason:)``, and a ``CancellableError`` that says so of itself. With
  /// `DynamicPromiseFoundation` also `URLError.cancelled` and `CocoaError.userCancelled`.
  ///
  /// For a handler that makes up for failures, and must not make up for a cancellation: one that tries again,
  /// say. The question is about the error, not about the promise: a promise may be cancelled with any error,
  /// and a handler that throws one of these cancels nobody.
  public var isCancellation: Bool { PromiseError.isCancellation(self) }
}
