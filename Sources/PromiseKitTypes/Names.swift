// The other names for a source file that imports only `PromiseKitTypes`, in place of `PromiseKit`.

public import Dispatch
public import DynamicPromise

/// An error type that declares which of its values mean a cancellation, as in PromiseKit.
public typealias CancellableError = DynamicPromise.CancellableError

/// PromiseKit's settings, for the whole process. A step reads the settings when it is added.
public var conf: PMKConfiguration {
  get { configuration.with { $0 } }
  set {
    // The former settings are released without the lock, because releasing `logHandler` may run a `deinit`
    // that reads `conf`.
    let former = configuration.with { settings in
      defer { settings = newValue }
      return settings
    }
    withExtendedLifetime(former) {}
  }
}

private let configuration = Guarded(PMKConfiguration())

/// The type of `conf`. `logHandler` must be thread-safe, as in PromiseKit, because any thread may call it.
public struct PMKConfiguration: @unchecked Sendable {
  /// The default queues of closures: `map` for steps in the middle of a chain, `return` for the last ones.
  /// `nil` means the stack that settles the promise.
  public var Q: (map: DispatchQueue?, return: DispatchQueue?) = (map: .main, return: .main)
  /// The default policy of `catch` and `recover`.
  public var catchPolicy = CatchPolicy.allErrorsExceptCancellation
  /// Whether a promise stays pending if its resolver is released unused, as in PromiseKit. Otherwise the
  /// promise is rejected with `PromiseError.broken`.
  public var lostPromisesStayPending = false
  /// Called with each event. By default it prints a line.
  public var logHandler: (LogEvent) -> Void = { print(oneLine("PromiseKitTypes: \($0)")) }
}

/// The events for `conf.logHandler`.
public enum LogEvent: Sendable {
  /// `wait()` was called on the main thread.
  case waitOnMainThread
  /// A resolver was released unused. Logged only if `conf.lostPromisesStayPending`.
  case pendingPromiseDeallocated, pendingGuaranteeDeallocated
  /// `cauterize` has ended a chain with this rejection. Logged on `conf.Q.return`.
  case cauterized(any Error)
}

/// The rejections for which a handler is called.
public enum CatchPolicy: Sendable {
  /// All rejections.
  case allErrors
  /// All rejections except cancellations (`Error.isCancelled`).
  case allErrorsExceptCancellation

  /// Returns whether a handler is called for an error; `nil` if the handler is called for all errors.
  var covers: ((any Error) -> Bool)? { self == .allErrors ? nil : { !$0.isCancellation } }

  /// Returns whether a handler for errors of type `E` is called for an error.
  func covers<E: Error>(_: E.Type) -> (any Error) -> Bool {
    { $0 is E && (self == .allErrors || !$0.isCancellation) }
  }
}

/// The marker argument of PromiseKit's additions to other classes, as in `queue.async(.promise) { ... }`.
public enum PMKNamespacer: Sendable {
  case promise
}

/// An outcome. Like PromiseKit's type, it hides Swift's `Result`; write `Swift.Result` for Swift's type.
public enum Result<T> {
  case fulfilled(T)
  case rejected(any Error)

  /// Whether the outcome is a value.
  public var isFulfilled: Bool { if case .fulfilled = self { true } else { false } }

  /// A value of another type becomes a rejection with `typeMismatch`.
  init(_ outcome: Swift.Result<Any, any Error>) {
    do { self = .fulfilled(try cast(outcome.get())) } catch { self = .rejected(error) }
  }
}

extension Result: Sendable where T: Sendable {}
