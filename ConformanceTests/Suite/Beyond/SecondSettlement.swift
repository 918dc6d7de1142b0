/// Additional cases: a second settlement must not replace the outcome. The official suite only counts the
/// calls of a handler. These cases register handlers after the second settlement.
enum SecondSettlement {
  private typealias Settle = @Sendable (PendingSubject) -> Void

  /// The calls to try on a settled promise.
  private static let attempts: [(name: String, title: String, needs: Capabilities, settle: Settle)] = [
    ("fulfilled", "fulfilled with another value", [], { $0.fulfill(Sentinel("second")) }),
    ("rejected", "rejected with another reason", [], { $0.reject(SentinelError("second")) }),
    ("resolved", "resolved with another value", .resolve, { $0.resolve(Sentinel("second")) }),
  ]

  static func add(_ side: Side, to c: inout ClauseBuilder) {
    for attempt in attempts {
      c.beyond(
        "then-\(attempt.name)",
        "a settled promise is then \(attempt.title); a late handler receives the first \(side.words.outcome)",
        needs: attempt.needs
      ) { p in
        let (d, first) = (p.pending(), side.outcome("first"))
        let early = p.observe(d.promise, as: "an early handler")
        side.settle(d, with: first)
        attempt.settle(d)
        try side.expect(p, d.promise, with: first)
        p.elsewhere { attempt.settle(d) }
        try p.quiesce()
        try side.expect(p, d.promise, with: first)
        try side.expect(p, early, with: first)
        try early.expectCount(1)
      }
    }
    c.beyond(
      "then-resolved-with-promise",
      "a \(side) promise is then resolved with a promise; it keeps its \(side.words.outcome)",
      needs: [.resolve, .adoption]
    ) { p in
      let (d, first, x) = (p.pending(), side.outcome("first"), p.pending())
      side.settle(d, with: first)
      d.resolve(x.promise)
      try side.expect(p, d.promise, with: first)
      side.other.settle(x, "second")
      try p.quiesce()
      try side.expect(p, d.promise, with: first)
    }
  }

  static func addByItsHandler(to c: inout ClauseBuilder) {
    c.beyond("settled-by-its-handler", "a handler that settles its own promise changes nothing") { p in
      let (d, first) = (p.pending(), Sentinel("first"))
      let f = p.calls("onFulfilled")
      d.promise.then { value in
        f.record(value)
        // Only once, because a promise that settles again may call its handlers again.
        guard f.count == 1 else { return () }
        d.fulfill(Sentinel("second"))
        d.reject(SentinelError("second"))
        return ()
      }
      d.fulfill(first)
      try p.expectCalled(f, with: first)
      try p.quiesce()
      try f.expectCount(1)
      try p.expectFulfilled(d.promise, with: first)
    }
  }
}
