extension Promise {
  /// Fulfilled with the outcomes of all inputs, a `[Result<Any, any Error>]` in the order of the inputs, as
  /// soon as the last input has settled. Rejected only if the result is cancelled.
  ///
  /// The parameters are those of `all`. Without inputs, the result is fulfilled with `[]`.
  public static func allSettled(
    _ inputs: some Sequence, on context: (any ExecutionContext)? = nil, cancellingInputs: Bool = true,
    fileID: StaticString = #fileID, line: UInt = #line
  ) -> Promise {
    Collector.collect(inputs, on: context, cancellingInputs, false, .allSettled).at(fileID, line)
  }

  /// An overload of `allSettled` for array literals of mixed types.
  public static func allSettled(
    _ inputs: [Any?], on context: (any ExecutionContext)? = nil, cancellingInputs: Bool = true,
    fileID: StaticString = #fileID, line: UInt = #line
  ) -> Promise {
    Collector.collect(inputs, on: context, cancellingInputs, false, .allSettled).at(fileID, line)
  }

  /// `Promise.allSettled(a, b)`: the inputs as arguments.
  public static func allSettled(
    _ first: Any?, _ second: Any?, _ others: Any?..., cancellingInputs: Bool = true,
    fileID: StaticString = #fileID, line: UInt = #line
  ) -> Promise {
    Collector.collect([first, second] + others, on: nil, cancellingInputs, false, .allSettled).at(
      fileID, line)
  }
}

extension CollectorRule {
  fileprivate static var allSettled: CollectorRule {
    CollectorRule(name: "allSettled") { inputs in .fulfilled(inputs.map(\.result)) }
  }
}
