extension Promise {
  /// Settles with the outcome of the first input that settles, in the order of `inputs` if several are
  /// settled already. The parameters are those of `all`. Without inputs, the result is rejected with
  /// `PromiseError.noneFulfilled([])`. A pending input retains nothing of a settled race.
  public static func race(
    _ inputs: some Sequence, on context: (any ExecutionContext)? = nil, cancellingInputs: Bool = true,
    cancellingRest: Bool = false, fileID: StaticString = #fileID, line: UInt = #line
  ) -> Promise {
    Collector.collect(inputs, on: context, cancellingInputs, cancellingRest, .race).at(fileID, line)
  }

  /// An overload of `race` for array literals of mixed types.
  public static func race(
    _ inputs: [Any?], on context: (any ExecutionContext)? = nil, cancellingInputs: Bool = true,
    cancellingRest: Bool = false, fileID: StaticString = #fileID, line: UInt = #line
  ) -> Promise {
    Collector.collect(inputs, on: context, cancellingInputs, cancellingRest, .race).at(fileID, line)
  }

  /// `Promise.race(a, b)`: the inputs as arguments.
  public static func race(
    _ first: Any?, _ second: Any?, _ others: Any?..., cancellingInputs: Bool = true,
    cancellingRest: Bool = false, fileID: StaticString = #fileID, line: UInt = #line
  ) -> Promise {
    Collector.collect([first, second] + others, on: nil, cancellingInputs, cancellingRest, .race).at(
      fileID, line)
  }
}

extension CollectorRule {
  /// The closure runs only if there are no inputs, because the first input that settles decides.
  fileprivate static var race: CollectorRule {
    CollectorRule(name: "race", isDecidedByFulfilment: true, isDecidedByRejection: true) { _ in
      .rejected(PromiseError.noneFulfilled([]))
    }
  }
}
