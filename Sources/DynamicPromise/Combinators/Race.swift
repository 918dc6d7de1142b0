extension Promise {
  /// Settles as the first input that does, with its value or reason. Among inputs that are settled already
  /// the first one counts.
  ///
  /// The losers keep nothing of the race: it may be run over and over against one promise that stays pending.
  /// Inputs, contexts and `cancellingInputs` as for `all`. No input: rejected with
  /// `PromiseError.noneFulfilled([])`, so that nothing hangs.
  public static func race(
    _ inputs: some Sequence, on context: (any ExecutionContext)? = .inherited, cancellingInputs: Bool = false
  ) -> Promise {
    Collector.collect(inputs, on: context, cancelsInputs: cancellingInputs, .race)
  }

  /// The same for array literals of mixed types.
  public static func race(
    _ inputs: [Any?], on context: (any ExecutionContext)? = .inherited, cancellingInputs: Bool = false
  ) -> Promise {
    Collector.collect(inputs, on: context, cancelsInputs: cancellingInputs, .race)
  }
}

extension CollectorRule {
  /// Concludes only if there was no input to decide.
  fileprivate static var race: CollectorRule {
    CollectorRule(isDecidedByFulfilment: true, isDecidedByRejection: true) { _ in
      .rejected(PromiseError.noneFulfilled([]))
    }
  }
}
