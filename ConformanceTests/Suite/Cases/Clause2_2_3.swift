/// 2.2.3: `onRejected` is called after the rejection, with the reason, once.
enum Clause2_2_3 {
  static let cases = reason + notBefore + once

  private static let reason = ClauseBuilder.cases("2.2.3.1") { c in
    c.eachRejected("called with the reason") { p, promise, dummy in
      let r = p.calls("onRejected")
      promise.onRejected(r.handler)
      try p.expectCalled(r, with: dummy)
    }
    SeveralReaders.addRejected(to: &c)
    SettleRaces.addWakeUp(to: &c, isRejected: true)
  }

  private static let notBefore = ClauseBuilder.cases("2.2.3.2") { c in
    c.official("not before the promise is rejected, later") { p in
      let (d, r) = (p.pending(), p.calls("onRejected"))
      d.promise.onRejected(r.handler)
      try p.quiesce()
      try r.expectNone("before the promise was rejected")
      p.elsewhere { d.reject(SentinelError("dummy")) }
      try r.wait()
    }
    c.official("never, if the promise is never rejected") { p in
      let (d, r) = (p.pending(), p.calls("onRejected"))
      d.promise.onRejected(r.handler)
      try p.quiesce()
      try r.expectNone("although the promise was never rejected")
    }
  }

  private static let once = ClauseBuilder.cases("2.2.3.3") { c in
    c.official("a promise that is rejected already") { p in
      let r = p.calls("onRejected")
      p.rejected(SentinelError("dummy")).onRejected(r.handler)
      try Self.once(p, r)
    }
    c.official("rejected twice at once") { p in
      let (d, r) = (p.pending(), p.calls("onRejected"))
      d.promise.onRejected(r.handler)
      d.reject(SentinelError("dummy"))
      d.reject(SentinelError("again"))
      try Self.once(p, r)
    }
    c.official("rejected twice later, on another thread") { p in
      let (d, r) = (p.pending(), p.calls("onRejected"))
      d.promise.onRejected(r.handler)
      p.elsewhere {
        d.reject(SentinelError("dummy"))
        d.reject(SentinelError("again"))
      }
      try Self.once(p, r)
    }
    c.official("rejected at once, and again after the handler has run") { p in
      let (d, r) = (p.pending(), p.calls("onRejected"))
      d.promise.onRejected(r.handler)
      d.reject(SentinelError("dummy"))
      try r.wait()
      p.elsewhere { d.reject(SentinelError("again")) }
      try Self.once(p, r)
    }
    c.official("several `then` calls with time between them") { p in
      let d = p.pending()
      let all = (1...3).map { p.calls("onRejected \($0)") }
      for r in all {
        d.promise.onRejected(r.handler)
        try p.quiesce()
      }
      d.reject(SentinelError("dummy"))
      for r in all { try Self.once(p, r) }
    }
    c.official("`then` before and after the rejection") { p in
      let d = p.pending()
      let (before, after) = (p.calls("onRejected before"), p.calls("onRejected after"))
      d.promise.onRejected(before.handler)
      d.reject(SentinelError("dummy"))
      d.promise.onRejected(after.handler)
      try Self.once(p, before)
      try Self.once(p, after)
    }
    SettleRaces.addRejected(to: &c)
    HandlerMistakes.addThrowing(to: &c, isRejected: true)
  }

  static func once(_ p: Probe, _ calls: Calls) throws {
    try calls.wait()
    try p.quiesce()
    try calls.expectCount(1)
  }
}
