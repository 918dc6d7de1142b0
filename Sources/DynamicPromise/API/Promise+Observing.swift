// Observers are called with an outcome and do not change it. (The three names are FutureKit's.)

extension Promise {
  /// Calls `body` with the value if the promise is fulfilled, on `context`; `nil` means this promise's
  /// default context. Returns this promise; no promise waits for `body`.
  ///
  /// An observer retains the promise until it has settled, so `load().onSuccess { ... }` works as a
  /// statement, like `load().then { ... }`. It is not a consumer: it does not prevent a cancel, and cannot be
  /// cancelled. Observers are scheduled in the order of their registration.
  @discardableResult
  public func onSuccess(
    on context: (any ExecutionContext)? = nil, _ body: @escaping @Sendable (Any) -> Void
  ) -> Self {
    addObserver(on: ContextRef(context)) { _, outcome in
      guard outcome.isFulfilled else { return nil }
      return { body(outcome.value) }
    }
  }

  /// Calls `body` with the value if the promise is fulfilled with a `V`. A closure without a parameter is
  /// called for every value. Otherwise like `onSuccess` with an untyped value.
  @discardableResult
  public func onSuccess<V>(
    on context: (any ExecutionContext)? = nil, _ body: (@Sendable (V) -> Void)?
  ) -> Self {
    addObserver(on: ContextRef(context)) { _, outcome in
      guard let body, outcome.isFulfilled, let value = try? Wrap.argument(outcome.value) as V else {
        return nil
      }
      let box = UncheckedBox<V>(value)
      return { body(box.value) }
    }
  }

  /// Calls `body` with the reason if the promise is rejected and `isCancelled` is `false`. Otherwise like
  /// `onSuccess`. The rejection counts as observed, so it is not reported as unhandled.
  @discardableResult
  public func onFail(
    on context: (any ExecutionContext)? = nil, _ body: @escaping @Sendable (any Error) -> Void
  ) -> Self {
    onRejection(ofKind: false, on: ContextRef(context)) { reason in { body(reason) } }
  }

  /// Calls `body` with the reason if the reason is an `E`, as in a typed `catch`, and `isCancelled` is
  /// `false`. A reason of another type does not count as observed.
  @_disfavoredOverload
  @discardableResult
  public func onFail<E>(
    on context: (any ExecutionContext)? = nil, _ body: @escaping @Sendable (E) -> Void
  ) -> Self {
    onRejection(ofKind: false, on: ContextRef(context)) { reason in
      guard let expected = try? Wrap.expected(reason) as E else { return nil }
      let box = UncheckedBox(expected)
      return { body(box.value) }
    }
  }

  /// Calls `body` with the reason if `isCancelled` is `true`. Otherwise like `onSuccess`; the rejection
  /// counts as observed. The task that settles the promise uses ``Resolver/onCancel(_:)``.
  @discardableResult
  public func onCancel(
    on context: (any ExecutionContext)? = nil, _ body: @escaping @Sendable (any Error) -> Void
  ) -> Self {
    onRejection(ofKind: true, on: ContextRef(context)) { reason in { body(reason) } }
  }

  /// Like `onCancel` with a reason.
  @discardableResult
  public func onCancel(
    on context: (any ExecutionContext)? = nil, _ body: @escaping @Sendable () -> Void
  ) -> Self {
    onRejection(ofKind: true, on: ContextRef(context)) { _ in body }
  }

  func onRejection(
    ofKind isCancelled: Bool, on context: ContextRef?,
    _ job: @escaping @Sendable (any Error) -> OutcomeObserver.Job?
  ) -> Self {
    addObserver(on: context) { promise, outcome in
      guard let reason = outcome.reason, let job = job(reason),
        promise.isCancelled(with: reason) == isCancelled
      else { return nil }
      promise.lock.with { _ = promise.flags.insert(.observed) }
      return job
    }
  }

  /// Calls `body` on the stack that settles this promise. A rejection does not count as observed.
  package func whenSettled(_ body: @escaping @Sendable () -> Void) {
    let turn = Turn.current
    observe(OutcomeObserver(nil, retaining: nil) { _, _ in body }, turn)
    turn.drain()
  }

  /// - Parameter context: `nil` for the promise's default context.
  func addObserver(on context: ContextRef?, _ job: @escaping OutcomeObserver.Choice) -> Self {
    let observer = OutcomeObserver(context ?? defaultContext, retaining: self, job)
    let turn = Turn.current
    observe(observer, turn)
    turn.drain()
    return self
  }
}

/// Observes a promise on behalf of a closure.
final class OutcomeObserver: Observer {
  typealias Job = @Sendable () -> Void
  /// Returns the job for an outcome; `nil` for no job.
  typealias Choice = @Sendable (Core, Outcome) -> Job?

  /// `nil` for a job that is called like a hook.
  private let context: ContextRef?
  private let choice: Choice
  /// The observed promise, until it has settled. Used by the registering, then by the settling thread.
  @exclusivity(unchecked) private var retained: Promise?

  init(_ context: ContextRef?, retaining promise: Promise?, _ choice: @escaping Choice) {
    self.context = context
    retained = promise
    self.choice = choice
    super.init(isConsumer: false)
  }

  override func settled(_ promise: Core, with outcome: Outcome, _ turn: Turn) {
    if let retained = retained.take() { turn.release(retained) }
    guard let job = choice(promise, outcome) else { return }
    if let context { context.schedule(.observer(job), turn) } else { turn.call(job) }
  }
}
