/// 2.2.7: `then` returns a promise for the result of its handlers.
enum Clause2_2_7 {
  static let cases = isPromise + returned + thrown + fulfilledThrough + rejectedThrough

  private static let isPromise = ClauseBuilder.cases("2.2.7") { c in
    c.official("what `then` returns is a promise") { p in
      let promise = p.fulfilled(Sentinel("dummy"))
      let second = promise.then { _ in Sentinel("second") }
      let f = p.calls("onFulfilled of the returned promise")
      second.then(f.handler)
      try f.wait()
    }
    Chains.add(to: &c)
  }

  private static let returned = ClauseBuilder.cases("2.2.7.1") { c in
    // The official case is empty and points to the cases of 2.3; this one looks at the step from here to
    // there.
    c.official("what a handler returns is resolved with", needs: .adoption) { p in
      let (value, inner) = (Sentinel("value"), Sentinel("inner"))
      try p.expectFulfilled(p.fulfilled(Sentinel("dummy")).then { _ in value }, with: value)
      try p.expectFulfilled(p.rejected(SentinelError("dummy")).onRejected { _ in value }, with: value)
      try p.expectFulfilled(
        p.fulfilled(Sentinel("dummy")).then { _ in p.fulfilled(inner) }, with: inner)
    }
  }

  private static let thrown = ClauseBuilder.cases("2.2.7.2") { c in
    for reason in Specimen.reasons {
      let needs = reason.needs.union(.throwingHandlers)
      c.eachFulfilled("a handler throws \(reason.name)", needs: needs) { p, promise, _ in
        let thrown = Passed(reason.make(p))
        let second = promise.then { _ in throw p.error(for: thrown.value) }
        try p.expectRejected(second, with: thrown.value)
      }
      c.eachRejected("a handler throws \(reason.name)", needs: needs) { p, promise, _ in
        let thrown = Passed(reason.make(p))
        let second = promise.onRejected { _ in throw p.error(for: thrown.value) }
        try p.expectRejected(second, with: thrown.value)
      }
    }
    HandlerMistakes.addNeighbour(to: &c)
  }

  private static let fulfilledThrough = ClauseBuilder.cases("2.2.7.3") { c in
    for argument in NotAFunction.allCases {
      c.eachFulfilled("the value passes; `onFulfilled` is \(argument.rawValue)", needs: .absentHandlers) {
        p, promise, dummy in
        let r = p.calls("onRejected")
        try p.expectFulfilled(argument.then(promise, r.handler), with: dummy)
        try r.expectNone("although the promise was fulfilled")
      }
    }
  }

  private static let rejectedThrough = ClauseBuilder.cases("2.2.7.4") { c in
    for argument in NotAFunction.allCases {
      c.eachRejected("the reason passes; `onRejected` is \(argument.rawValue)", needs: .absentHandlers) {
        p, promise, dummy in
        let f = p.calls("onFulfilled")
        try p.expectRejected(argument.then(promise, fulfilled: f.handler), with: dummy)
        try f.expectNone("although the promise was rejected")
      }
    }
  }
}
