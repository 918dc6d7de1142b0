/// Additional cases: cycles of any length, closed in any way, whose promises must be rejected. Promises/A+
/// covers only a promise that is resolved with itself.
enum Cycles {
  private static let needs: Capabilities = [.resolve, .adoption]

  static func add(to c: inout ClauseBuilder) {
    c.beyond("self", "a promise is resolved with itself", needs: needs) { p in
      let d = p.pending()
      d.resolve(d.promise)
      try p.expectCycle(d.promise)
    }
    c.beyond(
      "self-elsewhere", "a promise with handlers is resolved with itself on another thread", needs: needs
    ) { p in
      let d = p.pending()
      let endings = p.observe(d.promise)
      p.elsewhere { d.resolve(d.promise) }
      try endings.wait()
      try p.expectCycle(d.promise)
    }
    for length in 2...3 {
      c.beyond("ring-of-\(length)", "\(length) promises, each resolved with the next", needs: needs) { p in
        let ring = (0..<length).map { _ in p.pending() }
        for (index, d) in ring.enumerated() { d.resolve(ring[(index + 1) % length].promise) }
        for d in ring { try p.expectCycle(d.promise) }
      }
    }
    c.beyond(
      "through-handler",
      "a handler returns a promise that follows the promise of the handler's own `then` call", needs: needs
    ) { p in
      let (x, second) = (p.pending(), Gate<Subject>(p))
      let promise = p.fulfilled(Sentinel("dummy")).then { _ in
        x.resolve(try second.pass())
        return x.promise
      }
      second.open(promise)
      try p.expectCycle(promise)
      try p.expectCycle(x.promise)
    }
    c.beyond("closed-by-two-threads", "two threads close a ring at the same instant", needs: needs) { p in
      for _ in p.rounds {
        let (a, b) = (p.pending(), p.pending())
        try p.together([{ a.resolve(b.promise) }, { b.resolve(a.promise) }])
        try p.expectCycle(a.promise)
        try p.expectCycle(b.promise)
      }
    }
    c.beyond("no-cycle", "two promises adopt the same promise, which is no cycle", needs: needs) { p in
      let (a, b, x, y) = (p.pending(), p.pending(), p.pending(), p.pending())
      let value = Sentinel("value")
      a.resolve(x.promise)
      b.resolve(x.promise)
      x.resolve(y.promise)
      y.fulfill(value)
      for d in [a, b, x] { try p.expectFulfilled(d.promise, with: value) }
    }
  }
}
