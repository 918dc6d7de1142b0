/// 2.2.2: `onFulfilled` is called after the fulfillment, with the value, once.
enum Clause2_2_2 {
  static let cases = HandlerCalls.cases("2.2.2", .fulfilled)
}

/// 2.2.3: `onRejected` is called after the rejection, with the reason, once.
enum Clause2_2_3 {
  static let cases = HandlerCalls.cases("2.2.3", .rejected)
}

/// The cases of clauses 2.2.2 and 2.2.3.
private enum HandlerCalls {
  static func cases(_ clause: String, _ side: Side) -> [ConformanceCase] {
    outcome("\(clause).1", side) + notBefore("\(clause).2", side) + once("\(clause).3", side)
  }

  private static func outcome(_ clause: String, _ side: Side) -> [ConformanceCase] {
    ClauseBuilder.cases(clause) { c in
      c.each(side, "the handler is called with the \(side.words.outcome)") { p, promise, dummy in
        let calls = p.calls(side.words.handler)
        side.handle(promise, calls.handler)
        try p.expectCalled(calls, with: dummy)
      }
      SeveralReaders.add(side, to: &c)
      if side == .fulfilled {
        HandlerMistakes.addNil(to: &c)
        HandlerMistakes.addErrorAsValue(to: &c)
      }
      SettleRaces.addWakeUp(side, to: &c)
    }
  }

  /// A pending promise with one handler.
  private static func handled(_ p: Probe, _ side: Side) -> (pending: PendingSubject, calls: Calls) {
    let (d, calls) = (p.pending(), p.calls(side.words.handler))
    side.handle(d.promise, calls.handler)
    return (d, calls)
  }

  private static func notBefore(_ clause: String, _ side: Side) -> [ConformanceCase] {
    ClauseBuilder.cases(clause) { c in
      c.official("the handler is not called before the promise is \(side) on another thread") { p in
        let (d, calls) = handled(p, side)
        try p.quiesce()
        try calls.expectNone("before the promise was \(side)")
        p.elsewhere { side.settle(d, "dummy") }
        try calls.wait()
      }
      c.official("the handler is never called if the promise is never \(side)") { p in
        let (d, calls) = handled(p, side)
        try p.quiesce()
        try calls.expectNone("although the promise was never \(side)")
        withExtendedLifetime(d) {}
      }
    }
  }

  private static func once(_ clause: String, _ side: Side) -> [ConformanceCase] {
    ClauseBuilder.cases(clause) { c in
      c.official("a promise that is \(side) already") { p in
        let calls = p.calls(side.words.handler)
        side.handle(side.settled(p, with: side.outcome("dummy")), calls.handler)
        try once(p, calls)
      }
      c.official("\(side) twice at once") { p in
        let (d, calls) = handled(p, side)
        side.settle(d, "dummy")
        side.settle(d, "again")
        try once(p, calls)
      }
      c.official("\(side) twice later, on another thread") { p in
        let (d, calls) = handled(p, side)
        p.elsewhere {
          side.settle(d, "dummy")
          side.settle(d, "again")
        }
        try once(p, calls)
      }
      c.official("\(side) at once, and again after the handler has run") { p in
        let (d, calls) = handled(p, side)
        side.settle(d, "dummy")
        try calls.wait()
        p.elsewhere { side.settle(d, "again") }
        try once(p, calls)
      }
      c.official("several `then` calls with time between them") { p in
        let d = p.pending()
        let all = (1...3).map { p.calls("\(side.words.handler) \($0)") }
        for calls in all {
          side.handle(d.promise, calls.handler)
          try p.quiesce()
        }
        side.settle(d, "dummy")
        for calls in all { try once(p, calls) }
      }
      c.official("`then` before and after the \(side.words.settlement)") { p in
        let d = p.pending()
        let (before, after) = (
          p.calls("\(side.words.handler) before"), p.calls("\(side.words.handler) after")
        )
        side.handle(d.promise, before.handler)
        side.settle(d, "dummy")
        side.handle(d.promise, after.handler)
        try once(p, before)
        try once(p, after)
      }
      SettleRaces.add(side, to: &c)
      HandlerMistakes.addThrowing(side, to: &c)
    }
  }

  private static func once(_ p: Probe, _ calls: Calls) throws {
    try calls.wait()
    try p.quiesce()
    try calls.expectCount(1)
  }
}
