// `some`: the first few values, as bluebird has it.

extension Promise {
  /// Fulfilled with the first `count` values that inputs have, `[Any]` in the order in which they came.
  /// Rejected as soon as too many inputs are, with ``PromiseError/noneFulfilled(_:)`` and the reasons up to
  /// then, in the order in which they came. Inputs that are settled already come first, in their own order.
  ///
  /// Inputs, contexts and `cancellingInputs` as for `all`. With a `count` less than one it is fulfilled with
  /// `[]` at once, with one greater than the number of inputs it is rejected with `noneFulfilled([])` at
  /// once.
  public static func some(
    _ inputs: some Sequence, _ count: Int, on context: (any ExecutionContext)? = .inherited,
    cancellingInputs: Bool = false
  ) -> Promise {
    let inputs = Array(inputs)
    let rule = CollectorRule.some(count, of: inputs.count)
    return Collector.collect(inputs, on: context, cancelsInputs: cancellingInputs, rule)
  }

  /// The same for array literals of mixed types.
  public static func some(
    _ inputs: [Any?], _ count: Int, on context: (any ExecutionContext)? = .inherited,
    cancellingInputs: Bool = false
  ) -> Promise {
    let rule = CollectorRule.some(count, of: inputs.count)
    return Collector.collect(inputs, on: context, cancelsInputs: cancellingInputs, rule)
  }
}

extension CollectorRule {
  /// The last input to settle has decided one way or the other, so this outcome is never used.
  fileprivate static func some(_ count: Int, of inputs: Int) -> CollectorRule {
    CollectorRule(tally: Tally(of: inputs, wanted: count)) { _ in .rejected(PromiseError.noneFulfilled([])) }
  }
}
