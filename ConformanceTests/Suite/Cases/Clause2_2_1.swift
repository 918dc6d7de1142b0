/// 2.2.1: both handlers are optional.
enum Clause2_2_1 {
  static let cases = onFulfilled + onRejected

  private static let onFulfilled = ClauseBuilder.cases("2.2.1.1") { c in
    for argument in NotAFunction.basic {
      c.official("a rejected promise; `onFulfilled` is \(argument.rawValue)", needs: .absentHandlers) { p in
        let (dummy, r) = (SentinelError("dummy"), p.calls("onRejected"))
        argument.then(p.rejected(dummy), r.handler)
        try p.expectCalled(r, with: dummy)
      }
    }
    for argument in NotAFunction.basic {
      c.official(
        "chained off a rejected promise; `onFulfilled` is \(argument.rawValue)", needs: .absentHandlers
      ) { p in
        let (dummy, r) = (SentinelError("dummy"), p.calls("onRejected"))
        argument.then(p.rejected(dummy).then { _ in () }, r.handler)
        try p.expectCalled(r, with: dummy)
      }
    }
  }

  private static let onRejected = ClauseBuilder.cases("2.2.1.2") { c in
    for argument in NotAFunction.basic {
      c.official("a fulfilled promise; `onRejected` is \(argument.rawValue)", needs: .absentHandlers) { p in
        let (dummy, f) = (Sentinel("dummy"), p.calls("onFulfilled"))
        argument.then(p.fulfilled(dummy), fulfilled: f.handler)
        try p.expectCalled(f, with: dummy)
      }
    }
    for argument in NotAFunction.basic {
      c.official(
        "chained off a fulfilled promise; `onRejected` is \(argument.rawValue)", needs: .absentHandlers
      ) { p in
        let (dummy, f) = (Sentinel("dummy"), p.calls("onFulfilled"))
        argument.then(p.fulfilled(dummy).onRejected { _ in () }, fulfilled: f.handler)
        try p.expectCalled(f, with: dummy)
      }
    }
  }
}
