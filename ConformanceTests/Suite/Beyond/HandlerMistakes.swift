/// Additional cases: mistakes that the official suite misses, although they need no other thread.
enum HandlerMistakes {
  /// An implementation that treats a stored `nil` as "no value yet" never settles such a promise.
  static func addNil(to c: inout ClauseBuilder) {
    c.beyond("nil", "a promise is fulfilled with nil, before and after `then`", needs: .untypedValues) { p in
      let (d, nothing) = (p.pending(), Passed(Any?.none as Any))
      let early = p.observe(d.promise)
      d.fulfill(nothing.value)
      try p.expectFulfilled(early, with: nothing.value)
      try p.expectFulfilled(d.promise, with: nothing.value)
      try p.expectFulfilled(p.fulfilled(nothing.value), with: nothing.value)
    }
  }

  /// An implementation that looks at the type of its outcome confuses such a value with a reason.
  static func addErrorAsValue(to c: inout ClauseBuilder) {
    c.beyond(
      "error-as-value", "a promise is fulfilled with an error, which is a value like any other",
      needs: .untypedValues
    ) { p in
      let (d, error) = (p.pending(), SentinelError("value"))
      let early = p.observe(d.promise)
      d.fulfill(error)
      try p.expectFulfilled(early, with: error)
      try p.expectFulfilled(d.promise, with: error)
      try p.expectFulfilled(p.fulfilled(error), with: error)
    }
  }

  static func addThrowing(_ side: Side, to c: inout ClauseBuilder) {
    c.beyond("throws", "a handler that throws is not called again", needs: .throwingHandlers) { p in
      let (d, handler) = (p.pending(), p.calls("a handler that throws"))
      let throwing = handler.handler(throwing: SentinelError("thrown"))
      d.promise.then(throwing, throwing)
      side.settle(d, "settled")
      d.promise.then(throwing, throwing)
      try handler.wait(2)
      try p.quiesce()
      try handler.expectCount(2)
    }
  }

  /// An error thrown by a handler affects only the promise of its `then` call, and that promise's
  /// descendants.
  static func addNeighbour(to c: inout ClauseBuilder) {
    c.beyond(
      "neighbour", "an error thrown by `onFulfilled` does not reach the `onRejected` beside it",
      needs: .throwingHandlers
    ) { p in
      let (thrown, beside) = (SentinelError("thrown"), p.calls("the onRejected beside it"))
      let next = p.fulfilled(Sentinel("dummy")).then({ _ in throw thrown }, beside.handler)
      try p.expectRejected(next, with: thrown)
      try p.quiesce()
      try beside.expectNone("with the error that `onFulfilled` threw")
    }
  }

  /// On a context that runs one job at a time, the outer handler makes all its `then` calls before the
  /// waiting handlers run.
  static func addOrder(_ side: Side, to c: inout ClauseBuilder) {
    c.beyond(
      "settled-inside-handler", "a handler settles a promise and calls its `then`: the new handlers run last",
      observesOrder: true
    ) { p in
      let (outer, d, order) = (p.pending(), p.pending(), Order(p))
      for name in 0..<3 { d.promise.then(order.handler(name), order.handler(name)) }
      outer.promise.then { _ in
        side.settle(d, "settled")
        for name in 3..<6 { d.promise.then(order.handler(name), order.handler(name)) }
        return ()
      }
      outer.fulfill(Sentinel("dummy"))
      try order.expect(Array(0..<6))
    }
  }
}
