/// 2.2.7: `then` returns a promise for the result of its handlers.
enum Clause2_2_7 {
  static let cases =
    isPromise + returned + thrown + passing("2.2.7.3", .fulfilled) + passing("2.2.7.4", .rejected)

  private static let isPromise = ClauseBuilder.cases("2.2.7") { c in
    c.official("`then` returns a promise") { p in
      let promise = p.fulfilled(Sentinel("dummy"))
      let second = promise.then { _ in Sentinel("second") }
      let f = p.calls("onFulfilled of the returned promise")
      second.then(f.handler)
      try f.wait()
    }
    Chains.add(to: &c)
  }

  private static let returned = ClauseBuilder.cases("2.2.7.1") { c in
    // The official case is empty and refers to the cases of 2.3. This case checks that the result of a
    // handler is resolved.
    c.official(
      "the promise that `then` returned is resolved with the result of the handler", needs: .adoption
    ) { p in
      let (value, inner) = (Sentinel("value"), Sentinel("inner"))
      try p.expectFulfilled(p.fulfilled(Sentinel("dummy")).then { _ in value }, with: value)
      try p.expectFulfilled(p.rejected(SentinelError("dummy")).onRejected { _ in value }, with: value)
      try p.expectFulfilled(
        p.fulfilled(Sentinel("dummy")).then { _ in p.fulfilled(inner) }, with: inner)
    }
  }

  private static let thrown = ClauseBuilder.cases("2.2.7.2") { c in
    for reason in Specimen.reasons {
      for side in Side.allCases {
        c.each(side, "a handler throws \(reason.name)", needs: reason.needs.union(.throwingHandlers)) {
          p, promise, _ in
          let thrown = Passed(reason.make(p))
          let second = side.handle(promise) { _ in throw p.error(for: thrown.value) }
          try p.expectRejected(second, with: thrown.value)
        }
      }
    }
    HandlerMistakes.addNeighbour(to: &c)
  }

  private static func passing(_ clause: String, _ side: Side) -> [ConformanceCase] {
    ClauseBuilder.cases(clause) { c in
      for argument in NotAFunction.allCases {
        let title = "the \(side.words.outcome) passes; `\(side.words.handler)` is \(argument.rawValue)"
        c.each(side, title, needs: .absentHandlers) { p, promise, dummy in
          let never = p.calls(side.other.words.handler)
          try side.expect(p, argument.then(promise, side.other, never.handler), with: dummy)
          try never.expectNone("although the promise was \(side)")
        }
      }
    }
  }
}
