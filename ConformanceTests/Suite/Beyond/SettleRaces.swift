/// Additional cases: settling and registering from several threads at once.
enum SettleRaces {
  static func add(_ side: Side, to c: inout ClauseBuilder) {
    let name = side == .fulfilled ? "fulfill-race" : "reject-race"
    c.beyond(name, "a promise is \(side) by several threads at once: one wins, and all handlers agree") { p in
      try settleRace(p) { d, number in side.settle(d, "\(number)") }
    }
    let title = "`then` on several threads and the \(side.words.settlement) at the same instant"
    c.beyond("thens-race", title) { p in try thenRace(p, registering: 3, side) }
    guard side == .fulfilled else { return }
    c.beyond("late-thens-race", "`then` on several threads, on a promise that is fulfilled already") { p in
      var all: [Calls] = []
      for _ in p.rounds {
        let promise = p.fulfilled(Sentinel("value"))
        let handlers = (0..<3).map { p.calls("late handler \($0)") }
        try p.together(handlers.map { f in { @Sendable in promise.then(f.handler) } })
        all += handlers
      }
      try once(p, all)
    }
  }

  /// Adds a case to the clauses about the finality of a settlement.
  static func addFinality(to c: inout ClauseBuilder) {
    c.beyond(
      "settle-race", "a promise is settled by several threads at once: one wins, and all handlers agree"
    ) { p in
      let settle = { @Sendable (d: PendingSubject, number: Int) in
        let side: Side = number.isMultiple(of: 2) ? .fulfilled : .rejected
        side.settle(d, "\(number)")
      }
      try settleRace(p, settle)
      let meetings = try p.meet(
        {
          let d = p.pending()
          return (d, p.observe(d.promise))
        }, { settle($0.0, 0) }, { settle($0.0, 1) })
      for (d, early) in meetings { try agree(p, [early, p.observe(d.promise, as: "a late handler")]) }
      try once(p, meetings.map(\.1))
    }
  }

  /// Adds cases to the clauses about the call of a handler.
  static func addWakeUp(_ side: Side, to c: inout ClauseBuilder) {
    c.beyond("then-race", "`then` and the settling call at the same instant: the handler is called, once") {
      p in
      try thenRace(p, registering: 1, side)
      let meetings = try p.meet(
        { (p.pending(), p.calls("a racing handler")) },
        { $0.0.promise.then($0.1.handler, $0.1.handler) }, { side.settle($0.0, "settled") })
      try once(p, meetings.map(\.1))
    }
  }

  private static func settleRace(
    _ p: Probe, _ settle: @escaping @Sendable (PendingSubject, Int) -> Void
  ) throws {
    var all: [Calls] = []
    for _ in p.rounds {
      let d = p.pending()
      var observers = (0..<2).map { p.observe(d.promise, as: "handler \($0)") }
      try p.together((0..<4).map { number in { settle(d, number) } })
      observers.append(p.observe(d.promise, as: "a late handler"))
      try agree(p, observers)
      all += observers
    }
    try once(p, all)
  }

  private static func thenRace(_ p: Probe, registering count: Int, _ side: Side) throws {
    var all: [Calls] = []
    for _ in p.rounds {
      let d = p.pending()
      let racing = (0..<count).map { p.calls("racing handler \($0)") }
      try p.together(
        racing.map { calls in { @Sendable in d.promise.then(calls.handler, calls.handler) } } + [
          { side.settle(d, "settled") }
        ])
      all += racing
    }
    try once(p, all)
  }

  /// Fails unless all observers saw the same ending, with the same instance.
  static func agree(_ p: Probe, _ observers: [Calls]) throws {
    let first = try observers[0].first() as! Settlement
    for other in observers.dropFirst() {
      switch (first, try other.first() as! Settlement) {
      case (.fulfilled(let a), .fulfilled(let b)), (.rejected(let a), .rejected(let b)):
        try p.expectSame(b, a, "the outcome that another handler received")
      default: throw CaseFailure("handlers disagree on whether the promise was fulfilled")
      }
    }
  }

  /// Fails unless each handler was called exactly once.
  static func once(_ p: Probe, _ all: [Calls]) throws {
    for calls in all { try calls.wait() }
    try p.quiesce()
    for calls in all { try calls.expectCount(1) }
  }
}
