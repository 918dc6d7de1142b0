/// 2.1: a settled promise does not change.
enum Clause2_1 {
  static let cases = fulfilled + rejected

  private static let fulfilled = ClauseBuilder.cases("2.1.2.1") { c in
    c.eachFulfilled("the rejection handler is never called") { p, promise, dummy in
      let (f, r) = (p.calls("onFulfilled"), p.calls("onRejected"))
      promise.then(f.handler, r.handler)
      try staysSo(p, f, dummy, never: r)
    }
    c.official("fulfilled, then rejected at once") { p in
      let (d, dummy) = (p.pending(), Sentinel("dummy"))
      let (f, r) = (p.calls("onFulfilled"), p.calls("onRejected"))
      d.promise.then(f.handler, r.handler)
      d.fulfill(dummy)
      d.reject(SentinelError("late"))
      try staysSo(p, f, dummy, never: r)
    }
    c.official("fulfilled, then rejected, both later on another thread") { p in
      let (d, dummy) = (p.pending(), Sentinel("dummy"))
      let (f, r) = (p.calls("onFulfilled"), p.calls("onRejected"))
      d.promise.then(f.handler, r.handler)
      p.elsewhere {
        d.fulfill(dummy)
        d.reject(SentinelError("late"))
      }
      try staysSo(p, f, dummy, never: r)
    }
    c.official("fulfilled at once, rejected after the handler has run") { p in
      let (d, dummy) = (p.pending(), Sentinel("dummy"))
      let (f, r) = (p.calls("onFulfilled"), p.calls("onRejected"))
      d.promise.then(f.handler, r.handler)
      d.fulfill(dummy)
      try f.wait()
      p.elsewhere { d.reject(SentinelError("late")) }
      try staysSo(p, f, dummy, never: r)
    }
    SecondSettlement.add(.fulfilled, to: &c)
    SecondSettlement.addByItsHandler(to: &c)
    SettleRaces.addFinality(to: &c)
  }

  private static let rejected = ClauseBuilder.cases("2.1.3.1") { c in
    c.eachRejected("the fulfillment handler is never called") { p, promise, dummy in
      let (f, r) = (p.calls("onFulfilled"), p.calls("onRejected"))
      promise.then(f.handler, r.handler)
      try staysSo(p, r, dummy, never: f)
    }
    c.official("rejected, then fulfilled at once") { p in
      let (d, dummy) = (p.pending(), SentinelError("dummy"))
      let (f, r) = (p.calls("onFulfilled"), p.calls("onRejected"))
      d.promise.then(f.handler, r.handler)
      d.reject(dummy)
      d.fulfill(Sentinel("late"))
      try staysSo(p, r, dummy, never: f)
    }
    c.official("rejected, then fulfilled, both later on another thread") { p in
      let (d, dummy) = (p.pending(), SentinelError("dummy"))
      let (f, r) = (p.calls("onFulfilled"), p.calls("onRejected"))
      d.promise.then(f.handler, r.handler)
      p.elsewhere {
        d.reject(dummy)
        d.fulfill(Sentinel("late"))
      }
      try staysSo(p, r, dummy, never: f)
    }
    c.official("rejected at once, fulfilled after the handler has run") { p in
      let (d, dummy) = (p.pending(), SentinelError("dummy"))
      let (f, r) = (p.calls("onFulfilled"), p.calls("onRejected"))
      d.promise.then(f.handler, r.handler)
      d.reject(dummy)
      try r.wait()
      p.elsewhere { d.fulfill(Sentinel("late")) }
      try staysSo(p, r, dummy, never: f)
    }
    SecondSettlement.add(.rejected, to: &c)
    SettleRaces.addFinality(to: &c)
  }

  /// One handler is called with `dummy`; the other one is not called, even after all due handlers have run.
  private static func staysSo(_ p: Probe, _ called: Calls, _ dummy: Any, never other: Calls) throws {
    try p.expectCalled(called, with: dummy)
    try p.quiesce()
    try other.expectNone("after the promise was settled otherwise")
  }
}
