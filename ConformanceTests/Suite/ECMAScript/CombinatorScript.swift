/// A case of the chapter on ECMAScript's combinators, as data.
///
/// Values and reasons are names. The names of reasons begin with `e`.
struct CombinatorScript: Sendable {
  let combinator: Combinator
  let name: String
  let title: String
  let inputs: [Input]
  let callback: Callback?
  /// The reason that the iterator throws after the last input.
  let iteratorThrows: String?
  let steps: [Step]

  enum Combinator: String, Sendable, CaseIterable {
    case all, allSettled, any, race, finally, resolve, reject, withResolvers, `try`
  }

  enum Input: Sendable {
    case value(String)
    case fulfilled(String)
    case rejected(String)
    /// A promise that later steps settle.
    case pending
    /// A thenable that makes these calls at once.
    case thenable([Call])
    /// A thenable that later steps settle.
    case laterThenable
    /// A thenable whose `then` getter throws this reason.
    case unreadable(String)
    /// The input at this index, used again.
    case same(Int)
  }

  enum Call: Sendable {
    case resolve(String)
    case reject(String)
    case raise(String)
  }

  enum Callback: Sendable {
    /// Returns the input at this index, which the combinator does not receive.
    case input(Int)
    case raise(String)
  }

  /// Steps settle inputs. With `withResolvers`, they settle its result, which counts as input 0.
  enum Step: Sendable {
    case fulfill(Int, String)
    case reject(Int, String)
    /// Resolves the first input with the second input.
    case follow(Int, Int)
    case check(Expected)
  }

  /// The expected state of the combinator's promise.
  enum Expected: Sendable {
    case pending
    case fulfilled(String)
    case rejected(String)
    case list([String])
    /// The outcomes of `allSettled`.
    case outcomes([String])
    /// The reasons of `any`.
    case errors([String])
    /// The result is the input itself.
    case isInput(Int)
    /// The promise is rejected with the input itself.
    case rejectedWithInput(Int)
    /// The callback has been called this many times.
    case called(Int)
    /// The callback has been called this many times, inside the combinator's call.
    case calledInside(Int)
    /// Neither the promise's handlers nor the callback of `finally` run on the stack of a call.
    case cleanStack
  }

  init(
    _ combinator: Combinator, _ name: String, _ title: String, _ inputs: [Input] = [],
    callback: Callback? = nil, iteratorThrows: String? = nil, _ steps: Step...
  ) {
    (self.combinator, self.name, self.title, self.inputs) = (combinator, name, title, inputs)
    (self.callback, self.iteratorThrows, self.steps) = (callback, iteratorThrows, steps)
  }

  /// All scripts, in the order of the clauses.
  static let all = GroupScripts.scripts + FirstScripts.scripts + SingleScripts.scripts
}

extension CombinatorScript.Combinator {
  /// The clause of ECMA-262, 16th edition (2025).
  var clause: String {
    switch self {
    case .all: "27.2.4.1"
    case .allSettled: "27.2.4.2"
    case .any: "27.2.4.3"
    case .race: "27.2.4.5"
    case .reject: "27.2.4.6"
    case .resolve: "27.2.4.7"
    case .try: "27.2.4.8"
    case .withResolvers: "27.2.4.9"
    case .finally: "27.2.5.3"
    }
  }

  /// Returns the adapter's function for a combinator that takes several inputs.
  func group(in combinators: Combinators<Any>) -> Combinators<Any>.Group? {
    switch self {
    case .all: combinators.all
    case .allSettled: combinators.allSettled
    case .any: combinators.any
    case .race: combinators.race
    case .finally, .resolve, .reject, .withResolvers, .try: nil
    }
  }

  func exists(in combinators: Combinators<Any>) -> Bool {
    switch self {
    case .all, .allSettled, .any, .race: group(in: combinators) != nil
    case .finally: combinators.finally != nil
    case .resolve: combinators.resolve != nil
    case .reject: combinators.reject != nil
    case .withResolvers: combinators.withResolvers != nil
    case .try: combinators.try != nil
    }
  }
}

extension CombinatorScript {
  var testCase: ConformanceCase {
    ConformanceCase(
      .combinators, combinator.clause, name, title, needs: needs,
      missing: { bridge in missing(in: bridge.combinators) }
    ) { probe in
      // A case without inputs is repeated, because one round may miss a handler that must not run: the
      // handler may run late on a concurrent context.
      for round in probe.rounds where round == 0 || inputs.isEmpty {
        var player = ScriptPlayer(self, probe)
        try player.play()
      }
    }
  }

  private func missing(in combinators: Combinators<Any>) -> String? {
    if !combinator.exists(in: combinators) { return "the adapter has no `\(combinator.rawValue)`" }
    if iteratorThrows != nil, combinators.throwingIterator == nil {
      return "a Swift sequence cannot throw while it is iterated"
    }
    if !combinators.takesAnything, isGroup, inputs.contains(where: { !$0.isPromise }) {
      return "the inputs of `\(combinator.rawValue)` are promises"
    }
    return nil
  }

  private var isGroup: Bool { [.all, .allSettled, .any, .race].contains(combinator) }

  private var needs: Capabilities {
    var needs: Capabilities = []
    for input in inputs {
      switch input {
      case .thenable, .laterThenable, .unreadable: needs.insert(.thenables)
      case .value(let name):
        if name.hasPrefix("e"), combinator != .reject { needs.insert(.untypedValues) }
      case .fulfilled("nil"): needs.insert(.untypedValues)
      default: break
      }
    }
    switch callback {
    case .input(let place)?: if inputs[place].isPromise { needs.insert(.adoption) }
    case .raise?: needs.insert(.throwingHandlers)
    case nil: break
    }
    if steps.contains(where: { if case .follow = $0 { true } else { false } }) { needs.insert(.adoption) }
    if combinator == .reject, inputs.contains(where: { !$0.isValue }) { needs.insert(.untypedReasons) }
    if combinator == .resolve || combinator == .withResolvers, inputs.contains(where: \.isPromise) {
      needs.formUnion([.resolve, .adoption])
    }
    return needs
  }
}

extension CombinatorScript.Input {
  fileprivate var isValue: Bool { if case .value = self { true } else { false } }

  /// Whether the input is a promise of the implementation.
  var isPromise: Bool {
    switch self {
    case .fulfilled, .rejected, .pending, .same: true
    case .value, .thenable, .laterThenable, .unreadable: false
    }
  }
}
