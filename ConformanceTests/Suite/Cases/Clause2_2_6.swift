/// 2.2.6: `then` may be called many times on one promise; its handlers are called in that order.
enum Clause2_2_6 {
  static let cases = fulfilled + rejected

  private static let fulfilled = ClauseBuilder.cases("2.2.6.1") { c in
    c.eachFulfilled("each of several handlers is called with the value") { p, promise, dummy in
      let (all, other) = ((1...3).map { p.calls("handler \($0)") }, p.calls("onRejected"))
      for f in all { promise.then(f.handler(returning: Sentinel("other")), other.handler) }
      try called(p, all, with: dummy, never: other)
    }
    c.eachFulfilled("one of several handlers throws", needs: .throwingHandlers) { p, promise, dummy in
      let (all, other) = ((1...3).map { p.calls("handler \($0)") }, p.calls("onRejected"))
      promise.then(all[0].handler, other.handler)
      promise.then(all[1].handler(throwing: SentinelError("thrown")), other.handler)
      promise.then(all[2].handler, other.handler)
      try called(p, all, with: dummy, never: other)
    }
    c.eachFulfilled("each branch has its own outcome", needs: .throwingHandlers) { p, promise, _ in
      let (one, two, three) = (Sentinel("one"), SentinelError("two"), Sentinel("three"))
      let branches = [
        p.observe(promise.then { _ in one }), p.observe(promise.then { _ in throw two }),
        p.observe(promise.then { _ in three }),
      ]
      try branch(p, branches, one, two, three)
    }
    c.eachFulfilled("handlers are called in the order of the `then` calls", observesOrder: true) {
      p, promise, _ in
      let order = p.order()
      for name in 1...3 { promise.then(order.handler(name)) }
      try order.expect([1, 2, 3])
    }
    c.eachFulfilled("in order, with one handler added inside another", observesOrder: true) {
      p, promise, _ in
      let (order, second) = (p.order(), Gate<Bool>(p))
      promise.then { _ in
        order.record(1)
        _ = try second.pass()
        promise.then(order.handler(3))
        return ()
      }
      promise.then(order.handler(2))
      second.open()
      try order.expect([1, 2, 3])
    }
    HandlerOrderRaces.addFulfilled(to: &c)
    HandlerMistakes.addOrder(to: &c, isRejected: false)
  }

  private static let rejected = ClauseBuilder.cases("2.2.6.2") { c in
    c.eachRejected("each of several handlers is called with the reason") { p, promise, dummy in
      let (all, other) = ((1...3).map { p.calls("handler \($0)") }, p.calls("onFulfilled"))
      for r in all { promise.then(other.handler, r.handler(returning: Sentinel("other"))) }
      try called(p, all, with: dummy, never: other)
    }
    c.eachRejected("one of several handlers throws", needs: .throwingHandlers) { p, promise, dummy in
      let (all, other) = ((1...3).map { p.calls("handler \($0)") }, p.calls("onFulfilled"))
      promise.then(other.handler, all[0].handler)
      promise.then(other.handler, all[1].handler(throwing: SentinelError("thrown")))
      promise.then(other.handler, all[2].handler)
      try called(p, all, with: dummy, never: other)
    }
    c.eachRejected("each branch has its own outcome", needs: .throwingHandlers) { p, promise, _ in
      let (one, two, three) = (Sentinel("one"), SentinelError("two"), Sentinel("three"))
      let branches = [
        p.observe(promise.onRejected { _ in one }), p.observe(promise.onRejected { _ in throw two }),
        p.observe(promise.onRejected { _ in three }),
      ]
      try branch(p, branches, one, two, three)
    }
    c.eachRejected("handlers are called in the order of the `then` calls", observesOrder: true) {
      p, promise, _ in
      let order = p.order()
      for name in 1...3 { promise.onRejected(order.handler(name)) }
      try order.expect([1, 2, 3])
    }
    c.eachRejected("in order, with one handler added inside another", observesOrder: true) {
      p, promise, _ in
      let (order, second) = (p.order(), Gate<Bool>(p))
      promise.onRejected { _ in
        order.record(1)
        _ = try second.pass()
        promise.onRejected(order.handler(3))
        return ()
      }
      promise.onRejected(order.handler(2))
      second.open()
      try order.expect([1, 2, 3])
    }
    HandlerOrderRaces.addRejected(to: &c)
    HandlerMistakes.addOrder(to: &c, isRejected: true)
  }

  private static func called(_ p: Probe, _ all: [Calls], with dummy: Any, never other: Calls) throws {
    for calls in all { try p.expectCalled(calls, with: dummy) }
    try p.quiesce()
    for calls in all { try calls.expectCount(1) }
    try other.expectNone("although the promise was settled otherwise")
  }

  private static func branch(
    _ p: Probe, _ branches: [Calls], _ one: Sentinel, _ two: SentinelError, _ three: Sentinel
  ) throws {
    try p.expectFulfilled(branches[0], with: one)
    try p.expectRejected(branches[1], with: two)
    try p.expectFulfilled(branches[2], with: three)
  }
}
