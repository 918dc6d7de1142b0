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
  ///   - cancellingInputs: Whether a cancelled result withdraws from the pending inputs, with its reason. An
  ///     input is then cancelled unless it has other consumers. If `false`, the inputs continue.
  ///   - cancellingRest: Whether a result that is decided withdraws from the other inputs, with
  ///     `CancellationError`. By default they continue.
  ///   - fileID: The file of the call, for diagnostics in debug builds.
  ///   - line: The line of the call.
  public static func all(
    _ inputs: some Sequence, on context: (any ExecutionContext)? = nil, cancellingInputs: Bool = true,
    cancellingRest: Bool = false, fileID: StaticString = #fileID, line: UInt = #line
  ) -> Promise {
    Collector.collect(inputs, on: context, cancellingInputs, cancellingRest, .all).at(fileID, line)
  }

  /// An overload of `all` for array literals of mixed types.
  public static func all(
    _ inputs: [Any?], on context: (any ExecutionContext)? = nil, cancellingInputs: Bool = true,
    cancellingRest: Bool = false, fileID: StaticString = #fileID, line: UInt = #line
  ) -> Promise {
    Collector.collect(inputs, on: context, cancellingInputs, cancellingRest, .all).at(fileID, line)
  }

  /// `Promise.all(a, b)`: the inputs as arguments.
  public static func all(
    _ first: Any?, _ second: Any?, _ others: Any?..., cancellingInputs: Bool = true,
    cancellingRest: Bool = false, fileID: StaticString = #fileID, line: UInt = #line
  ) -> Promise {
    Collector.collect([first, second] + others, on: nil, cancellingInputs, cancellingRest, .all).at(
      fileID, line)
  }
}

extension CollectorRule {
  fileprivate static var all: CollectorRule {
    CollectorRule(name: "all", isDecidedByRejection: true) { inputs in
      .fulfilled(inputs.map(\.value))
    }
  }
}
