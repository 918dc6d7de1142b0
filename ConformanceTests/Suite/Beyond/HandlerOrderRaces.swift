/// Additional cases: the order of many handlers, with and without races.
enum HandlerOrderRaces {
  static func add(_ side: Side, to c: inout ClauseBuilder) {
    let settlement = side.words.settlement
    c.beyond(
      "late-then", "`then` calls that race with the \(settlement) stay in order", observesOrder: true
    ) { p in try lateThens(p, side) }
    c.beyond(
      "right-after", "handlers that are added right after the \(settlement) run after earlier handlers",
      observesOrder: true
    ) { p in try rightAfter(p, side) }
    guard side == .fulfilled else { return }
    c.beyond("many", "five hundred handlers are called in order", observesOrder: true) { p in
      let (d, order) = (p.pending(), Order(p))
      for name in 0..<400 { d.promise.then(order.handler(name)) }
      d.fulfill(Sentinel("value"))
      for name in 400..<500 { d.promise.then(order.handler(name)) }
      try order.expect(Array(0..<500))
    }
    c.beyond(
      "adopter", "an adopter's early and late handlers are called in order",
      needs: [.resolve, .adoption], observesOrder: true
    ) { p in
      let (d, x, order) = (p.pending(), p.pending(), Order(p))
      d.promise.then(order.handler(1))
      d.resolve(x.promise)
      d.promise.then(order.handler(2))
      x.fulfill(Sentinel("value"))
      d.promise.then(order.handler(3))
      try order.expect([1, 2, 3])
    }
  }

  /// Makes more `then` calls right after the settling call, when other threads have had little time to act.
  private static func rightAfter(_ p: Probe, _ side: Side) throws {
    for _ in p.rounds {
      let (d, order) = (p.pending(), Order(p))
      for name in 0..<4 { d.promise.then(order.handler(name), order.handler(name)) }
      side.settle(d, "settled")
      for name in 4..<8 { d.promise.then(order.handler(name), order.handler(name)) }
      try order.expect(Array(0..<8))
    }
  }

  /// One thread registers one handler after another. The other thread settles the promise in between, at a
  /// point that differs in each round.
  private static func lateThens(_ p: Probe, _ side: Side) throws {
    let last = 20
    for round in p.rounds {
      let (d, order, registered) = (p.pending(), Order(p), Counter())
      try p.together([
        {
          for name in 0...last {
            d.promise.then(order.handler(name), order.handler(name))
            registered.increment()
          }
        },
        {
          registered.wait(for: round % last + 1)
          side.settle(d, "settled")
        },
      ])
      try order.expect(Array(0...last))
    }
  }
}
