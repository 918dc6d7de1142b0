/// 2.1: a settled promise does not change.
enum Clause2_1 {
  static let cases = cases("2.1.2.1", .fulfilled) + cases("2.1.3.1", .rejected)

  private static func cases(_ clause: String, _ side: Side) -> [ConformanceCase] {
    let other = side.other
    return ClauseBuilder.cases(clause) { c in
      c.each(side, "the \(other.words.settlement) handler is never called") { p, promise, dummy in
        let (called, never) = (p.calls(side.words.handler), p.calls(other.words.handler))
        side.handle(promise, called.handler, other: never.handler)
        try staysSo(p, called, dummy, never: never)
      }
      c.official("\(side), then \(other) at once") { p in
        let (d, dummy, called, never) = handled(p, side)
        side.settle(d, with: dummy)
        other.settle(d, "late")
        try staysSo(p, called, dummy, never: never)
      }
      c.official("\(side), then \(other), both later on another thread") { p in
        let (d, dummy, called, never) = handled(p, side)
        let first = Passed(dummy)
        p.elsewhere {
          side.settle(d, with: first.value)
          other.settle(d, "late")
        }
        try staysSo(p, called, dummy, never: never)
      }
      c.official("\(side) at once, \(other) after the handler has run") { p in
        let (d, dummy, called, never) = handled(p, side)
        side.settle(d, with: dummy)
        try called.wait()
        p.elsewhere { other.settle(d, "late") }
        try staysSo(p, called, dummy, never: never)
      }
      SecondSettlement.add(side, to: &c)
      if side == .fulfilled { SecondSettlement.addByItsHandler(to: &c) }
      SettleRaces.addFinality(to: &c)
    }
  }

  /// A pending promise with two handlers, and an outcome for the promise.
  private static func handled(
    _ p: Probe, _ side: Side
  ) -> (pending: PendingSubject, dummy: Any, called: Calls, never: Calls) {
    let (d, called, never) = (
      p.pending(), p.calls(side.words.handler), p.calls(side.other.words.handler)
    )
    side.handle(d.promise, called.handler, other: never.handler)
    return (d, side.outcome("dummy"), called, never)
  }

  /// Fails unless one handler is called with `dummy`, and the other is never called.
  private static func staysSo(_ p: Probe, _ called: Calls, _ dummy: Any, never other: Calls) throws {
    try p.expectCalled(called, with: dummy)
    try p.quiesce()
    try other.expectNone("after the promise was settled otherwise")
  }
}
