/// Plays a script on the promises of an adapter.
struct ScriptPlayer {
  private let script: CombinatorScript
  private let probe: Probe
  private let combinators: Combinators<Any>
  private let called: Calls
  private var tokens: [String: Any] = [:]
  private var inputs: [Input] = []

  /// An input as the combinator receives it, and the functions that settle the input.
  private struct Input {
    let raw: Any
    var resolve: (Any) throws -> Void = { _ in }
    var reject: (Any) throws -> Void = { _ in }
  }

  init(_ script: CombinatorScript, _ probe: Probe) {
    self.script = script
    self.probe = probe
    combinators = probe.bridge.combinators
    called = probe.calls("the callback")
    for name in ["a", "b", "c"] { tokens[name] = Sentinel(name) }
    for name in ["e1", "e2", "e3", "e4"] { tokens[name] = SentinelError(name) }
    tokens["nil"] = Any?.none as Any
  }

  mutating func play() throws {
    for input in script.inputs { inputs.append(make(input)) }
    let result = start()
    let early = probe.observe(result)
    for step in script.steps {
      switch step {
      case .fulfill(let place, let name): try inputs[place].resolve(tokens[name]!)
      case .reject(let place, let name): try inputs[place].reject(tokens[name]!)
      case .follow(let place, let other): try inputs[place].resolve(inputs[other].raw)
      case .check(let expected): try check(expected, result, early)
      }
    }
    try probe.quiesce()
    if early.count > 1 { try early.expectCount(1) }
    if case .check(let expected)? = script.steps.last { try check(expected, result, early) }
  }

  // MARK: Inputs

  private func make(_ input: CombinatorScript.Input) -> Input {
    switch input {
    case .value(let name): return Input(raw: tokens[name]!)
    case .fulfilled(let name): return Input(raw: probe.fulfilled(tokens[name]!).raw)
    case .rejected(let name): return Input(raw: probe.rejected(tokens[name]!).raw)
    case .pending:
      let d = probe.pending()
      return Input(raw: d.promise.raw, resolve: d.resolve, reject: d.reject)
    case .thenable(let calls): return Input(raw: thenable(calls))
    case .unreadable(let name):
      let error = Passed(tokens[name]!)
      return Input(raw: probe.thenable(ThenableSource { throw error.value as! SentinelError }).value)
    case .laterThenable:
      let gate = Gate<(@Sendable (Any) -> Void, @Sendable (Any) -> Void)>(probe)
      let thenable = probe.thenable { resolve, reject in gate.open((resolve, reject)) }
      return Input(
        raw: thenable.value, resolve: { try gate.pass().0($0) }, reject: { try gate.pass().1($0) })
    case .same(let place): return inputs[place]
    }
  }

  private func thenable(_ calls: [CombinatorScript.Call]) -> Any {
    let tokens = Passed(tokens)
    return probe.thenable { resolve, reject in
      for call in calls {
        switch call {
        case .resolve(let name): resolve(tokens.value[name]!)
        case .reject(let name): reject(tokens.value[name]!)
        case .raise(let name): throw tokens.value[name] as! SentinelError
        }
      }
    }.value
  }

  // MARK: The combinator

  private mutating func start() -> Subject {
    let list = inputs.map(\.raw)
    let raw: Any = ThreadLocal.stackDepth.raised {
      if let name = script.iteratorThrows {
        return combinators.throwingIterator!(script.combinator.rawValue, list, tokens[name] as! SentinelError)
      }
      return switch script.combinator {
      case .all, .allSettled, .any, .race: script.combinator.group(in: combinators)!(list)
      case .resolve: combinators.resolve!(list[0])
      case .reject: combinators.reject!(list[0])
      case .finally: combinators.finally!(list[0], callback)
      case .try: combinators.try!(callback)
      case .withResolvers: withResolvers()
      }
    }
    probe.keep(raw)
    return Subject(raw: raw, bridge: probe.bridge)
  }

  private mutating func withResolvers() -> Any {
    let made = combinators.withResolvers!()
    inputs[0] = Input(raw: made.promise, resolve: made.resolve, reject: made.reject)
    return made.promise
  }

  private var callback: Combinators<Any>.Callback {
    let result: Result<Any, any Error> =
      switch script.callback {
      case .input(let place)?: .success(inputs[place].raw)
      case .raise(let name)?: .failure(tokens[name] as! SentinelError)
      case nil: .success(Substitutes.nothingOfInterest)
      }
    return { [called, result = Passed(result)] in
      try ThreadLocal.stackDepth.raised {
        called.record(())
        return try result.value.get()
      }
    }
  }

  // MARK: Expectations

  private func check(_ expected: CombinatorScript.Expected, _ result: Subject, _ early: Calls) throws {
    switch expected {
    case .pending:
      try probe.quiesce()
      try early.expectNone("although the promise has to be pending")
    case .called(let count): try called.expectCount(count)
    case .calledInside(let count):
      try called.expectCount(count)
      if called.calls.contains(where: { !$0.onForeignStack }) {
        throw CaseFailure("the callback ran after the call had returned")
      }
    case .cleanStack:
      let late = probe.observe(result, as: "a late handler")
      for calls in [early, late] { try Clause2_2_4.cleanStack(calls) }
      if script.combinator == .finally { try Clause2_2_4.cleanStack(called) }
    case .isInput(let place):
      if !isSame(result.raw, inputs[place].raw) { throw CaseFailure("the result is another promise") }
    default:
      for endings in [early, probe.observe(result, as: "a late handler")] {
        try check(expected, try endings.first() as! Settlement)
      }
    }
  }

  private func check(_ expected: CombinatorScript.Expected, _ ending: Settlement) throws {
    switch (expected, ending) {
    case (.fulfilled(let name), .fulfilled(let value)):
      try probe.expectSame(value, tokens[name]!, "the value")
    case (.rejected(let name), .rejected(let reason)):
      try probe.expectSame(reason, tokens[name]!, "the reason")
    case (.rejectedWithInput(let place), .rejected(let reason)):
      try probe.expectSame(reason, inputs[place].raw, "the reason")
    case (.list(let names), .fulfilled(let value)):
      try expect(combinators.values(value), names, "the list", value)
    case (.errors(let names), .rejected(let reason)):
      try expect(combinators.errors(reason)?.map(probe.bridge.reason), names, "the list of reasons", reason)
    case (.outcomes(let names), .fulfilled(let value)):
      guard let outcomes = combinators.settlements(value) else {
        throw CaseFailure("fulfilled with \(describe(value)), which is no list of outcomes")
      }
      try expect(outcomes.map(contents), names, "the list of outcomes", value)
      for (outcome, name) in zip(outcomes, names) {
        if case .rejected = outcome, !name.hasPrefix("e") {
          throw CaseFailure("an input that is fulfilled counts as rejected")
        }
        if case .fulfilled = outcome, name.hasPrefix("e") {
          throw CaseFailure("an input that is rejected counts as fulfilled")
        }
      }
    case (_, .fulfilled(let value)): throw CaseFailure("fulfilled with \(describe(value)), not rejected")
    case (_, .rejected(let reason)): throw CaseFailure("rejected with \(describe(reason)), not fulfilled")
    }
  }

  private func contents(_ outcome: Settlement) -> Any {
    switch outcome {
    case .fulfilled(let value): value
    case .rejected(let reason): probe.bridge.reason(reason)
    }
  }

  private func expect(_ list: [Any]?, _ names: [String], _ what: String, _ whole: Any) throws {
    guard let list else { throw CaseFailure("\(what) is missing in \(describe(whole))") }
    guard list.count == names.count else {
      throw CaseFailure("\(what) has \(list.count) elements, not \(names.count)")
    }
    for (index, (element, name)) in zip(list, names).enumerated() {
      try probe.expectSame(element, tokens[name]!, "element \(index) of \(what)")
    }
  }
}
