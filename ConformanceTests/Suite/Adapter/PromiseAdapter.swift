/// The suite's view of a promise implementation: making a promise, settling it, and calling its `then`.
///
/// Only `pending()` and `then` are required. The defaults of the other members fit an implementation that
/// follows all of Promises/A+. `ConformanceTests/README.md` shows a complete adapter.
///
/// Values, reasons and handler results have the type `Any`. A handler may return a `P` or a result of
/// ``thenable(_:)``. The implementation resolves both by clause 2.3.
///
/// The suite calls an adapter from several threads at once.
public protocol PromiseAdapter: Sendable {
  /// The promise type under test; a class or a value that refers to one.
  associatedtype P

  /// A pending promise, and the functions that settle it.
  func pending() -> Deferred<P>

  /// Registers handlers and returns the promise for their outcome. Either handler may be absent.
  ///
  /// A rejection handler receives the reason as the implementation passes it; see ``reason(from:)``.
  func then(_ promise: P, _ onFulfilled: Handler?, _ onRejected: Handler?) -> P

  /// Returns a promise that is already fulfilled with `value`. The default fulfills a new pending promise.
  func fulfilled(_ value: Any) -> P

  /// Returns a promise that is already rejected with `reason`. The default rejects a new pending promise.
  func rejected(_ reason: Any) -> P

  /// Registers `onFulfilled`. The call *omits* the other argument, if the implementation allows that. The
  /// default calls `then(promise, onFulfilled, nil)`.
  func thenOnly(_ promise: P, _ onFulfilled: @escaping Handler) -> P

  /// Registers `onRejected`. The call *omits* the other argument, if the implementation allows that. The
  /// default calls `then(promise, nil, onRejected)`.
  func catchOnly(_ promise: P, _ onRejected: @escaping Handler) -> P

  /// Makes a value that the implementation recognizes as a thenable.
  ///
  /// Each read of its `then` must return or throw the result of ``ThenableSource/readThen()``. `nil` means
  /// that `then` is not a function.
  ///
  /// An adapter that declares ``Capabilities/thenables`` must implement this function. The result must keep
  /// the source in a stored property or enum payload, where the suite finds it.
  func thenable(_ source: ThenableSource) -> Any

  /// Returns the original reason from the argument of a rejection handler. An implementation that wraps
  /// non-`Error` reasons unwraps them here. The default returns the argument.
  func reason(from received: Any) -> Any

  /// Returns an error to throw for a reason that is not an `Error`, wrapped as the implementation wraps
  /// reasons. The default is a ``ThrownReason``.
  func error(for reason: Any) -> any Error

  /// Whether the implementation uses `reason` to reject a promise that would wait for itself. The default
  /// accepts any `Error`.
  func isCycleError(_ reason: Any) -> Bool

  /// The abilities of the implementation's types. The default is ``Capabilities/all``.
  var capabilities: Capabilities { get }

  /// The way in which the suite observes the order of handlers (2.2.6). The default is
  /// ``HandlerOrder/bodies``.
  var handlerOrder: HandlerOrder { get }

  /// Returns an adapter whose promises, and all their descendants, run handlers only on `context`.
  ///
  /// Each handler must run in a job that is passed to ``SteppedContext/enqueue(_:)``. Return `nil`, the
  /// default, if users cannot choose the context of handlers. Random programs (``ProgramRun``) need this
  /// function.
  func on(_ context: SteppedContext) -> Self?

  /// Whether all promises share one queue of jobs that cannot be replaced for some of them. If so, random
  /// programs use one context. The default is `false`.
  var hasOneContext: Bool { get }

  /// The implementation's combinators, for the chapter on ECMAScript's combinators. The default has none.
  var combinators: Combinators<P> { get }

  /// A function that returns when all due handlers have run. If it is `nil`, the default, the suite registers
  /// later handlers on the same context and waits for them.
  var quiesce: (@Sendable () -> Void)? { get }
}

/// A handler as the suite passes it to an implementation.
public typealias Handler = @Sendable (_ valueOrReason: Any) throws -> Any

/// The defaults, which fit an implementation that follows all of Promises/A+.
extension PromiseAdapter {
  /// Makes a pending promise and fulfills it at once.
  public func fulfilled(_ value: Any) -> P {
    let deferred = pending()
    deferred.fulfill(value)
    return deferred.promise
  }

  /// Makes a pending promise and rejects it at once.
  public func rejected(_ reason: Any) -> P {
    let deferred = pending()
    deferred.reject(reason)
    return deferred.promise
  }

  /// Passes `nil` for the rejection handler.
  public func thenOnly(_ promise: P, _ onFulfilled: @escaping Handler) -> P {
    then(promise, onFulfilled, nil)
  }

  /// Passes `nil` for the fulfillment handler.
  public func catchOnly(_ promise: P, _ onRejected: @escaping Handler) -> P {
    then(promise, nil, onRejected)
  }

  /// Returns the source itself, which no implementation treats as a thenable.
  public func thenable(_ source: ThenableSource) -> Any { source }

  /// Returns the argument.
  public func reason(from received: Any) -> Any { received }

  /// Returns the reason if it is an `Error`, otherwise a ``ThrownReason`` that wraps it.
  public func error(for reason: Any) -> any Error {
    reason as? any Error ?? ThrownReason(reason)
  }

  /// Accepts any `Error`.
  public func isCycleError(_ reason: Any) -> Bool { reason is any Error }

  /// All capabilities.
  public var capabilities: Capabilities { .all }

  /// The handlers' bodies show the order.
  public var handlerOrder: HandlerOrder { .bodies }

  /// Returns `nil`: users cannot choose the context of handlers.
  public func on(_ context: SteppedContext) -> Self? { nil }

  /// `false`: each promise may have its own queue.
  public var hasOneContext: Bool { false }

  /// No combinators.
  public var combinators: Combinators<P> { Combinators() }

  /// `nil`: the suite waits for later handlers instead.
  public var quiesce: (@Sendable () -> Void)? { nil }
}

/// A pending promise and the functions that settle it.
///
/// The conformance is unchecked, because `P` need not be Sendable. The suite uses promises on several
/// threads, as applications do.
public struct Deferred<P>: @unchecked Sendable {
  /// The promise.
  public let promise: P
  /// Runs the resolution procedure with its argument. An implementation without that procedure passes
  /// `fulfill`, and does not declare ``Capabilities/resolve``.
  public let resolve: @Sendable (Any) -> Void
  /// Fulfills the promise with its argument, unchanged.
  public let fulfill: @Sendable (Any) -> Void
  /// Rejects the promise with its argument.
  public let reject: @Sendable (Any) -> Void

  /// Creates a deferred from its four parts.
  public init(
    promise: P,
    resolve: @escaping @Sendable (Any) -> Void,
    fulfill: @escaping @Sendable (Any) -> Void,
    reject: @escaping @Sendable (Any) -> Void
  ) {
    self.promise = promise
    self.resolve = resolve
    self.fulfill = fulfill
    self.reject = reject
  }
}

/// A reason that is not an `Error`, wrapped so that Swift can throw it. The suite unwraps the reason.
public struct ThrownReason: Error, @unchecked Sendable {
  /// The reason.
  public let reason: Any

  /// Wraps a reason.
  public init(_ reason: Any) { self.reason = reason }
}
