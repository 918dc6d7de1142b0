/// 2.3.2: a promise that is resolved with another promise adopts the state of the other promise.
enum Clause2_3_2 {
  static let cases = pending + settled("2.3.2.2", .fulfilled) + settled("2.3.2.3", .rejected)

  private static let pending = ClauseBuilder.cases("2.3.2.1") { c in
    c.viaReturn("the follower of a pending promise is pending", needs: .adoption) { p, via in
      let (x, value) = (p.pending(), Sentinel("value"))
      let promise = via.promise(p) { x.promise }
      try p.expectPending(promise)
      x.fulfill(value)
      try p.expectFulfilled(promise, with: value)
    }
    Adoption.addPending(to: &c)
  }

  private static func settled(_ clause: String, _ side: Side) -> [ConformanceCase] {
    ClauseBuilder.cases(clause) { c in
      c.viaReturn("a promise that is \(side) already is followed", needs: .adoption) { p, via in
        let outcome = Passed(side.outcome(side.words.outcome))
        let promise = via.promise(p) { side.settled(p, with: outcome.value) }
        try side.expect(p, promise, with: outcome.value)
      }
      c.viaReturn("a promise that is \(side) eventually is followed", needs: .adoption) { p, via in
        let (x, outcome) = (p.pending(), Passed(side.outcome(side.words.outcome)))
        let promise = via.promise(p) {
          p.elsewhere { side.settle(x, with: outcome.value) }
          return x.promise
        }
        try side.expect(p, promise, with: outcome.value)
      }
      Adoption.add(side, to: &c)
    }
  }
}
