extension Promise {
  /// Fulfilled with the values of all inputs, an `[Any]` in the order of the inputs, as soon as all inputs
  /// are fulfilled. Rejected with the first reason. A cancelled input counts as rejected.
  ///
  /// Inputs may be promises, thenables and plain values in any mix, from any finite sequence, which is read
  /// at once. `nil` stays `nil`; an `Error` counts as a rejection.
  ///
  /// - Parameters:
  ///   - inputs: Promises, thenables and plain values.
  ///   - context: The result's default context; by default that of the first promise among the inputs.
  ///   - cancellingInputs: Whether the settled result withdraws from inputs that are still pending, with the
  ///     reason of its own cancel. By default the inputs continue.
  public static func all(
    _ inputs: some Sequence, on context: (any ExecutionContext)? = nil, cancellingInputs: Bool = false
  ) -> Promise {
    Collector.collect(inputs, on: context, cancelsInputs: cancellingInputs, .all)
  }

  /// An overload of `all` for array literals of mixed types.
  public static func all(
    _ inputs: [Any?], on context: (any ExecutionContext)? = nil, cancellingInputs: Bool = false
  ) -> Promise {
    Collector.collect(inputs, on: context, cancelsInputs: cancellingInputs, .all)
  }

  /// `Promise.all(a, b)`: the inputs as arguments.
  public static func all(
    _ first: Any?, _ second: Any?, _ others: Any?..., cancellingInputs: Bool = false
  ) -> Promise {
    Collector.collect([first, second] + others, on: nil, cancelsInputs: cancellingInputs, .all)
  }
}

extension CollectorRule {
  fileprivate static var all: CollectorRule {
    CollectorRule(name: "all", isDecidedByRejection: true) { inputs in
      .fulfilled(Value(inputs.map(\.value)))
    }
  }
}
