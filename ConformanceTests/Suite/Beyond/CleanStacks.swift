/// Additional cases: more calls that must not run a handler on their stack.
enum CleanStacks {
  static func add(to c: inout ClauseBuilder) {
    c.beyond("settled-inside-handler", "a handler settles another promise, whose handler runs later") { p in
      let (outer, d, f) = (p.pending(), p.pending(), p.calls("onFulfilled"))
      d.promise.then(f.handler)
      outer.promise.then { _ in
        d.fulfill(Sentinel("value"))
        return ()
      }
      outer.fulfill(Sentinel("dummy"))
      try Clause2_2_4.cleanStack(f)
    }
    c.beyond(
      "adopted-settles", "an adopted promise is settled: no handler runs on that stack",
      needs: [.resolve, .adoption]
    ) { p in
      for side in Side.allCases {
        let (d, x, calls) = (p.pending(), p.pending(), p.calls("the adopter's handler"))
        d.promise.then(calls.handler, calls.handler)
        d.resolve(x.promise)
        side.settle(x, "outcome")
        try Clause2_2_4.cleanStack(calls)
      }
    }
    c.beyond(
      "adopts-settled", "a promise is resolved with a settled promise: no handler runs on that stack",
      needs: [.resolve, .adoption]
    ) { p in
      for x in [p.fulfilled(Sentinel("value")), p.rejected(SentinelError("reason"))] {
        let (d, calls) = (p.pending(), p.calls("the adopter's handler"))
        d.promise.then(calls.handler, calls.handler)
        d.resolve(x)
        try Clause2_2_4.cleanStack(calls)
      }
    }
    c.beyond(
      "thenable-settles", "a thenable calls back synchronously: no handler runs on its stack",
      needs: [.resolve, .thenables]
    ) { p in
      for isRejected in [false, true] {
        let (d, calls) = (p.pending(), p.calls("a handler"))
        d.promise.then(calls.handler, calls.handler)
        d.resolve(
          p.thenable { resolve, reject in
            isRejected ? reject(SentinelError("reason")) : resolve(Sentinel("value"))
          })
        try Clause2_2_4.cleanStack(calls)
      }
    }
    c.beyond(
      "racing-calls", "`then` races with the settling call: the handler runs on the stack of neither call"
    ) { p in
      for _ in p.rounds {
        let (d, calls) = (p.pending(), p.calls("a racing handler"))
        try p.together([
          { d.promise.then(calls.handler, calls.handler) }, { d.fulfill(Sentinel("value")) },
        ])
        try Clause2_2_4.cleanStack(calls)
      }
    }
    c.beyond("chained", "the second handler of a chain does not run on the stack of the first handler") { p in
      let (d, calls) = (p.pending(), p.calls("the second handler"))
      d.promise.then { _ in Sentinel("next") }.then(calls.handler)
      d.fulfill(Sentinel("value"))
      try Clause2_2_4.cleanStack(calls)
    }
  }
}
