// `some`: the first so many, as bluebird has it.

extension Promise {
  /// Fulfilled with the first `count` values that inputs have, `[Any]` in the order in which they came;
  /// rejected with ``PromiseError/noneFulfilled(_:)`` and the reasons up to then, in the order in which they
  /// came, as soon as so many inputs were rejected that there cannot be enough any more. Inputs that are
  /// settled already come in their order.
  ///
  /// Inputs, contexts and `cancellingInputs` as for `all`. A `count` less than one
  /// is fulfilled with `[]` at once, one greater than the number of inputs is rejected with
  /// `noneFulfilled([])` at once.
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
  /// The last input to settle has decided, one way or the other: nothing is left to conclude.
  fileprivate static func some(_ count: Int, of inputs: Int) -> CollectorRule {
    CollectorRule(tally: Tally(of: inputs, wanted: count)) { _ in .rejected(PromiseError.noneFulfilled([])) }
  }
}
