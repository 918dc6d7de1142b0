// The other names that a source file finds with `import PromiseKitTypes` alone, in place of `import
// PromiseKit`.

public import Dispatch
public import DynamicPromise
import Synchronization

/// The errors with which DynamicPromise itself rejects.
public typealias PromiseError = DynamicPromise.PromiseError

/// An error type some of whose values mean a cancellation, as in PromiseKit.
public typealias CancellableError = DynamicPromise.CancellableError

/// PromiseKit's settings, for the whole process. Each step reads them when it is added.
public var conf: PMKConfiguration {
  get { configuration.withLock { $0 } }
  set { configuration.withLock { $0 = newValue } }
}

private let configuration = Mutex(PMKConfiguration())

/// What `conf` holds.
public struct PMKConfiguration: Sendable {
  /// The queues of closures that name none: `map` for steps that go on, `return` for those that end a chain.
  /// `nil` is the stack that settles the promise.
  public var Q: (map: DispatchQueue?, return: DispatchQueue?) = (map: .main, return: .main)
  /// Which rejections `catch` and `recover` are called for if they do not say.
  public var catchPolicy = CatchPolicy.allErrorsExceptCancellation
  /// Called by `cauterize` with the rejection, on `Q.return`. Prints a line unless it is set.
  public var logHandler: @Sendable (LogEvent) -> Void = { print("PromiseKitTypes: \($0)") }
}

/// What is logged: rejections that `cauterize` has ended. The other events are never logged; they are errors
/// here: `PromiseError.wouldDeadlock` and `PromiseError.broken`.
public enum LogEvent: Sendable {
  case waitOnMainThread, pendingPromiseDeallocated, pendingGuaranteeDeallocated
  case cauterized(any Error)
}

/// Which rejections a handler is called for.
public enum CatchPolicy: Sendable {
  /// All of them.
  case allErrors
  /// All but those whose error means a cancellation (`Error.isCancelled`).
  case allErrorsExceptCancellation

  func covers(_ error: any Error) -> Bool { self == .allErrors || !error.isCancellation }
}

/// The errors with which the operators of this library reject, besides `PromiseError`.
public enum PMKError: CancellableError, @unchecked Sendable {
  /// PromiseKit's name for a promise that waits for itself; here that rejects with `PromiseError.cycle`.
  case returnedSelf
  /// A race of nobody, or a limit of less than one at a time.
  case badInput
  /// What one rejects with to say that the task was cancelled.
  case cancelled
  /// The closure of `compactMap` was given the first, and returned no value of the second, a type.
  case compactMap(Any, Any.Type)
  /// `firstValue` or `lastValue` of a sequence that has no such element.
  case emptySequence
  /// All promises of `race(fulfilled:)` were rejected.
  case noWinner
  /// A callback had neither a value nor an error.
  case invalidCallingConvention

  /// Whether it is `cancelled`.
  public var isCancelled: Bool { if case .cancelled = self { true } else { false } }
}

extension Error {
  /// Whether the error means a cancellation. The same as `isCancellation`: with `DynamicPromiseFoundation` in
  /// the program also `URLError.cancelled` and `CocoaError.userCancelled`.
  public var isCancelled: Bool { isCancellation }
}

/// The marker that PromiseKit's additions to other classes take, as in `queue.async(.promise) { ... }`.
public enum PMKNamespacer: Sendable {
  case promise
}

/// An outcome. Like PromiseKit's it hides Swift's `Result`, which is then written `Swift.Result`.
public enum Result<T> {
  case fulfilled(T)
  case rejected(any Error)

  /// Whether there is a value.
  public var isFulfilled: Bool { if case .fulfilled = self { true } else { false } }

  /// A value of another type is a `typeMismatch`.
  init(_ outcome: Swift.Result<Any, any Error>) {
    do { self = .fulfilled(try cast(outcome.get())) } catch { self = .rejected(error) }
  }
}

extension Result: Sendable where T: Sendable {}
