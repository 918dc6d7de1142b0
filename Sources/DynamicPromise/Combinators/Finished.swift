// `finished`: waits for a promise and everything below it.

extension Promise {
  /// Fulfilled with `()` when this promise and all its descendants are finished, whatever their outcomes.
  /// Promises that are added below in the meantime are awaited too. This code cancels a whole tree and waits
  /// for its clean-up:
  ///
  ///     server.root.cancel()
  ///     _ = try await server.root.finished().value
  ///
  /// A cancel settles promises at once, while code may still run for them. A promise is finished when it has
  /// settled and no code runs for it:
  ///
  /// - its handler, its Swift task and its cancel hooks have returned;
  /// - a promise that its `finally` returned, or that its rejection handler returned after a cancel, is
  ///   finished;
  /// - its ``Resolver`` has been used or freed, if it ``Resolver/alwaysCallsBack()``;
  /// - a thenable that it followed has called back, or has released its functions;
  /// - a promise that it followed, or withdrew from as the last consumer, is finished.
  ///
  /// After a withdrawal, the wait includes what was cancelled above this promise. So this code stops a chain
  /// of any shape, and waits until none of its code runs:
  ///
  ///     end.withdraw()
  ///     _ = try await end.finished().value
  ///
  /// The result is a separate root: cancelling the tree does not affect it, and cancelling the result only
  /// ends the wait. The result is not a consumer, and does not handle rejections of the tree. A handler
  /// inside the tree must not return the result, because the result would wait for itself. (Kotlin's jobs and
  /// Swift's task groups distinguish cancelled from finished work in the same way.)
  ///
  /// - Parameter context: The default context of the result; by default that of this promise.
  public func finished(on context: (any ExecutionContext)? = nil) -> Promise {
    let turn = Turn.current
    let result = Promise.result(on: context, inheritedFrom: self)
    result.noteInputs([self], "finished")
    let ends = WeakPromise(result)
    let wait = FinishedWait(includesBelow: true) { turn in
      guard let result = ends.value else { return }
      result.resolve(with: .outcome(.fulfilled(Value(()))), turn)
      turn.release(result)
    }
    result.observe(Completion(wait), turn)
    wait.start(at: self, retained: false, turn)
    turn.drain()
    return result
  }
}

/// Observes the result of `finished()`, and ends the wait that the result no longer needs.
private final class Completion: CompletionObserver {
  private let wait: FinishedWait

  init(_ wait: FinishedWait) {
    self.wait = wait
    super.init()
  }

  override func settled(_ promise: Promise, with outcome: Outcome, _ turn: Turn) { wait.end(turn) }

  override var cause: DeadlockCheck.Cause { wait.awaited.map { .promise($0) } ?? .elsewhere }

  deinit {
    let turn = Turn.current
    wait.end(turn)
    turn.drain()
  }
}
