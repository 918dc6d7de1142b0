extension Promise {
  /// Fulfilled with the values of all inputs, `[Any]` in their order, as soon as the last has one; rejected
  /// with the first reason.
  ///
  /// Inputs may be promises, thenables and plain values in any mix, from any finite sequence, which is read
  /// at once; `nil` stays `nil`, an `Error` counts as a rejection. No input: fulfilled with `[]`. A cancelled
  /// input is a rejection like any other.
  ///
  /// - Parameters:
  ///   - inputs: Promises, thenables and plain values.
  ///   - context: The result's default context; otherwise that of the first promise among the inputs.
  ///   - cancellingInputs: Whether inputs that are still pending are cancelled as soon as the result is
  ///     settled, with the reason if it was cancelled. Otherwise the inputs are left alone.
  public static func all(
    _ inputs: some Sequence, on context: (any ExecutionContext)? = .inherited, cancellingInputs: Bool = false
  ) -> Promise {
    Collector.collect(inputs, on: context, cancelsInputs: cancellingInputs, .all)
  }

  /// The same for array literals of mixed types.
  public static func all(
    _ inputs: [Any?], on context: (any ExecutionContext)? = .inherited, cancellingInputs: Bool = false
  ) -> Promise {
    Collector.collect(inputs, on: context, cancelsInputs: cancellingInputs, .all)
  }
}

extension CollectorRule {
  fileprivate static var all: CollectorRule {
    CollectorRule(isDecidedByRejection: true) { inputs in
      .fulfilled(Value(inputs.map(\.value)))
    }
  }
}
