// Observers on the main actor.

extension Promise {
  /// Calls `body` with the value if the promise is fulfilled, on the main actor. Otherwise like
  /// `onSuccess`.
  ///
  /// - Returns: This promise.
  @discardableResult
  public func onSuccessOnMain(_ body: @escaping @MainActor (Any) -> Void) -> Self {
    addObserver(on: .mainQueue) { _, outcome in
      outcome.isFulfilled ? OutcomeObserver.onMain(UncheckedBox(outcome.value), body) : nil
    }
  }

  /// Calls `body` with the value, on the main actor, if the promise is fulfilled with a `V`. A closure
  /// without a parameter is called for every value. Otherwise like `onSuccess`.
  @_disfavoredOverload
  @discardableResult
  public func onSuccessOnMain<V>(_ body: @escaping @MainActor (V) -> Void) -> Self {
    addObserver(on: .mainQueue) { _, outcome in
      guard outcome.isFulfilled, let value = try? Wrap.argument(outcome.value) as V else { return nil }
      return OutcomeObserver.onMain(UncheckedBox(value), body)
    }
  }

  /// Calls `body` with the reason if the promise is rejected and `isCancelled` is `false`, on the main
  /// actor. Otherwise like `onFail`.
  ///
  /// - Returns: This promise.
  @discardableResult
  public func onFailOnMain(_ body: @escaping @MainActor (any Error) -> Void) -> Self {
    onRejection(ofKind: false, on: .mainQueue) { reason in
      OutcomeObserver.onMain(UncheckedBox<any Error>(reason), body)
    }
  }

  /// Calls `body` with the reason, on the main actor, if the reason is an `E` and `isCancelled` is `false`. A
  /// reason is an `E` if it is an error of that type, or a value of that type that `reject` has wrapped in
  /// ``PromiseError/rejected(reason:)``. A closure without a parameter is called for every reason. Otherwise
  /// like `onFail`.
  @_disfavoredOverload
  @discardableResult
  public func onFailOnMain<E>(_ body: @escaping @MainActor (E) -> Void) -> Self {
    onRejection(ofKind: false, on: .mainQueue) { reason in
      guard let expected = try? Wrap.expected(reason) as E else { return nil }
      return OutcomeObserver.onMain(UncheckedBox(expected), body)
    }
  }

  /// Calls `body` with the reason if `isCancelled` is `true`, on the main actor. Otherwise like `onCancel`.
  ///
  /// - Returns: This promise.
  @discardableResult
  public func onCancelOnMain(_ body: @escaping @MainActor (any Error) -> Void) -> Self {
    onRejection(ofKind: true, on: .mainQueue) { reason in
      OutcomeObserver.onMain(UncheckedBox<any Error>(reason), body)
    }
  }
}

extension OutcomeObserver {
  /// Calls a main-actor closure on the main queue, which is the main actor's executor.
  fileprivate static func onMain<Input>(
    _ input: UncheckedBox<Input>, _ body: @escaping @MainActor (Input) -> Void
  ) -> Job {
    { MainActor.assumeIsolated { body(input.value) } }
  }
}
