/// Additional cases: ordinary chains.
enum Chains {
  static func add(to c: inout ClauseBuilder) {
    c.beyond("long", "a chain of a thousand steps passes the value on") { p in
      let (d, value) = (p.pending(), Sentinel("value"))
      var last = d.promise
      for _ in 0..<1_000 { last = last.then { $0 } }
      d.fulfill(value)
      try p.expectFulfilled(last, with: value)
    }
    c.beyond(
      "recovers", "a rejection skips fulfillment handlers, up to the first rejection handler",
      needs: .throwingHandlers
    ) { p in
      let (thrown, value, skipped) = (
        SentinelError("thrown"), Sentinel("value"), p.calls("a skipped handler")
      )
      let handled = p.calls("onRejected")
      let last = p.fulfilled(Sentinel("dummy"))
        .then { _ in throw thrown }
        .then(skipped.handler)
        .then(skipped.handler)
        .onRejected(handled.handler(returning: value))
      try p.expectFulfilled(last, with: value)
      try p.expectCalled(handled, with: thrown)
      try skipped.expectNone("although the promise before it was rejected")
    }
    c.beyond("no-handlers", "`then` without any handler passes value and reason on", needs: .absentHandlers) {
      p in
      let (value, reason) = (Sentinel("value"), SentinelError("reason"))
      try p.expectFulfilled(p.fulfilled(value).then(nil, nil), with: value)
      try p.expectRejected(p.rejected(reason).then(nil, nil), with: reason)
    }
    c.beyond("step-race", "a step is added at the instant when the step before it runs") { p in
      for _ in p.rounds {
        let (d, value) = (p.pending(), Sentinel("value"))
        let step = d.promise.then { $0 }
        let seen = p.calls("the second step")
        try p.together([{ d.fulfill(value) }, { step.then(seen.handler) }])
        try p.expectCalled(seen, with: value)
      }
    }
  }
}
