extension Promise {
  /// Fulfilled with the value of the first input that is fulfilled, in the order of `inputs` if several are
  /// fulfilled already. If all inputs are rejected, the result is rejected with
  /// ``PromiseError/noneFulfilled(_:)``, which has the reasons in the order of the inputs. Parameters as for
  /// `all`.
  public static func any(
    _ inputs: some Sequence, on context: (any ExecutionContext)? = nil, cancellingInputs: Bool = true,
    cancellingRest: Bool = false, fileID: StaticString = #fileID, line: UInt = #line
  ) -> Promise {
    Collector.collect(inputs, on: context, cancellingInputs, cancellingRest, .any).at(fileID, line)
  }

  /// An overload of `any` for array literals of mixed types.
  public static func any(
    _ inputs: [Any?], on context: (any ExecutionContext)? = nil, cancellingInputs: Bool = true,
    cancellingRest: Bool = false, fileID: StaticString = #fileID, line: UInt = #line
  ) -> Promise {
    Collector.collect(inputs, on: context, cancellingInputs, cancellingRest, .any).at(fileID, line)
  }

  /// `Promise.any(a, b)`: the inputs as arguments.
  public static func any(
    _ first: Any?, _ second: Any?, _ others: Any?..., cancellingInputs: Bool = true,
    cancellingRest: Bool = false, fileID: StaticString = #fileID, line: UInt = #line
  ) -> Promise {
    Collector.collect([first, second] + others, on: nil, cancellingInputs, cancellingRest, .any).at(
      fileID, line)
  }
}

extension CollectorRule {
  fileprivate static var any: CollectorRule {
    CollectorRule(name: "any", isDecidedByFulfilment: true) { inputs in
      .rejected(PromiseError.noneFulfilled(inputs.compactMap(\.reason)))
    }
  }
}
