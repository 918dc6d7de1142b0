// Observers: closures that hear of an outcome and have no part in it. (The three names are FutureKit's.)

extension Future {
  /// Calls `body` with the value when there is one, on `context`; `nil` for this promise's default context.
  ///
  /// An observer makes no child, and nobody waits for it. It is no reason for the promise to go on: it does
  /// not keep it in memory, is no consumer, and goes unheard with a promise that nobody holds. Hold the
  /// promise, or use `tap` for a step of a chain. It cannot be cancelled. Several are
  /// handed to their context in the order of their registration; their order among the handlers of `then` is
  /// not promised. For what belongs to the main actor there is `onSuccessOnMain`.
  ///
  /// - Returns: This promise.
  @discardableResult
  public final func onSuccess(
    on context: (any ExecutionContext)? = nil, _ body: @escaping @Sendable (Any) -> Void
  ) -> Self {
    addObserver(on: ContextRef(context)) { _, outcome in
      guard outcome.isFulfilled else { return nil }
      return { body(outcome.value) }
    }
  }

  /// The same for a value of type `V`; one of another type is not heard of. A closure that takes nothing
  /// hears of any.
  @_disfavoredOverload
  @discardableResult
  public final func onSuccess<V>(
    on context: (any ExecutionContext)? = nil, _ body: @escaping @Sendable (V) -> Void
  ) -> Self {
    addObserver(on: ContextRef(context)) { _, outcome in
      guard outcome.isFulfilled, let value = try? Wrap.argument(outcome) as V else { return nil }
      let box = UncheckedBox<V>(value)
      return { body(box.value) }
    }
  }

  /// Calls `body` with the reason when the promise is rejected and that is no cancellation: `isCancelled` is
  /// `false`. As `onSuccess` otherwise.
  ///
  /// The rejection counts as observed: whoever takes the reason is not told once more that nobody did. What
  /// `then` makes of this promise has a rejection of its own.
  ///
  /// - Returns: This promise.
  @discardableResult
  public final func onFail(
    on context: (any ExecutionContext)? = nil, _ body: @escaping @Sendable (any Error) -> Void
  ) -> Self {
    onRejection(ofKind: false, on: ContextRef(context)) { reason in { body(reason) } }
  }

  /// The same for reasons of type `E` only: an error of that type, or what `reject` was given and had to wrap
  /// in ``PromiseError/rejected(reason:)``. Another one does not count as observed. A closure that takes
  /// nothing hears of any.
  @_disfavoredOverload
  @discardableResult
  public final func onFail<E>(
    on context: (any ExecutionContext)? = nil, _ body: @escaping @Sendable (E) -> Void
  ) -> Self {
    onRejection(ofKind: false, on: ContextRef(context)) { reason in
      guard let expected = try? Wrap.expected(.rejected(reason)) as E else { return nil }
      let box = UncheckedBox(expected)
      return { body(box.value) }
    }
  }

  /// Calls `body` with the reason when the promise is cancelled, or rejected with an error that says that it
  /// is a cancellation: `isCancelled` is `true`. As `onSuccess` otherwise; the
  /// rejection counts as observed.
  ///
  /// This is for those who watch the promise. Its task hears by ``Resolver/onCancel(_:)``, on the cancelling
  /// stack.
  ///
  /// - Returns: This promise.
  @discardableResult
  public final func onCancel(
    on context: (any ExecutionContext)? = nil, _ body: @escaping @Sendable (any Error) -> Void
  ) -> Self {
    onRejection(ofKind: true, on: ContextRef(context)) { reason in { body(reason) } }
  }

  /// The same for a closure that does not look at the reason.
  @discardableResult
  public final func onCancel(
    on context: (any ExecutionContext)? = nil, _ body: @escaping @Sendable () -> Void
  ) -> Self {
    onRejection(ofKind: true, on: ContextRef(context)) { _ in body }
  }

  final func onRejection(
    ofKind isCancelled: Bool, on context: ContextRef?,
    _ job: @escaping @Sendable (any Error) -> OutcomeObserver.Job?
  ) -> Self {
    addObserver(on: context) { promise, outcome in
      guard let reason = outcome.reason, let job = job(reason), promise.isCancelled == isCancelled else {
        return nil
      }
      promise.markObserved()
      return job
    }
  }

  /// - Parameter context: `nil` for the default one.
  final func addObserver(on context: ContextRef?, _ job: @escaping OutcomeObserver.Choice) -> Self {
    let promise = promise
    let observer = OutcomeObserver(context ?? promise.defaultContext, job)
    let effects = Effects.begin()
    promise.observe(observer, looks: false, effects)
    Driver.perform(effects)
    return self
  }
}

/// Stands among the observers of a promise for a closure that wants to hear of the outcome.
final class OutcomeObserver: Observer {
  typealias Job = @Sendable () -> Void
  /// What there is to do about an outcome; `nil` for nothing.
  typealias Choice = @Sendable (Promise, Outcome) -> Job?

  private let context: ContextRef
  private let choice: Choice

  init(_ context: ContextRef, _ choice: @escaping Choice) {
    self.context = context
    self.choice = choice
    super.init(isConsumer: false)
  }

  override func settled(_ promise: Promise, with outcome: Outcome, _ effects: Effects) {
    guard let job = choice(promise, outcome) else { return }
    // A context may run what it is given twice, or keep it for longer than it takes.
    let once = Guarded<Job?>(job)
    effects.add(.call([{ [context] in context.execute { once.with { $0.take() }?() } }]))
  }
}
