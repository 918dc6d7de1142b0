/// Additional cases: adoption outside of handlers, long chains, and races.
enum Adoption {
  private static let needs: Capabilities = [.resolve, .adoption]

  static func addPending(to c: inout ClauseBuilder) {
    c.beyond("locked-in", "no other call settles a promise that waits for another promise", needs: needs) {
      p in
      let (d, x, value) = (p.pending(), p.pending(), Sentinel("value"))
      d.resolve(x.promise)
      d.fulfill(Sentinel("other"))
      d.reject(SentinelError("other"))
      d.resolve(p.fulfilled(Sentinel("other")))
      try p.expectPending(d.promise)
      x.fulfill(value)
      try p.expectFulfilled(d.promise, with: value)
    }
    c.beyond(
      "lock-in-race", "a promise is resolved with a promise and fulfilled at the same instant: one call wins",
      needs: needs
    ) { p in
      for _ in p.rounds {
        let (d, x) = (p.pending(), p.pending())
        let (value, other) = (Sentinel("value"), Sentinel("other"))
        let early = p.observe(d.promise)
        try p.together([{ d.resolve(x.promise) }, { d.fulfill(other) }, { x.fulfill(value) }])
        let late = p.observe(d.promise)
        try SettleRaces.agree(p, [early, late])
        guard case .fulfilled(let seen) = try early.first() as! Settlement,
          isSame(seen, value) || isSame(seen, other)
        else { throw CaseFailure("neither settlement won") }
      }
    }
  }

  static func add(_ side: Side, to c: inout ClauseBuilder) {
    let outcome = side.words.outcome
    c.beyond("resolve", "a promise is resolved with a promise outside of a handler", needs: needs) { p in
      let (dummy, x) = (side.outcome(outcome), p.pending())
      try side.expect(p, p.resolved(side.settled(p, with: dummy)), with: dummy)
      let promise = p.resolved(x.promise)
      side.settle(x, with: dummy)
      try side.expect(p, promise, with: dummy)
    }
    if side == .fulfilled { addFulfilled(to: &c) } else { addRejected(to: &c) }
    c.beyond(
      "race",
      "a promise is adopted and \(side) at the same instant: its adopter receives the \(outcome) once",
      needs: needs
    ) { p in
      let dummy = Passed(side.outcome(outcome))
      var all: [Calls] = []
      for _ in p.rounds {
        let (d, x, racing) = (p.pending(), p.pending(), p.calls("a racing handler"))
        let early = p.observe(d.promise)
        try p.together([
          { d.resolve(x.promise) }, { side.settle(x, with: dummy.value) },
          { d.promise.then(racing.handler, racing.handler) },
        ])
        try side.expect(p, early, with: dummy.value)
        all += [early, racing]
      }
      let meetings = try p.meet(
        {
          let (d, x) = (p.pending(), p.pending())
          return (d, x, p.observe(d.promise))
        }, { $0.0.resolve($0.1.promise) }, { side.settle($0.1, with: dummy.value) })
      try SettleRaces.once(p, all + meetings.map(\.2))
    }
  }

  private static func addFulfilled(to c: inout ClauseBuilder) {
    c.beyond("many-adopters", "a hundred promises adopt the same promise", needs: needs) { p in
      let (x, value) = (p.pending(), Sentinel("value"))
      let early = (0..<50).map { _ in p.observe(p.resolved(x.promise)) }
      x.fulfill(value)
      let late = (0..<50).map { _ in p.observe(p.resolved(x.promise)) }
      for endings in early + late { try p.expectFulfilled(endings, with: value) }
    }
    c.beyond("long", "a long line of promises, each resolved with the next", needs: needs) { p in
      let (line, value) = ((0..<p.most(10_000)).map { _ in p.pending() }, Sentinel("value"))
      for (d, next) in zip(line, line.dropFirst()) { d.resolve(next.promise) }
      line.last!.fulfill(value)
      try p.expectFulfilled(line[0].promise, with: value)
    }
    c.beyond(
      "long-from-the-end", "a line of promises, each resolved with the next, from the last to the first",
      needs: needs
    ) { p in
      let (line, value) = ((0..<500).map { _ in p.pending() }, Sentinel("value"))
      for (d, next) in zip(line, line.dropFirst()).reversed() { d.resolve(next.promise) }
      line.last!.fulfill(value)
      try p.expectFulfilled(line[0].promise, with: value)
    }
  }

  private static func addRejected(to c: inout ClauseBuilder) {
    c.beyond(
      "promise-as-reason",
      "an adopted promise has a promise as its reason: this reason is passed on, not adopted",
      needs: needs.union(.untypedReasons)
    ) { p in
      let (x, reason) = (p.pending(), p.fulfilled(Sentinel("wrong")))
      let promise = p.resolved(x.promise)
      x.reject(reason)
      try p.expectRejected(promise, with: reason)
    }
  }
}
