/// 2.3.1: a promise that would wait for itself is rejected.
enum Clause2_3_1 {
  static let cases = ClauseBuilder.cases("2.3.1") { c in
    c.viaReturn("a handler returns the very promise that `then` returned", needs: .adoption) { p, via in
      let second = Gate<Subject>(p)
      let promise = via.promise(p) { try second.pass() }
      second.open(promise)
      try p.expectCycle(promise)
    }
    Cycles.add(to: &c)
  }
}
