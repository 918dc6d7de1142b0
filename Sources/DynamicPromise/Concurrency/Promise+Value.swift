// `try await promise.value`: the outcome for asynchronous code.

extension Promise {
  #if compiler(>=6.2)
    /// Awaits the value; throws the reason if the promise is rejected.
    ///
    /// The wait blocks no thread. If the waiting task is cancelled before the promise has settled, the wait
    /// throws `CancellationError` at once, and the promise continues. The value need not be Sendable; the
    /// reader must be its only user.
    public nonisolated(nonsending) var value: Any {
      get async throws { try await outcome(withdraws: false).value.get() }
    }

    /// Awaits the value like ``value``, but cancelling the waiting task withdraws from the promise.
    public nonisolated(nonsending) var cancellingValue: Any {
      get async throws { try await outcome(withdraws: true).value.get() }
    }
  #else
    /// Awaits the value; throws the reason if the promise is rejected.
    public var value: Any {
      get async throws { try await outcome(withdraws: false).value.get() }
    }

    /// Awaits the value like ``value``, but cancelling the waiting task withdraws from the promise.
    public var cancellingValue: Any {
      get async throws { try await outcome(withdraws: true).value.get() }
    }
  #endif

  /// The value as a `T`, awaited like ``value``. A value of another type throws
  /// ``PromiseError/typeMismatch(expected:found:index:at:)``.
  public func value<T>(as type: T.Type, isolation: isolated (any Actor)? = #isolation) async throws
    -> sending T
  {
    try await typed(outcome(withdraws: false, isolation: isolation)).value
  }

  /// Awaits the value as a `T`, like ``value(as:isolation:)``, but cancelling the waiting task withdraws.
  public func cancellingValue<T>(as type: T.Type, isolation: isolated (any Actor)? = #isolation)
    async throws
    -> sending T
  {
    try await typed(outcome(withdraws: true, isolation: isolation)).value
  }

  private final func typed<T>(_ outcome: TaskWaiter.Outcome) throws -> UncheckedBox<T> {
    UncheckedBox(try Wrap.cast(try outcome.value.get()))
  }

  private final func outcome(withdraws: Bool, isolation: isolated (any Actor)? = #isolation) async
    -> TaskWaiter.Outcome
  {
    // A settled promise needs no observer.
    if let result { return UncheckedBox(result) }
    let waiter = TaskWaiter(self)
    return await withTaskCancellationHandler {
      await withCheckedContinuation(isolation: isolation) { waiter.start($0) }
    } onCancel: {
      waiter.cancel(withdraws: withdraws)
    }
  }
}
