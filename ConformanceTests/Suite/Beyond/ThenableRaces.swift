/// Additional cases: a thenable calls back from several threads at once.
enum ThenableRaces {
  private static let needs: Capabilities = [.resolve, .thenables]
  private typealias Kept = Passed<(resolve: @Sendable (Any) -> Void, reject: @Sendable (Any) -> Void)>

  static func add(to c: inout ClauseBuilder) {
    c.beyond(
      "race", "a thenable resolves and rejects on several threads at once: one call wins", needs: needs
    ) { p in
      try race(p) { kept, _ in
        [
          { kept.value.resolve(Sentinel("1")) }, { kept.value.reject(SentinelError("2")) },
          { kept.value.resolve(Sentinel("3")) }, { kept.value.reject(SentinelError("4")) },
        ]
      }
    }
    c.beyond(
      "promise-race", "a thenable resolves with a promise and rejects at the same instant: one call wins",
      needs: needs.union(.adoption)
    ) { p in
      try race(p) { kept, p in
        let x = p.pending()
        return [
          { kept.value.resolve(x.promise) }, { kept.value.reject(SentinelError("2")) },
          { x.fulfill(Sentinel("1")) },
        ]
      }
    }
    c.beyond(
      "throw-race", "a thenable throws, and resolves on another thread, at the same instant: one wins",
      needs: needs
    ) { p in
      var all: [Calls] = []
      for _ in p.rounds {
        let (d, kept) = (p.pending(), Gate<Kept>(p))
        let (thrown, value) = (SentinelError("thrown"), Sentinel("value"))
        let early = p.observe(d.promise)
        let x = p.thenable { resolve, reject in
          kept.open(Passed((resolve, reject)))
          throw thrown
        }
        try p.together([
          { d.resolve(x) },
          {
            do { try kept.pass().value.resolve(value) } catch { p.fail("the thenable was not called") }
          },
        ])
        try SettleRaces.agree(p, [early, p.observe(d.promise)])
        all.append(early)
      }
      try SettleRaces.once(p, all)
    }
    c.beyond(
      "elsewhere", "a thenable calls back on another thread while a handler is added", needs: needs
    ) { p in
      for _ in p.rounds {
        let (value, late) = (Sentinel("value"), p.calls("a racing handler"))
        let d = p.pending()
        d.resolve(p.thenable { resolve, _ in p.elsewhere { resolve(value) } })
        d.promise.then(late.handler)
        try p.expectCalled(late, with: value)
      }
    }
  }

  private static func race(
    _ p: Probe, _ actions: (Kept, Probe) -> [@Sendable () -> Void]
  ) throws {
    var all: [Calls] = []
    func asked() throws -> (promise: Subject, early: Calls, actions: [@Sendable () -> Void]) {
      let (d, kept) = (p.pending(), Gate<Kept>(p))
      let early = p.observe(d.promise)
      d.resolve(p.thenable { resolve, reject in kept.open(Passed((resolve, reject))) })
      return (d.promise, early, actions(try kept.pass(), p))
    }
    func check(_ promise: Subject, _ early: Calls) throws {
      let late = p.observe(promise)
      try SettleRaces.agree(p, [early, late])
      all += [early, late]
    }
    for _ in p.rounds {
      let asked = try asked()
      try p.together(asked.actions)
      try check(asked.promise, asked.early)
    }
    let meetings = try p.meet(
      asked, { $0.actions[0]() }, { for action in $0.actions.dropFirst() { action() } })
    for asked in meetings { try check(asked.promise, asked.early) }
    try SettleRaces.once(p, all)
  }
}
