/// The profile "down": a cancel rejects the promise and every pending promise below it.
enum CancelDown {
  static let cases: [ConformanceCase] = [
    make("rejects", "a pending promise is rejected with a cancellation") { p, cancel in
      let d = p.pending()
      let early = p.observe(d.promise)
      cancel(d.promise)
      try p.expectCancelled(early)
      try p.expectCancelled(d.promise)
    },
    make("no-value", "no fulfillment handler of the promise, or of a promise below it, runs") { p, cancel in
      let (d, f) = (p.pending(), p.calls("onFulfilled"))
      let last = d.promise.then(f.handler).then(f.handler)
      cancel(d.promise)
      d.fulfill(Sentinel("late"))
      try p.expectCancelled(last)
      try p.quiesce()
      try f.expectNone("although the promise was cancelled")
    },
    make("stays", "a settlement after the cancel changes nothing") { p, cancel in
      let d = p.pending()
      let early = p.observe(d.promise)
      cancel(d.promise)
      d.fulfill(Sentinel("late"))
      d.reject(SentinelError("late"))
      try p.expectCancelled(early)
      try p.expectCancelled(d.promise)
      try p.quiesce()
      try early.expectCount(1)
    },
    make("twice", "a second cancel changes nothing: handlers run once") { p, cancel in
      let d = p.pending()
      let early = p.observe(d.promise)
      cancel(d.promise)
      cancel(d.promise)
      try p.expectCancelled(early)
      try p.quiesce()
      try early.expectCount(1)
    },
    make("settled", "a settled promise keeps its outcome") { p, cancel in
      let (value, reason) = (Sentinel("value"), SentinelError("reason"))
      let (fulfilled, rejected) = (p.fulfilled(value), p.rejected(reason))
      cancel(fulfilled)
      cancel(rejected)
      try p.expectFulfilled(fulfilled, with: value)
      try p.expectRejected(rejected, with: reason)
    },
    make("line", "everything below is cancelled, at any depth") { p, cancel in
      let d = p.pending()
      var line = [d.promise]
      for _ in 0..<100 { line.append(line[line.count - 1].then { $0 }) }
      cancel(d.promise)
      for promise in [line[1], line[50], line[100]] { try p.expectCancelled(promise) }
    },
    make("branches", "every branch is cancelled") { p, cancel in
      let d = p.pending()
      let branches = (0..<20).map { _ in d.promise.then { $0 }.then { $0 } }
      cancel(d.promise)
      for branch in branches { try p.expectCancelled(branch) }
    },
    make("not-above", "the promise above and its other branches continue") { p, cancel in
      let (d, value) = (p.pending(), Sentinel("value"))
      let (cancelled, other) = (d.promise.then { $0 }, d.promise.then { $0 })
      cancel(cancelled)
      try p.expectCancelled(cancelled)
      try p.expectPending(d.promise)
      d.fulfill(value)
      try p.expectFulfilled(d.promise, with: value)
      try p.expectFulfilled(other, with: value)
    },
    make(
      "below-settled", "a cancel passes through a settled promise to the pending promises below it",
      needs: .adoption
    ) { p, cancel in
      let (d, inner) = (p.pending(), p.pending())
      let ran = p.calls("onFulfilled")
      let below = d.promise.then(ran.handler(returning: inner.promise))
      d.fulfill(Sentinel("value"))
      try ran.wait()
      try p.quiesce()
      cancel(d.promise)
      try p.expectCancelled(below)
    },
    make(
      "followed", "a promise that follows another promise is cancelled; the other promise continues",
      needs: [.resolve, .adoption]
    ) { p, cancel in
      let (d, inner, value) = (p.pending(), p.pending(), Sentinel("value"))
      let other = p.observe(inner.promise)
      d.resolve(inner.promise)
      cancel(d.promise)
      try p.expectCancelled(d.promise)
      try p.expectPending(inner.promise)
      inner.fulfill(value)
      try p.expectFulfilled(other, with: value)
    },
    make("handled", "a rejection handler runs, but the promise of its `then` call is cancelled") {
      p, cancel in
      let (d, f) = (p.pending(), p.calls("onRejected"))
      let below = d.promise.then(nil, f.handler)
      cancel(d.promise)
      try f.wait()
      try p.expectCancelled(below)
    },
    make("stack", "handlers do not run on the stack of the cancel") { p, cancel in
      let d = p.pending()
      let early = p.observe(d.promise)
      cancel(d.promise)
      try Clause2_2_4.cleanStack(early)
    },
    make("late", "a child that is added after the cancel is cancelled") { p, cancel in
      let (d, f) = (p.pending(), p.calls("onFulfilled"))
      cancel(d.promise)
      try p.expectCancelled(d.promise.then(f.handler).then(f.handler))
      try f.expectNone("although the promise was cancelled")
    },
    make("threads", "cancelled and fulfilled at the same instant: one wins, and all handlers agree") {
      p, cancel in
      var all: [(early: Calls, late: [Calls])] = []
      for round in p.rounds {
        let d = p.pending()
        let early = p.observe(d.promise, as: "an early handler")
        let calls = [{ @Sendable in cancel(d.promise) }, { @Sendable in d.fulfill(Sentinel("value")) }]
        // The thread that starts last tends to call first.
        try p.together(round.isMultiple(of: 2) ? calls : calls.reversed())
        let late = (0..<2).map { p.observe(d.promise, as: "late handler \($0)") }
        try SettleRaces.agree(p, late)
        if case .rejected = try late[0].first() as! Settlement { try p.expectCancelled(late[0]) }
        all.append((early, late))
      }
      try SettleRaces.once(p, all.flatMap(\.late))
      // A cancel after the fulfillment may prevent an early handler by cancelling the handler's promise.
      for (early, late) in all where early.count > 0 {
        try early.expectCount(1)
        try SettleRaces.agree(p, [early] + late)
      }
    },
  ]

  private static func make(
    _ name: String, _ title: String, needs: Capabilities = [],
    _ body: @escaping @Sendable (Probe, @escaping @Sendable (Subject) -> Void) throws -> Void
  ) -> ConformanceCase {
    ConformanceCase(
      .cancellation, "cancel.down", name, title, needs: needs,
      missing: { $0.cancellation.down == nil ? "the adapter cannot cancel down the tree" : nil }
    ) { p in
      let cancel = p.bridge.cancellation.down!
      try body(p) { subject in ThreadLocal.stackDepth.raised { cancel(subject.raw) } }
    }
  }
}

extension Probe {
  /// Waits until `promise` is rejected with a reason that means a cancellation.
  func expectCancelled(_ promise: Subject) throws { try expectCancelled(observe(promise)) }

  func expectCancelled(_ endings: Calls) throws {
    let reason = try rejection(endings, "cancelled")
    if !bridge.cancellation.isCancellation(reason) {
      throw CaseFailure("rejected with \(describe(reason)), which does not say that it was cancelled")
    }
  }
}
