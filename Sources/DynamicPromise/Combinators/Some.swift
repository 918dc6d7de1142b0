// `some`: the first few values, like bluebird's `some`.

extension Promise {
  /// Fulfilled with the first `count` values of the inputs, an `[Any]` in the order of completion. Rejected
  /// as soon as too many inputs are rejected, with ``PromiseError/noneFulfilled(_:)`` and the reasons so far,
  /// in the order of completion. Inputs that are settled at the call precede pending inputs, in the order of
  /// `inputs`.
  ///
  /// The other parameters are those of `all`. If `count` is below one, the result is fulfilled with `[]` at
  /// once. If `count` is above the number of inputs, the result is rejected with `noneFulfilled([])` at once.
  public static func some(
    _ inputs: some Sequence, _ count: Int, on context: (any ExecutionContext)? = .inherited,
    cancellingInputs: Bool = true,
    cancellingRest: Bool = false
  ) -> Promise {
    let inputs = Array(inputs)
    let rule = CollectorRule.some(count, of: inputs.count)
    return Collector.collect(inputs, on: context, cancellingInputs, cancellingRest, rule)
  }

  /// An overload of `some` for array literals of mixed types.
  public static func some(
    _ inputs: [Any?], _ count: Int, on context: (any ExecutionContext)? = .inherited,
    cancellingInputs: Bool = true,
    cancellingRest: Bool = false
  ) -> Promise {
    let rule = CollectorRule.some(count, of: inputs.count)
    return Collector.collect(inputs, on: context, cancellingInputs, cancellingRest, rule)
  }
}

extension CollectorRule {
  /// The closure's outcome is never used, because the tally decides when the last input settles, or earlier.
  fileprivate static func some(_ count: Int, of inputs: Int) -> CollectorRule {
    CollectorRule(name: "some", tally: Tally(of: inputs, wanted: count)) { _ in
      .rejected(PromiseError.noneFulfilled([]))
    }
  }
}
