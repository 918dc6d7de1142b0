/// 2.3.3.3.3 and 2.3.3.3.4: only the first call of `resolvePromise` or `rejectPromise`, or an earlier throw,
/// counts.
extension Clause2_3_3_3 {
  /// The functions that a thenable receives, and the arguments that it passes to them.
  struct Script: Sendable {
    let p: Probe
    let value = Sentinel("first")
    let reason = SentinelError("first")
    let otherValue = Sentinel("late")
    let otherReason = SentinelError("late")
    let resolve: @Sendable (Any) -> Void
    let reject: @Sendable (Any) -> Void

    /// The argument of the call that counts.
    func outcome(_ side: Side) -> Any { side == .fulfilled ? value : reason }

    /// Makes the call that counts.
    func call(_ side: Side) { side == .fulfilled ? resolve(value) : reject(reason) }

    /// Makes a call that must not count.
    func callLate(_ side: Side) { side == .fulfilled ? resolve(otherValue) : reject(otherReason) }
  }

  typealias Steps = @Sendable (Script) throws -> Void

  static let precedence = ClauseBuilder.cases("2.3.3.3.3") { c in
    let pairs: [(Side, Side)] = [
      (.fulfilled, .rejected), (.rejected, .fulfilled), (.fulfilled, .fulfilled), (.rejected, .rejected),
    ]
    for (first, second) in pairs {
      let (one, other) = (first.words.call, second.words.call)
      let both = first == second ? "\(one) twice" : "\(one), \(other)"
      add(both, endsAs: first, to: &c) { s in
        s.call(first)
        s.callLate(second)
      }
      add("\(one), \(other) asynchronously", endsAs: first, to: &c) { s in
        s.call(first)
        s.p.elsewhere { s.callLate(second) }
      }
      add("\(both), both asynchronously", endsAs: first, to: &c) { s in
        s.p.elsewhere {
          s.call(first)
          s.callLate(second)
        }
      }
      if first == .fulfilled { addFollowing(other, to: &c) { $0.callLate(second) } }
    }
    abuse(in: &c)
    ThenableRaces.add(to: &c)
  }

  static let thrownAfter = ClauseBuilder.cases("2.3.3.3.4.1") { c in
    add("resolve with a value, throw", endsAs: .fulfilled, to: &c) { s in
      s.call(.fulfilled)
      throw s.otherReason
    }
    addFollowing("throw", to: &c) { s in throw s.otherReason }
    add("reject, throw", endsAs: .rejected, to: &c) { s in
      s.call(.rejected)
      throw s.otherReason
    }
    for side in Side.allCases {
      let calls = "\(side.words.call), \(side.other.words.call)"
      add("\(calls), throw", endsAs: side, to: &c) { s in
        s.call(side)
        s.callLate(side.other)
        throw SentinelError("also late")
      }
    }
  }

  static let thrownBefore = ClauseBuilder.cases("2.3.3.3.4.2") { c in
    add("throw", endsAs: .rejected, to: &c) { s in throw s.reason }
    for side in Side.allCases {
      // The thenable's functions are called after the promise was rejected.
      c.viaReturn("a thenable does: throw; \(side.words.call) comes later", needs: needs) { p, via in
        let result = promise(p, via) { s in throw s.reason }
        let script = try result.script()
        try p.expectRejected(result.promise, with: script.reason)
        p.elsewhere { script.callLate(side) }
        try p.quiesce()
        try p.expectRejected(result.promise, with: script.reason)
      }
    }
  }

  // MARK: Kinds of cases

  /// Adds two cases: the promise has the outcome of `side`, and keeps that outcome after all calls.
  private static func add(
    _ title: String, endsAs side: Side, to c: inout ClauseBuilder, _ steps: @escaping Steps
  ) {
    c.viaReturn("a thenable does: \(title)", needs: needs) { p, via in
      let result = promise(p, via, steps)
      let outcome = try result.script().outcome(side)
      try side.expect(p, result.promise, with: outcome)
      try p.quiesce()
      try side.expect(p, result.promise, with: outcome)
    }
  }

  /// Adds four cases: the thenable resolves with a pending promise, which is settled after `rest`.
  private static func addFollowing(
    _ title: String, to c: inout ClauseBuilder, _ rest: @escaping Steps
  ) {
    for side in Side.allCases {
      add("resolve with a promise that is \(side) later, \(title)", endsAs: side, to: &c) { s in
        let d = s.p.pending()
        s.resolve(d.promise)
        defer { s.p.elsewhere { side.settle(d, with: s.outcome(side)) } }
        try rest(s)
      }
    }
  }

  private static func abuse(in c: inout ClauseBuilder) {
    c.viaReturn("a thenable keeps both functions, and they are called many times", needs: needs) { p, via in
      let result = promise(p, via) { _ in () }
      let script = try result.script()
      let endings = p.observe(result.promise)
      p.elsewhere {
        script.call(.fulfilled)
        for _ in 0..<3 { for side in Side.allCases { script.callLate(side) } }
      }
      try p.expectFulfilled(endings, with: script.value)
      try p.quiesce()
      try endings.expectCount(1)
    }
  }

  /// Returns a promise resolved with a thenable that runs `steps`. `script` waits until `then` is called.
  private static func promise(
    _ p: Probe, _ via: Side, _ steps: @escaping Steps
  ) -> (promise: Subject, script: () throws -> Script) {
    let script = Gate<Script>(p)
    let x = p.thenable { resolve, reject in
      let followed = Script(p: p, resolve: resolve, reject: reject)
      script.open(followed)
      try steps(followed)
    }
    return (via.promise(p) { x }, { try script.pass() })
  }
}
