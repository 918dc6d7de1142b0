/// The suite's view of a promise implementation: how to make a promise, settle it and call its `then`.
///
/// Two functions are required, `pending()` and `then`. Everything else has a default that fits an
/// implementation which follows Promises/A+ throughout; `ConformanceTests/README.md` shows a complete
/// adapter.
///
/// Values, reasons and handler results have the type `Any`. A handler may return a `P`, or a result of
/// ``thenable(_:)``, which the implementation resolves as clause 2.3 says.
///
/// The suite calls an adapter from several threads at once.
public protocol PromiseAdapter: Sendable {
  /// The promise type under test; a class or a value that refers to one.
  associatedtype P

  /// A pending promise, and the functions that settle it.
  func pending() -> Deferred<P>

  /// Registers handlers; either may be absent. Returns the promise for their outcome.
  ///
  /// A handler for rejections is called with the reason as the implementation passes it (see
  /// ``reason(from:)``).
  func then(_ promise: P, _ onFulfilled: Handler?, _ onRejected: Handler?) -> P

  /// A promise that is already fulfilled with `value`. By default a pending one, fulfilled at once.
  func fulfilled(_ value: Any) -> P

  /// A promise that is already rejected with `reason`. By default a pending one, rejected at once.
  func rejected(_ reason: Any) -> P

  /// Registers `onFulfilled` with the other handler *left out* of the call, if the implementation allows
  /// that. By default `then(promise, onFulfilled, nil)`.
  func thenOnly(_ promise: P, _ onFulfilled: @escaping Handler) -> P

  /// Registers `onRejected` with the other handler *left out* of the call, if the implementation allows that.
  /// By default `then(promise, nil, onRejected)`.
  func catchOnly(_ promise: P, _ onRejected: @escaping Handler) -> P

  /// Makes something that the implementation recognizes as a thenable. Its `then` is whatever
  /// ``ThenableSource/readThen()`` returns or throws at each read; `nil` means "not a function".
  ///
  /// Needed for ``Capabilities/thenables``. The result must have the source in a stored property (or enum
  /// payload), by which the suite recognizes it.
  func thenable(_ source: ThenableSource) -> Any

  /// The original reason, from the argument of a rejection handler. An implementation that wraps reasons
  /// which are not `Error`s unwraps them here. By default the argument itself.
  func reason(from received: Any) -> Any

  /// An error to throw for a reason that is not an `Error`, wrapped like the implementation's reasons. By
  /// default a ``ThrownReason``.
  func error(for reason: Any) -> any Error

  /// Whether `reason` is the implementation's reason for a promise that would wait for itself. By default
  /// any `Error`.
  func isCycleError(_ reason: Any) -> Bool

  /// The abilities of the implementation's types. By default all.
  var capabilities: Capabilities { get }

  /// How the order of handlers (2.2.6) can be observed. By default in their bodies.
  var handlerOrder: HandlerOrder { get }

  /// The adapter for promises whose handlers run on `context` and nowhere else, their descendants' included:
  /// each in a job that is given to ``SteppedContext/enqueue(_:)``. `nil`, the default, if the implementation
  /// cannot run handlers on a context of its user's. Needed for random programs (``ProgramRun``).
  func on(_ context: SteppedContext) -> Self?

  /// Whether all promises share one queue of jobs, which cannot be replaced for some of them. Random programs
  /// then use one context. By default `false`.
  var hasOneContext: Bool { get }

  /// The combinators, for the chapter on ECMAScript's. By default none.
  var combinators: Combinators<P> { get }

  /// How promises are cancelled, for the chapter on cancellation. By default not at all.
  var cancellation: Cancellation<P> { get }

  /// Returns when all due handlers have run. If it is `nil`, the default, the suite relies on order
  /// instead: it registers later handlers on the same context and waits for them.
  var quiesce: (@Sendable () -> Void)? { get }
}

/// A handler as the suite passes it to an implementation.
public typealias Handler = @Sendable (_ valueOrReason: Any) throws -> Any

/// The defaults: those of an implementation that follows Promises/A+ throughout.
extension PromiseAdapter {
  /// A pending promise that is fulfilled at once.
  public func fulfilled(_ value: Any) -> P {
    let deferred = pending()
    deferred.fulfill(value)
    return deferred.promise
  }

  /// A pending promise that is rejected at once.
  public func rejected(_ reason: Any) -> P {
    let deferred = pending()
    deferred.reject(reason)
    return deferred.promise
  }

  /// The other handler as `nil`.
  public func thenOnly(_ promise: P, _ onFulfilled: @escaping Handler) -> P {
    then(promise, onFulfilled, nil)
  }

  /// The other handler as `nil`.
  public func catchOnly(_ promise: P, _ onRejected: @escaping Handler) -> P {
    then(promise, nil, onRejected)
  }

  /// The source itself, which no implementation treats as a thenable.
  public func thenable(_ source: ThenableSource) -> Any { source }

  /// The argument itself.
  public func reason(from received: Any) -> Any { received }

  /// The reason itself if it is an `Error`, otherwise wrapped in a ``ThrownReason``.
  public func error(for reason: Any) -> any Error {
    reason as? any Error ?? ThrownReason(reason)
  }

  /// Accepts any `Error`.
  public func isCycleError(_ reason: Any) -> Bool { reason is any Error }

  /// Everything.
  public var capabilities: Capabilities { .all }

  /// In the handlers' bodies.
  public var handlerOrder: HandlerOrder { .bodies }

  /// `nil`: no context can be chosen.
  public func on(_ context: SteppedContext) -> Self? { nil }

  /// `false`: each promise may have its own.
  public var hasOneContext: Bool { false }

  /// None.
  public var combinators: Combinators<P> { Combinators() }

  /// None.
  public var cancellation: Cancellation<P> { Cancellation() }

  /// None: the suite relies on order.
  public var quiesce: (@Sendable () -> Void)? { nil }
}

/// A pending promise and the functions that settle it.
///
/// Unchecked, because `P` need not be Sendable: the suite uses promises on several threads, as their users
/// do.
public struct Deferred<P>: @unchecked Sendable {
  /// The promise.
  public let promise: P
  /// Runs the resolution procedure with its argument. An implementation without one passes `fulfill`
  /// and leaves ``Capabilities/resolve`` out.
  public let resolve: @Sendable (Any) -> Void
  /// Fulfills the promise with its argument, verbatim.
  public let fulfill: @Sendable (Any) -> Void
  /// Rejects the promise.
  public let reject: @Sendable (Any) -> Void

  /// Makes one of its four parts.
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

/// A reason that is not an `Error`, wrapped so that Swift can throw it. The suite unwraps it itself.
public struct ThrownReason: Error, @unchecked Sendable {
  /// The reason.
  public let reason: Any

  /// Wraps a reason.
  public init(_ reason: Any) { self.reason = reason }
}
