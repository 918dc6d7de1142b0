// `all` and `allSettled` with keys, as in JavaScript's proposal `Promise.allKeyed` and bluebird's `props`.

extension Promise {
  /// Fulfilled with the values of all inputs under their keys, `[Key: Any]`, as soon as all inputs are
  /// fulfilled. Rejected with the first reason. The parameters are those of `all`; inputs are read in the
  /// dictionary's own order, and keys are not hashed again.
  public static func all<Key: Hashable, Input>(
    _ inputs: [Key: Input], on context: (any ExecutionContext)? = nil, cancellingInputs: Bool = true,
    cancellingRest: Bool = false, fileID: StaticString = #fileID, line: UInt = #line
  ) -> Promise {
    Keyed(inputs).collect(on: context, cancellingInputs, cancellingRest, isDecidedByRejection: true, \.value)
      .at(fileID, line)
  }

  /// An overload of `all` for dictionary literals of mixed types.
  public static func all<Key: Hashable>(
    _ inputs: [Key: Any?], on context: (any ExecutionContext)? = nil, cancellingInputs: Bool = true,
    cancellingRest: Bool = false, fileID: StaticString = #fileID, line: UInt = #line
  ) -> Promise {
    Keyed(inputs).collect(on: context, cancellingInputs, cancellingRest, isDecidedByRejection: true, \.value)
      .at(fileID, line)
  }

  /// Fulfilled with the outcomes of all inputs under their keys, `[Key: Result<Any, any Error>]`, as soon as
  /// the last input has settled. The parameters are those of `all`.
  public static func allSettled<Key: Hashable, Input>(
    _ inputs: [Key: Input], on context: (any ExecutionContext)? = nil, cancellingInputs: Bool = true,
    fileID: StaticString = #fileID, line: UInt = #line
  ) -> Promise {
    Keyed(inputs).collect(on: context, cancellingInputs, false, isDecidedByRejection: false, \.result).at(
      fileID, line)
  }

  /// An overload of `allSettled` for dictionary literals of mixed types.
  public static func allSettled<Key: Hashable>(
    _ inputs: [Key: Any?], on context: (any ExecutionContext)? = nil, cancellingInputs: Bool = true,
    fileID: StaticString = #fileID, line: UInt = #line
  ) -> Promise {
    Keyed(inputs).collect(on: context, cancellingInputs, false, isDecidedByRejection: false, \.result).at(
      fileID, line)
  }
}

/// The inputs in an array, and the index of the input of each key.
private struct Keyed<Key: Hashable, Input> {
  private var inputs: [Input] = []
  private let places: [Key: Int]

  /// The given dictionary's table is reused, so that no `==` or `hash(into:)` of the user runs on the stack
  /// that settles the last input.
  init(_ named: [Key: Input]) {
    var inputs: [Input] = []
    inputs.reserveCapacity(named.count)
    places = named.mapValues { input in
      inputs.append(input)
      return inputs.count - 1
    }
    self.inputs = inputs
  }

  func collect<Part>(
    on context: (any ExecutionContext)?, _ cancelsInputs: Bool, _ cancelsRest: Bool,
    isDecidedByRejection: Bool,
    _ part: @escaping @Sendable (Outcome) -> Part
  ) -> Promise {
    // The closure is boxed, because the keys' type need not be Sendable.
    let conclude = UncheckedBox { [places] (outcomes: [Outcome]) in
      Outcome.fulfilled(places.mapValues { part(outcomes[$0]) })
    }
    let name = isDecidedByRejection ? "all" : "allSettled"
    let rule = CollectorRule(name: name, isDecidedByRejection: isDecidedByRejection) { conclude.value($0) }
    return Collector.collect(inputs, on: context, cancelsInputs, cancelsRest, rule)
  }
}
