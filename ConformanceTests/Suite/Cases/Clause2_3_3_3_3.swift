/// 2.3.3.3.3 and 2.3.3.3.4: the first of `resolvePromise`, `rejectPromise` and a thrown error counts.
extension Clause2_3_3_3 {
  /// The outcome of a script of calls, and its inputs.
  struct Script: Sendable {
    let p: Probe
    let value = Sentinel("first")
    let reason = SentinelError("first")
    let otherValue = Sentinel("late")
    let otherReason = SentinelError("late")
    let resolve: @Sendable (Any) -> Void
    let reject: @Sendable (Any) -> Void

    /// Resolves with a pending promise that is settled after `rest`.
    func resolveLater(
      _ settle: @escaping @Sendable (PendingSubject) -> Void, _ rest: () throws -> Void
    ) rethrows {
      let d = p.pending()
      resolve(d.promise)
      defer { p.elsewhere { settle(d) } }
      try rest()
    }

    func throwOther() throws { throw otherReason }
  }

  typealias Steps = @Sendable (Script) throws -> Void

  static let precedence = ClauseBuilder.cases("2.3.3.3.3") { c in
    fulfills("resolve, reject", in: &c) {
      $0.resolve($0.value)
      $0.reject($0.otherReason)
    }
    fulfills("resolve, reject asynchronously", in: &c) { s in
      s.resolve(s.value)
      s.p.elsewhere { s.reject(s.otherReason) }
    }
    fulfills("resolve, reject, both asynchronously", in: &c) { s in
      s.p.elsewhere {
        s.resolve(s.value)
        s.reject(s.otherReason)
      }
    }
    fulfills("resolve with a promise that is fulfilled later, reject", in: &c) { s in
      s.resolveLater({ $0.fulfill(s.value) }) { s.reject(s.otherReason) }
    }
    rejects("resolve with a promise that is rejected later, reject", in: &c) { s in
      s.resolveLater({ $0.reject(s.reason) }) { s.reject(s.otherReason) }
    }
    rejects("reject, resolve", in: &c) {
      $0.reject($0.reason)
      $0.resolve($0.otherValue)
    }
    rejects("reject, resolve asynchronously", in: &c) { s in
      s.reject(s.reason)
      s.p.elsewhere { s.resolve(s.otherValue) }
    }
    rejects("reject, resolve, both asynchronously", in: &c) { s in
      s.p.elsewhere {
        s.reject(s.reason)
        s.resolve(s.otherValue)
      }
    }
    fulfills("resolve twice", in: &c) {
      $0.resolve($0.value)
      $0.resolve($0.otherValue)
    }
    fulfills("resolve, resolve asynchronously", in: &c) { s in
      s.resolve(s.value)
      s.p.elsewhere { s.resolve(s.otherValue) }
    }
    fulfills("resolve twice, both asynchronously", in: &c) { s in
      s.p.elsewhere {
        s.resolve(s.value)
        s.resolve(s.otherValue)
      }
    }
    fulfills("resolve with a promise that is fulfilled later, resolve", in: &c) { s in
      s.resolveLater({ $0.fulfill(s.value) }) { s.resolve(s.otherValue) }
    }
    rejects("resolve with a promise that is rejected later, resolve", in: &c) { s in
      s.resolveLater({ $0.reject(s.reason) }) { s.resolve(s.otherValue) }
    }
    rejects("reject twice", in: &c) {
      $0.reject($0.reason)
      $0.reject($0.otherReason)
    }
    rejects("reject, reject asynchronously", in: &c) { s in
      s.reject(s.reason)
      s.p.elsewhere { s.reject(s.otherReason) }
    }
    rejects("reject twice, both asynchronously", in: &c) { s in
      s.p.elsewhere {
        s.reject(s.reason)
        s.reject(s.otherReason)
      }
    }
    abuse(in: &c)
    ThenableRaces.add(to: &c)
  }

  static let thrownAfter = ClauseBuilder.cases("2.3.3.3.4.1") { c in
    fulfills("resolve with a value, throw", in: &c) { s in
      s.resolve(s.value)
      try s.throwOther()
    }
    fulfills("resolve with a promise that is fulfilled later, throw", in: &c) { s in
      try s.resolveLater({ $0.fulfill(s.value) }) { try s.throwOther() }
    }
    rejects("resolve with a promise that is rejected later, throw", in: &c) { s in
      try s.resolveLater({ $0.reject(s.reason) }) { try s.throwOther() }
    }
    rejects("reject, throw", in: &c) { s in
      s.reject(s.reason)
      try s.throwOther()
    }
    fulfills("resolve, reject, throw", in: &c) { s in
      s.resolve(s.value)
      s.reject(SentinelError("also late"))
      try s.throwOther()
    }
    rejects("reject, resolve, throw", in: &c) { s in
      s.reject(s.reason)
      s.resolve(s.otherValue)
      try s.throwOther()
    }
  }

  static let thrownBefore = ClauseBuilder.cases("2.3.3.3.4.2") { c in
    rejects("throw", in: &c) { s in throw s.reason }
    throwsFirst("throw; resolve comes later", in: &c) { $0.resolve($0.otherValue) }
    throwsFirst("throw; reject comes later", in: &c) { $0.reject($0.otherReason) }
  }

  // MARK: Kinds of cases

  private static func fulfills(_ title: String, in c: inout ClauseBuilder, _ steps: @escaping Steps) {
    c.viaReturn("a thenable does: \(title)", needs: needs) { p, via in
      let result = promise(p, via, steps)
      try p.expectFulfilled(result.promise, with: result.script().value)
      try staysSettled(p, result.promise) { try p.expectFulfilled($0, with: result.script().value) }
    }
  }

  private static func rejects(_ title: String, in c: inout ClauseBuilder, _ steps: @escaping Steps) {
    c.viaReturn("a thenable does: \(title)", needs: needs) { p, via in
      let result = promise(p, via, steps)
      try p.expectRejected(result.promise, with: result.script().reason)
      try staysSettled(p, result.promise) { try p.expectRejected($0, with: result.script().reason) }
    }
  }

  /// The thenable throws; its stored functions are called when the promise has been rejected.
  private static func throwsFirst(
    _ title: String, in c: inout ClauseBuilder, _ late: @escaping @Sendable (Script) -> Void
  ) {
    c.viaReturn("a thenable does: \(title)", needs: needs) { p, via in
      let result = promise(p, via) { s in throw s.reason }
      try p.expectRejected(result.promise, with: result.script().reason)
      let script = try result.script()
      p.elsewhere { late(script) }
      try staysSettled(p, result.promise) { try p.expectRejected($0, with: script.reason) }
    }
  }

  private static func abuse(in c: inout ClauseBuilder) {
    c.viaReturn("a thenable keeps both functions, and they are called many times", needs: needs) { p, via in
      let result = promise(p, via) { _ in () }
      let script = try result.script()
      let endings = p.observe(result.promise)
      p.elsewhere {
        script.resolve(script.value)
        for _ in 0..<3 {
          script.resolve(script.otherValue)
          script.reject(script.otherReason)
        }
      }
      try p.expectFulfilled(endings, with: script.value)
      try p.quiesce()
      try endings.expectCount(1)
    }
  }

  // MARK: Running a script

  /// A promise resolved with a thenable that follows `steps`, and the script, once it is being followed.
  private static func promise(
    _ p: Probe, _ via: Via, _ steps: @escaping Steps
  ) -> (promise: Subject, script: () throws -> Script) {
    let script = Gate<Script>(p)
    let x = p.thenable { resolve, reject in
      let followed = Script(p: p, resolve: resolve, reject: reject)
      script.open(followed)
      try steps(followed)
    }
    return (via.promise(p) { x }, { try script.pass() })
  }

  /// After all calls the promise is unchanged.
  private static func staysSettled(
    _ p: Probe, _ promise: Subject, _ expect: (Subject) throws -> Void
  ) throws {
    try p.quiesce()
    try expect(promise)
  }
}
