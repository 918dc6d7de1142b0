// Whether an error says that something was cancelled.

extension Error {
  /// Whether this error says that something was cancelled: `CancellationError` and
  /// ``PromiseError/cancelled(reason:)``.
  ///
  /// For a handler that makes up for failures, and must not make up for a cancellation: one that tries again,
  /// say. The question is about the error, not about the promise: a promise may be cancelled with any error,
  /// and a handler that throws one of these cancels nobody.
  public var isCancellation: Bool { PromiseError.isCancellation(self) }
}
