/// 2.3.2: a promise that is resolved with another one adopts its state.
enum Clause2_3_2 {
  static let cases = pending + fulfilled + rejected

  private static let pending = ClauseBuilder.cases("2.3.2.1") { c in
    c.viaReturn("pending for as long as the other one is", needs: .adoption) { p, via in
      let (x, value) = (p.pending(), Sentinel("value"))
      let promise = via.promise(p) { x.promise }
      try p.expectPending(promise)
      x.fulfill(value)
      try p.expectFulfilled(promise, with: value)
    }
    Adoption.addPending(to: &c)
  }

  private static let fulfilled = ClauseBuilder.cases("2.3.2.2") { c in
    c.viaReturn("the other one is fulfilled already", needs: .adoption) { p, via in
      let value = Sentinel("value")
      let promise = via.promise(p) { p.fulfilled(value) }
      try p.expectFulfilled(promise, with: value)
    }
    c.viaReturn("the other one is fulfilled eventually", needs: .adoption) { p, via in
      let (x, value) = (p.pending(), Sentinel("value"))
      let promise = via.promise(p) {
        p.elsewhere { x.fulfill(value) }
        return x.promise
      }
      try p.expectFulfilled(promise, with: value)
    }
    Adoption.addFulfilled(to: &c)
  }

  private static let rejected = ClauseBuilder.cases("2.3.2.3") { c in
    c.viaReturn("the other one is rejected already", needs: .adoption) { p, via in
      let reason = SentinelError("reason")
      let promise = via.promise(p) { p.rejected(reason) }
      try p.expectRejected(promise, with: reason)
    }
    c.viaReturn("the other one is rejected eventually", needs: .adoption) { p, via in
      let (x, reason) = (p.pending(), SentinelError("reason"))
      let promise = via.promise(p) {
        p.elsewhere { x.reject(reason) }
        return x.promise
      }
      try p.expectRejected(promise, with: reason)
    }
    Adoption.addRejected(to: &c)
  }
}
