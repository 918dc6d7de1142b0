/// 2.2.2: `onFulfilled` is called after the fulfillment, with the value, once.
enum Clause2_2_2 {
  static let cases = value + notBefore + once

  private static let value = ClauseBuilder.cases("2.2.2.1") { c in
    c.eachFulfilled("called with the value") { p, promise, dummy in
      let f = p.calls("onFulfilled")
      promise.then(f.handler)
      try p.expectCalled(f, with: dummy)
    }
    SeveralReaders.addFulfilled(to: &c)
    HandlerMistakes.addNil(to: &c)
    SettleRaces.addWakeUp(to: &c, isRejected: false)
  }

  private static let notBefore = ClauseBuilder.cases("2.2.2.2") { c in
    c.official("not before the promise is fulfilled, later") { p in
      let (d, f) = (p.pending(), p.calls("onFulfilled"))
      d.promise.then(f.handler)
      try p.quiesce()
      try f.expectNone("before the promise was fulfilled")
      p.elsewhere { d.fulfill(Sentinel("dummy")) }
      try f.wait()
    }
    c.official("never, if the promise is never fulfilled") { p in
      let (d, f) = (p.pending(), p.calls("onFulfilled"))
      d.promise.then(f.handler)
      try p.quiesce()
      try f.expectNone("although the promise was never fulfilled")
    }
  }

  private static let once = ClauseBuilder.cases("2.2.2.3") { c in
    c.official("a promise that is fulfilled already") { p in
      let f = p.calls("onFulfilled")
      p.fulfilled(Sentinel("dummy")).then(f.handler)
      try Self.once(p, f)
    }
    c.official("fulfilled twice at once") { p in
      let (d, f) = (p.pending(), p.calls("onFulfilled"))
      d.promise.then(f.handler)
      d.fulfill(Sentinel("dummy"))
      d.fulfill(Sentinel("again"))
      try Self.once(p, f)
    }
    c.official("fulfilled twice later, on another thread") { p in
      let (d, f) = (p.pending(), p.calls("onFulfilled"))
      d.promise.then(f.handler)
      p.elsewhere {
        d.fulfill(Sentinel("dummy"))
        d.fulfill(Sentinel("again"))
      }
      try Self.once(p, f)
    }
    c.official("fulfilled at once, and again after the handler has run") { p in
      let (d, f) = (p.pending(), p.calls("onFulfilled"))
      d.promise.then(f.handler)
      d.fulfill(Sentinel("dummy"))
      try f.wait()
      p.elsewhere { d.fulfill(Sentinel("again")) }
      try Self.once(p, f)
    }
    c.official("several `then` calls with time between them") { p in
      let d = p.pending()
      let all = (1...3).map { p.calls("onFulfilled \($0)") }
      for f in all {
        d.promise.then(f.handler)
        try p.quiesce()
      }
      d.fulfill(Sentinel("dummy"))
      for f in all { try Self.once(p, f) }
    }
    c.official("`then` before and after the fulfillment") { p in
      let d = p.pending()
      let (before, after) = (p.calls("onFulfilled before"), p.calls("onFulfilled after"))
      d.promise.then(before.handler)
      d.fulfill(Sentinel("dummy"))
      d.promise.then(after.handler)
      try Self.once(p, before)
      try Self.once(p, after)
    }
    SettleRaces.addFulfilled(to: &c)
    HandlerMistakes.addThrowing(to: &c, isRejected: false)
  }

  static func once(_ p: Probe, _ calls: Calls) throws {
    try calls.wait()
    try p.quiesce()
    try calls.expectCount(1)
  }
}
