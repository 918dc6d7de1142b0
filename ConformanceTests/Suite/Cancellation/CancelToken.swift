/// The profile "token": a token cancels every promise tied to it, and no other promise.
enum CancelToken {
  static let cases: [ConformanceCase] = [
    make("rejects", "a promise that is tied to the token is rejected with a cancellation") { p, make in
      let (d, token) = (p.pending(), make())
      let tied = token.tie(d.promise)
      let early = p.observe(tied)
      token.cancel()
      try p.expectCancelled(early)
      try p.expectCancelled(tied)
    },
    make("several", "one token cancels all promises that are tied to it") { p, make in
      let token = make()
      let tied = (0..<20).map { _ in token.tie(p.pending().promise) }
      token.cancel()
      for promise in tied { try p.expectCancelled(promise) }
    },
    make("below", "a pending promise below a tied promise is rejected, and no fulfillment handler runs") {
      p, make in
      let (d, token, f) = (p.pending(), make(), p.calls("onFulfilled"))
      let last = token.tie(d.promise).then(f.handler).then(f.handler)
      token.cancel()
      d.fulfill(Sentinel("late"))
      try p.expectCancelled(last)
      try p.quiesce()
      try f.expectNone("although the token was cancelled")
    },
    make("original", "the promise that was tied continues for its other consumers") { p, make in
      let (d, token, value) = (p.pending(), make(), Sentinel("value"))
      let other = p.observe(d.promise)
      let tied = token.tie(d.promise)
      token.cancel()
      try p.expectCancelled(tied)
      d.fulfill(value)
      try p.expectFulfilled(other, with: value)
    },
    make("stack", "handlers do not run on the stack of the cancel") { p, make in
      let token = make()
      let early = p.observe(token.tie(p.pending().promise))
      token.cancel()
      try Clause2_2_4.cleanStack(early)
    },
    make("passes", "until the token is cancelled, value and reason pass") { p, make in
      let (value, reason, token) = (Sentinel("value"), SentinelError("reason"), make())
      let (d, r) = (p.pending(), p.pending())
      let (fulfilled, rejected) = (token.tie(d.promise), token.tie(r.promise))
      d.fulfill(value)
      r.reject(reason)
      try p.expectFulfilled(fulfilled, with: value)
      try p.expectRejected(rejected, with: reason)
      token.cancel()
      try p.expectFulfilled(fulfilled, with: value)
      try p.expectRejected(rejected, with: reason)
    },
    make("other-token", "another token's promises continue") { p, make in
      let (one, other, d, value) = (make(), make(), p.pending(), Sentinel("value"))
      let (cancelled, tied) = (one.tie(p.pending().promise), other.tie(d.promise))
      one.cancel()
      try p.expectCancelled(cancelled)
      try p.expectPending(tied)
      d.fulfill(value)
      try p.expectFulfilled(tied, with: value)
    },
    make("twice", "a second cancel of a token changes nothing") { p, make in
      let token = make()
      let early = p.observe(token.tie(p.pending().promise))
      token.cancel()
      token.cancel()
      try p.expectCancelled(early)
      try p.quiesce()
      try early.expectCount(1)
    },
    make("late", "a promise that is tied to a cancelled token is cancelled at once") { p, make in
      let token = make()
      token.cancel()
      try p.expectCancelled(token.tie(p.pending().promise))
    },
  ]

  private static func make(
    _ name: String, _ title: String,
    _ body: @escaping @Sendable (Probe, () -> CancellationToken<Subject>) throws -> Void
  ) -> ConformanceCase {
    ConformanceCase(
      .cancellation, "cancel.token", name, title,
      missing: { $0.cancellation.token == nil ? "the adapter has no tokens" : nil }
    ) { p in
      let make = p.bridge.cancellation.token!
      try body(p) {
        let token = make()
        return CancellationToken(
          tie: { Subject(raw: token.tie($0.raw), bridge: p.bridge) },
          cancel: { ThreadLocal.stackDepth.raised { token.cancel() } })
      }
    }
  }
}
