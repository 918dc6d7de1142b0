// `finished`: waits for a promise and everything below it.

extension Promise {
  /// Fulfilled with `()` when this promise and all its descendants are finished, whatever their outcomes. So
  /// this code stops a chain of any shape, and waits until none of its code runs:
  ///
  ///     end.withdraw()
  ///     _ = try await end.finished().value
  ///
  /// A cancel settles promises at once, while code may still run for them. A promise is finished if no code
  /// runs for it:
  ///
  /// - its handler, its Swift task and its cancel hooks have returned;
  /// - a promise that its `finally` returned, or that its rejection handler returned after a cancel, is
  ///   finished;
  /// - its ``Resolver`` has been used or freed, if it ``Resolver/alwaysCallsBack()``;
  /// - a thenable that it followed has called back, or has released its functions;
  /// - a promise that it followed, or withdrew from as the last consumer, is finished.
  ///
  /// Promises that are added below in the meantime are awaited too. The result is a separate root and not a
  /// consumer: cancelling it only ends the wait, and it handles no rejection. A handler inside the tree must
  /// not return it, because it would wait for itself. By default it has the default context of this promise.
  public func finished(on context: (any ExecutionContext)? = nil) -> Promise {
    let turn = Turn.current
    let result = Promise.result(on: context, inheritedFrom: self)
    result.noteInputs([self], "finished")
    let ends = WeakPromise(result)
    let wait = FinishedWait(includesBelow: true) { turn in
      guard let result = ends.value else { return }
      result.core.resolve(with: Resolution(.fulfilled(())), turn)
      turn.release(result)
    }
    result.observe(Completion(wait), turn)
    wait.start(at: core, retained: false, turn)
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

  override func settled(_ promise: Core, with outcome: Outcome, _ turn: Turn) { wait.end(turn) }

  override var cause: DeadlockCheck.Cause { .promises(wait.awaited) }

  deinit {
    let turn = Turn.current
    wait.end(turn)
    turn.drain()
  }
}
