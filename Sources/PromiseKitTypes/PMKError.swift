// PromiseKit's errors.

public import DynamicPromise
// With this import, `URLError.cancelled` and `CocoaError.userCancelled` count as cancellations.
import DynamicPromiseFoundation
public import Foundation

/// The errors with which the operators of this library reject, besides `PromiseError`.
public enum PMKError: CancellableError, @unchecked Sendable {
  /// Never used by this library: a promise that waits for itself is rejected with `PromiseError.cycle`.
  case returnedSelf
  /// A race without promises, or a limit below one for `concurrently`.
  case badInput
  /// The error to reject with if a task was cancelled.
  case cancelled
  /// The closure of `compactMap` returned `nil`. Contains the closure's input and its result type.
  case compactMap(Any, Any.Type)
  /// A synonym of `compactMap` in PromiseKit. Never used by this library.
  case flatMap(Any, Any.Type)
  /// A sequence has no element for `firstValue` or `lastValue`.
  case emptySequence
  /// All promises of `race(fulfilled:)` were rejected.
  case noWinner
  /// A callback had neither a value nor an error.
  case invalidCallingConvention

  /// Whether the error is `cancelled`.
  public var isCancelled: Bool { if case .cancelled = self { true } else { false } }
}

extension PMKError: CustomDebugStringConvertible {
  /// PromiseKit's text, because programs may compare it.
  public var debugDescription: String {
    switch self {
    case .returnedSelf: "A promise handler returned itself"
    case .badInput: "Bad input was provided to a PromiseKit function"
    case .cancelled: "The asynchronous sequence was cancelled"
    case .compactMap(let value, let type): "Could not `compactMap<\(type)>`: \(value)"
    case .flatMap(let value, let type): "Could not `flatMap<\(type)>`: \(value)"
    case .emptySequence: "The first or last element was requested for an empty sequence"
    case .invalidCallingConvention:
      "A closure was called with an invalid calling convention, probably (nil, nil)"
    case .noWinner: "All thenables passed to race(fulfilled:) were rejected"
    }
  }
}

extension PMKError: LocalizedError {
  /// The text of `debugDescription`.
  public var errorDescription: String? { debugDescription }
}

extension Error {
  /// Whether the error means a cancellation, like `isCancellation`. Such errors are `PMKError.cancelled`,
  /// `CancellationError`, `URLError.cancelled`, `CocoaError.userCancelled`, and any other `CancellableError`
  /// whose `isCancelled` is true.
  public var isCancelled: Bool { isCancellation }
}
