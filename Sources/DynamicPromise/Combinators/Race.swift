extension Promise {
  /// Settles as the first input that does, with its value or reason. Of several inputs that are settled
  /// already the first one counts.
  ///
  /// The other inputs keep nothing of the race: any number of races may be run against one promise that
  /// stays pending. Inputs, contexts and `cancellingInputs` are those of `all`. Without inputs it is
  /// rejected with `PromiseError.noneFulfilled([])`, so that its consumers do not hang.
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
  /// Without inputs there is none to decide.
  fileprivate static var race: CollectorRule {
    CollectorRule(isDecidedByFulfilment: true, isDecidedByRejection: true) { _ in
      .rejected(PromiseError.noneFulfilled([]))
    }
  }
}
