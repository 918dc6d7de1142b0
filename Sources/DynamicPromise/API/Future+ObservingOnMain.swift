// Observers on the main actor.

extension Future {
  /// Calls `body` with the value when there is one, on the main actor. As `onSuccess` otherwise.
  ///
  /// - Returns: This promise.
  @discardableResult
  public final func onSuccessOnMain(_ body: @escaping @MainActor (Any) -> Void) -> Self {
    addObserver(on: .mainQueue) { _, outcome in
      outcome.isFulfilled ? OutcomeObserver.onMain(UncheckedBox(outcome.value), body) : nil
    }
  }

  /// The same for a value of type `V`; one of another type is not heard of. A closure that takes nothing
  /// hears of any.
  @_disfavoredOverload
  @discardableResult
  public final func onSuccessOnMain<V>(_ body: @escaping @MainActor (V) -> Void) -> Self {
    addObserver(on: .mainQueue) { _, outcome in
      guard outcome.isFulfilled, let value = try? Wrap.argument(outcome) as V else { return nil }
      return OutcomeObserver.onMain(UncheckedBox(value), body)
    }
  }

  /// Calls `body` with the reason when the promise is rejected and that is no cancellation, on the main
  /// actor. As `onFail` otherwise.
  ///
  /// - Returns: This promise.
  @discardableResult
  public final func onFailOnMain(_ body: @escaping @MainActor (any Error) -> Void) -> Self {
    onRejection(ofKind: false, on: .mainQueue) { reason in
      OutcomeObserver.onMain(UncheckedBox<any Error>(reason), body)
    }
  }

  /// The same for reasons of type `E` only: an error of that type, or what `reject` was given and had to wrap
  /// in ``PromiseError/rejected(reason:)``. A closure that takes nothing hears of any.
  @_disfavoredOverload
  @discardableResult
  public final func onFailOnMain<E>(_ body: @escaping @MainActor (E) -> Void) -> Self {
    onRejection(ofKind: false, on: .mainQueue) { reason in
      guard let expected = try? Wrap.expected(.rejected(reason)) as E else { return nil }
      return OutcomeObserver.onMain(UncheckedBox(expected), body)
    }
  }

  /// Calls `body` with the reason when the promise is cancelled, or rejected with an error that says that it
  /// is a cancellation, on the main actor. As `onCancel` otherwise.
  ///
  /// - Returns: This promise.
  @discardableResult
  public final func onCancelOnMain(_ body: @escaping @MainActor (any Error) -> Void) -> Self {
    onRejection(ofKind: true, on: .mainQueue) { reason in
      OutcomeObserver.onMain(UncheckedBox<any Error>(reason), body)
    }
  }
}

extension OutcomeObserver {
  /// What calls a closure of the main actor, on the main queue, which is its executor.
  fileprivate static func onMain<Input>(
    _ input: UncheckedBox<Input>, _ body: @escaping @MainActor (Input) -> Void
  ) -> Job {
    { MainActor.assumeIsolated { body(input.value) } }
  }
}
