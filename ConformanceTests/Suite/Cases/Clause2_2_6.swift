/// 2.2.6: `then` may be called many times on one promise. The handlers run in the order of these calls.
enum Clause2_2_6 {
  static let cases = cases("2.2.6.1", .fulfilled) + cases("2.2.6.2", .rejected)

  private static func cases(_ clause: String, _ side: Side) -> [ConformanceCase] {
    ClauseBuilder.cases(clause) { c in
      c.each(side, "each of several handlers is called with the \(side.words.outcome)") { p, promise, dummy in
        let (all, never) = ((1...3).map { p.calls("handler \($0)") }, p.calls(side.other.words.handler))
        for calls in all {
          side.handle(promise, calls.handler(returning: Sentinel("other")), other: never.handler)
        }
        try called(p, all, with: dummy, never: never)
      }
      c.each(side, "one of several handlers throws", needs: .throwingHandlers) { p, promise, dummy in
        let (all, never) = ((1...3).map { p.calls("handler \($0)") }, p.calls(side.other.words.handler))
        side.handle(promise, all[0].handler, other: never.handler)
        side.handle(promise, all[1].handler(throwing: SentinelError("thrown")), other: never.handler)
        side.handle(promise, all[2].handler, other: never.handler)
        try called(p, all, with: dummy, never: never)
      }
      c.each(side, "each branch has its own outcome", needs: .throwingHandlers) { p, promise, _ in
        let (one, two, three) = (Sentinel("one"), SentinelError("two"), Sentinel("three"))
        let branches = [
          p.observe(side.handle(promise) { _ in one }), p.observe(side.handle(promise) { _ in throw two }),
          p.observe(side.handle(promise) { _ in three }),
        ]
        try p.expectFulfilled(branches[0], with: one)
        try p.expectRejected(branches[1], with: two)
        try p.expectFulfilled(branches[2], with: three)
      }
      c.each(side, "handlers are called in the order of the `then` calls", observesOrder: true) {
        p, promise, _ in
        let order = Order(p)
        for name in 1...3 { side.handle(promise, order.handler(name)) }
        try order.expect([1, 2, 3])
      }
      c.each(side, "in order, with one handler added inside another", observesOrder: true) {
        p, promise, _ in
        let (order, second) = (Order(p), Gate<Bool>(p))
        side.handle(promise) { _ in
          order.record(1)
          _ = try second.pass()
          side.handle(promise, order.handler(3))
          return ()
        }
        side.handle(promise, order.handler(2))
        second.open(true)
        try order.expect([1, 2, 3])
      }
      HandlerOrderRaces.add(side, to: &c)
      HandlerMistakes.addOrder(side, to: &c)
    }
  }

  private static func called(_ p: Probe, _ all: [Calls], with dummy: Any, never other: Calls) throws {
    for calls in all { try p.expectCalled(calls, with: dummy) }
    try p.quiesce()
    for calls in all { try calls.expectCount(1) }
    try other.expectNone("although the promise was settled otherwise")
  }
}
