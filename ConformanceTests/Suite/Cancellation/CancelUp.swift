/// The profile "up": a cancel of a chain's end cancels the chain, up to the last promise without other
/// consumers.
///
/// The suite adds its observing handlers only after the cancel, because handlers are consumers.
enum CancelUp {
  static let cases: [ConformanceCase] = [
    make("rejects", "a pending promise without consumers is rejected with a cancellation") { p, giveUp in
      let d = p.pending()
      giveUp(d.promise)
      try p.expectCancelled(d.promise)
    },
    make("whole-chain", "a chain without other consumers is cancelled from its end to its beginning") {
      p, giveUp in
      let d = p.pending()
      var line = [d.promise]
      for _ in 0..<20 { line.append(line[line.count - 1].then { $0 }) }
      giveUp(line[20])
      for promise in [line[20], line[10], line[1], line[0]] { try p.expectCancelled(promise) }
    },
    make("no-value", "no fulfillment handler of the cancelled chain runs") { p, giveUp in
      let (d, f) = (p.pending(), p.calls("onFulfilled"))
      let last = d.promise.then(f.handler).then(f.handler)
      giveUp(last)
      d.fulfill(Sentinel("late"))
      try p.expectCancelled(last)
      try p.quiesce()
      try f.expectNone("although the chain was cancelled")
    },
    make("other-consumer", "a promise that has another consumer continues, and so does that consumer") {
      p, giveUp in
      let (d, value) = (p.pending(), Sentinel("value"))
      let (given, other) = (d.promise.then { $0 }, p.observe(d.promise.then { $0 }))
      giveUp(given)
      try p.expectPending(d.promise)
      d.fulfill(value)
      try p.expectFulfilled(d.promise, with: value)
      try p.expectFulfilled(other, with: value)
    },
    make("other-follower", "a promise that another promise follows continues", needs: [.adoption, .resolve]) {
      p, giveUp in
      let (d, follower, value) = (p.pending(), p.pending(), Sentinel("value"))
      follower.resolve(d.promise)
      let given = d.promise.then { $0 }
      giveUp(given)
      try p.expectCancelled(given)
      try p.expectPending(d.promise)
      d.fulfill(value)
      try p.expectFulfilled(follower.promise, with: value)
    },
    make("own-branch", "a branch is cancelled, but not the promise from which it branches off") { p, giveUp in
      let d = p.pending()
      let first = d.promise.then { $0 }
      let given = first.then { $0 }
      let other = p.observe(d.promise.then { $0 })
      giveUp(given)
      try p.expectCancelled(given)
      try p.expectCancelled(first)
      d.fulfill(Sentinel("value"))
      _ = try other.first()
    },
    make("last-consumer", "a promise is cancelled when its last consumer is cancelled") { p, giveUp in
      let d = p.pending()
      let branches = (0..<3).map { _ in d.promise.then { $0 } }
      giveUp(branches[1])
      giveUp(branches[0])
      giveUp(branches[2])
      try p.expectCancelled(d.promise)
      for branch in branches { try p.expectCancelled(branch) }
    },
    make("twice", "a consumer that is cancelled twice counts once") { p, giveUp in
      let (d, value) = (p.pending(), Sentinel("value"))
      let (given, other) = (d.promise.then { $0 }, d.promise.then { $0 })
      giveUp(given)
      giveUp(given)
      d.fulfill(value)
      try p.expectFulfilled(d.promise, with: value)
      try p.expectFulfilled(other, with: value)
    },
    make("settled", "a settled promise keeps its outcome") { p, giveUp in
      let value = Sentinel("value")
      let promise = p.fulfilled(value)
      giveUp(promise)
      try p.expectFulfilled(promise, with: value)
    },
    make("stays", "a settlement after the cancel changes nothing") { p, giveUp in
      let d = p.pending()
      let last = d.promise.then { $0 }
      giveUp(last)
      d.fulfill(Sentinel("late"))
      try p.expectCancelled(last)
      try p.expectCancelled(d.promise)
    },
    make(
      "followed", "a promise that only the cancelled promise follows is also cancelled",
      needs: [.adoption, .resolve]
    ) { p, giveUp in
      let (d, inner) = (p.pending(), p.pending())
      d.resolve(inner.promise)
      giveUp(d.promise)
      try p.expectCancelled(d.promise)
      try p.expectCancelled(inner.promise)
    },
  ]

  private static func make(
    _ name: String, _ title: String, needs: Capabilities = [],
    _ body: @escaping @Sendable (Probe, @escaping @Sendable (Subject) -> Void) throws -> Void
  ) -> ConformanceCase {
    ConformanceCase(
      .cancellation, "cancel.up", name, title, needs: needs,
      missing: { $0.cancellation.up == nil ? "the adapter cannot cancel up the chain" : nil }
    ) { p in
      let cancel = p.bridge.cancellation.up!
      try body(p) { subject in ThreadLocal.stackDepth.raised { cancel(subject.raw) } }
    }
  }
}
