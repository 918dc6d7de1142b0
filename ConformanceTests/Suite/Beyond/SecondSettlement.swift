/// Additional cases: the official suite counts the calls of a handler, so it does not detect a second
/// settlement that replaces the outcome. These cases register handlers afterwards.
enum SecondSettlement {
  private typealias Settle = @Sendable (PendingSubject) -> Void

  /// The calls to try on a settled promise.
  private static let attempts: [(name: String, title: String, needs: Capabilities, settle: Settle)] = [
    ("fulfilled", "fulfilled with another value", [], { $0.fulfill(Sentinel("second")) }),
    ("rejected", "rejected with another reason", [], { $0.reject(SentinelError("second")) }),
    ("resolved", "resolved with another value", .resolve, { $0.resolve(Sentinel("second")) }),
  ]

  static func addFulfilled(to c: inout ClauseBuilder) {
    for attempt in attempts {
      c.beyond(
        "then-\(attempt.name)",
        "a settled promise is then \(attempt.title); a late `then` sees the first value",
        needs: attempt.needs
      ) { p in
        let (d, first) = (p.pending(), Sentinel("first"))
        let early = p.observe(d.promise, as: "an early handler")
        d.fulfill(first)
        attempt.settle(d)
        try p.expectFulfilled(d.promise, with: first)
        p.elsewhere { attempt.settle(d) }
        try p.quiesce()
        try p.expectFulfilled(d.promise, with: first)
        try p.expectFulfilled(early, with: first)
        try early.expectCount(1)
      }
    }
    c.beyond(
      "then-resolved-with-promise", "a fulfilled promise is then resolved with a promise; it keeps its value",
      needs: [.resolve, .adoption]
    ) { p in
      let (d, first, x) = (p.pending(), Sentinel("first"), p.pending())
      d.fulfill(first)
      d.resolve(x.promise)
      try p.expectFulfilled(d.promise, with: first)
      x.reject(SentinelError("second"))
      try p.quiesce()
      try p.expectFulfilled(d.promise, with: first)
    }
    c.beyond("settled-by-its-handler", "a handler that settles its own promise changes nothing") { p in
      let (d, first) = (p.pending(), Sentinel("first"))
      let f = p.calls("onFulfilled")
      d.promise.then { value in
        d.fulfill(Sentinel("second"))
        d.reject(SentinelError("second"))
        f.record(value)
        return ()
      }
      d.fulfill(first)
      try p.expectCalled(f, with: first)
      try p.quiesce()
      try f.expectCount(1)
      try p.expectFulfilled(d.promise, with: first)
    }
  }

  static func addRejected(to c: inout ClauseBuilder) {
    for attempt in attempts {
      c.beyond(
        "then-\(attempt.name)",
        "a settled promise is then \(attempt.title); a late `then` sees the first reason",
        needs: attempt.needs
      ) { p in
        let (d, first) = (p.pending(), SentinelError("first"))
        let early = p.observe(d.promise, as: "an early handler")
        d.reject(first)
        attempt.settle(d)
        try p.expectRejected(d.promise, with: first)
        p.elsewhere { attempt.settle(d) }
        try p.quiesce()
        try p.expectRejected(d.promise, with: first)
        try p.expectRejected(early, with: first)
        try early.expectCount(1)
      }
    }
    c.beyond(
      "then-resolved-with-promise", "a rejected promise is then resolved with a promise; it keeps its reason",
      needs: [.resolve, .adoption]
    ) { p in
      let (d, first, x) = (p.pending(), SentinelError("first"), p.pending())
      d.reject(first)
      d.resolve(x.promise)
      try p.expectRejected(d.promise, with: first)
      x.fulfill(Sentinel("second"))
      try p.quiesce()
      try p.expectRejected(d.promise, with: first)
    }
  }
}
