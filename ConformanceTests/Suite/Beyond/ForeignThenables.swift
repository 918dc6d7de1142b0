/// Additional cases: thenables that misbehave, and thenables that use the promise that they resolve.
enum ForeignThenables {
  private static let needs: Capabilities = [.resolve, .thenables]

  static func add(to c: inout ClauseBuilder) {
    c.beyond(
      "resolve", "a promise is resolved with a thenable outside of a handler; `then` is read once",
      needs: needs
    ) { p in
      let value = Sentinel("value")
      let source = ThenableSource { { resolve, _ in resolve(value) } }
      try p.expectFulfilled(p.resolved(p.thenable(source)), with: value)
      try Clause2_3_3.expectOneRead(source)
    }
    c.beyond("locked-in", "no other call settles a promise that waits for a thenable", needs: needs) { p in
      let (d, value, kept) = (p.pending(), Sentinel("value"), Gate<Passed<@Sendable (Any) -> Void>>(p))
      d.resolve(p.thenable { resolve, _ in kept.open(Passed(resolve)) })
      let resolve = try kept.pass().value
      d.fulfill(Sentinel("other"))
      d.reject(SentinelError("other"))
      try p.expectPending(d.promise)
      resolve(value)
      try p.expectFulfilled(d.promise, with: value)
    }
    c.beyond("reaches-back", "a thenable uses the promise that is being resolved: no deadlock", needs: needs)
    { p in
      let (d, value, inner) = (p.pending(), Sentinel("value"), p.calls("a handler added inside"))
      let source = ThenableSource {
        d.promise.then(inner.handler)
        return { resolve, _ in
          d.promise.then(inner.handler)
          d.fulfill(Sentinel("other"))
          d.reject(SentinelError("other"))
          resolve(value)
        }
      }
      d.resolve(p.thenable(source))
      try p.expectFulfilled(d.promise, with: value)
      for call in try inner.wait(2) { try p.expectSame(call.value, value, "a handler's argument") }
    }
    c.beyond("throws-from-getter", "reading `then` throws while handlers wait", needs: needs) { p in
      let (d, reason) = (p.pending(), SentinelError("reason"))
      let early = p.observe(d.promise)
      d.resolve(p.thenable(ThenableSource { throw reason }))
      try p.expectRejected(early, with: reason)
      try p.quiesce()
      try early.expectCount(1)
    }
  }
}

/// Additional cases: arguments of `resolvePromise`.
enum ResolvedThenables {
  private static let needs: Capabilities = [.resolve, .thenables]

  static func add(to c: inout ClauseBuilder) {
    c.beyond(
      "itself", "a thenable resolves a promise with that promise itself", needs: needs.union(.adoption)
    ) { p in
      let d = p.pending()
      d.resolve(p.thenable { resolve, _ in resolve(d.promise) })
      try p.expectCycle(d.promise)
    }
    c.beyond(
      "nested", "a hundred thenables, each of which resolves with the next; each is read once", needs: needs
    ) { p in
      let value = Sentinel("value")
      var (sources, next): ([ThenableSource], Passed<Any>) = ([], Passed(value))
      for index in 0..<100 {
        let content = next
        let shape = ThenableSource.Shape.allCases[index % 3]
        let source = ThenableSource(shape) { { resolve, _ in resolve(content) } }
        sources.append(source)
        next = p.thenable(source)
      }
      try p.expectFulfilled(p.resolved(next), with: value)
      for source in sources { try Clause2_3_3.expectOneRead(source) }
    }
    c.beyond(
      "pending-promise",
      "a thenable resolves with a promise: the result is pending until that promise is settled", needs: needs
    ) { p in
      let (x, value) = (p.pending(), Sentinel("value"))
      let promise = p.resolved(p.thenable { resolve, _ in resolve(x.promise) })
      try p.expectPending(promise)
      x.fulfill(value)
      try p.expectFulfilled(promise, with: value)
    }
  }
}
