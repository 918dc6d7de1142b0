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

/// What `conf` holds. `logHandler` may be called on any thread; what it captures is its author's care, as it
/// is with PromiseKit.
public struct PMKConfiguration: @unchecked Sendable {
  /// The queues of closures that name none: `map` for steps that go on, `return` for those that end a chain.
  /// `nil` is the stack that settles the promise.
  public var Q: (map: DispatchQueue?, return: DispatchQueue?) = (map: .main, return: .main)
  /// Which rejections `catch` and `recover` are called for if they do not say.
  public var catchPolicy = CatchPolicy.allErrorsExceptCancellation
  /// Called with what is worth a line in a log. Prints one unless it is set.
  public var logHandler: (LogEvent) -> Void = { print("PromiseKitTypes: \($0)") }
}

/// What `conf.logHandler` is called with.
public enum LogEvent: Sendable {
  /// `wait()` was called on the main thread.
  case waitOnMainThread
  /// Never logged: a resolver that is lost rejects its promise with `PromiseError.broken`.
  case pendingPromiseDeallocated, pendingGuaranteeDeallocated
  /// `cauterize` has ended a chain with this rejection. Logged on `conf.Q.return`.
  case cauterized(any Error)
}

/// Which rejections a handler is called for.
public enum CatchPolicy: Sendable {
  /// All of them.
  case allErrors
  /// All but those whose error means a cancellation (`Error.isCancelled`).
  case allErrorsExceptCancellation

  /// Whether a handler is called for a rejection; `nil` for one that is called for all.
  var covers: ((any Error) -> Bool)? { self == .allErrors ? nil : { !$0.isCancellation } }

  /// The same for a handler of one type of error.
  func covers<E: Error>(_: E.Type) -> (any Error) -> Bool {
    { $0 is E && (self == .allErrors || !$0.isCancellation) }
  }
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
