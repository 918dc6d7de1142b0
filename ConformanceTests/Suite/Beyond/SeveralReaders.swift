/// Additional cases: every handler of a promise receives the same value or reason, unchanged.
enum SeveralReaders {
  static func add(_ side: Side, to c: inout ClauseBuilder) {
    let outcome = side.words.outcome
    c.beyond(
      "one-\(outcome)", "handlers added before, after, and inside a handler receive the same \(outcome)"
    ) { p in
      let (d, dummy) = (p.pending(), side.outcome(outcome))
      let (early, late, inner) = (p.calls("early"), p.calls("late"), p.calls("inner"))
      side.handle(d.promise, early.handler)
      side.handle(d.promise) { _ in
        side.handle(d.promise, inner.handler)
        return ()
      }
      side.settle(d, with: dummy)
      side.handle(d.promise, late.handler)
      for calls in [early, late, inner] { try p.expectCalled(calls, with: dummy) }
    }
    if side == .fulfilled { addFulfilled(to: &c) } else { addRejected(to: &c) }
  }

  private static func addFulfilled(to c: inout ClauseBuilder) {
    c.beyond("any-value", "values of many types are passed on unchanged", needs: .untypedValues) { p in
      struct Pair {
        let left: Sentinel
        let right: Sentinel
      }
      let values: [Any] = [
        1, "text", [1, 2], ["key": 1.5], Pair(left: Sentinel("left"), right: Sentinel("right")), (), Int.self,
      ]
      for value in values { try p.expectFulfilled(p.fulfilled(value), with: value) }
    }
  }

  private static func addRejected(to c: inout ClauseBuilder) {
    c.beyond(
      "promise-as-reason", "a promise as reason is not adopted, whatever its state", needs: .untypedReasons
    ) { p in
      let reasons = [p.pending().promise, p.fulfilled(Sentinel("x")), p.rejected(SentinelError("x"))]
      for reason in reasons {
        let d = p.pending()
        d.reject(reason)
        try p.expectRejected(d.promise, with: reason)
        try p.expectRejected(p.rejected(reason), with: reason)
      }
    }
    c.beyond(
      "thenable-as-reason", "if a thenable is a reason, its `then` is never read",
      needs: [.untypedReasons, .thenables]
    ) { p in
      let source = ThenableSource { { resolve, _ in resolve(Sentinel("wrong")) } }
      let reason = p.thenable(source)
      let d = p.pending()
      d.reject(reason)
      try p.expectRejected(d.promise, with: reason)
      try p.expectRejected(d.promise.then { _ in () }, with: reason)
      if source.reads != 0 { throw CaseFailure("`then` was read \(source.reads) times") }
    }
  }
}
