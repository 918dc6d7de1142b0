/// 2.2.4: handlers run on a stack of their own.
///
/// The clause is about the stack, not about time: on another thread a handler may run before `then`
/// returns. So each call into the implementation marks its thread's stack, and a handler that finds a mark
/// below itself was called too early.
enum Clause2_2_4 {
  static let cases = ClauseBuilder.cases("2.2.4") { c in
    c.eachFulfilled("not on the stack of `then` or of the settling call") { p, promise, _ in
      let f = p.calls("onFulfilled")
      promise.then(f.handler)
      try cleanStack(f)
    }
    c.eachRejected("not on the stack of `then` or of the settling call") { p, promise, _ in
      let r = p.calls("onRejected")
      promise.onRejected(r.handler)
      try cleanStack(r)
    }
    c.official("`onFulfilled` added right before the fulfillment") { p in
      let (d, f) = (p.pending(), p.calls("onFulfilled"))
      d.promise.then(f.handler)
      d.fulfill(Sentinel("dummy"))
      try cleanStack(f)
    }
    c.official("`onFulfilled` added right after the fulfillment") { p in
      let (d, f) = (p.pending(), p.calls("onFulfilled"))
      d.fulfill(Sentinel("dummy"))
      d.promise.then(f.handler)
      try cleanStack(f)
    }
    c.official("`onFulfilled` added inside an `onFulfilled`") { p in
      let (promise, f) = (p.fulfilled(Sentinel("dummy")), p.calls("the inner onFulfilled"))
      promise.then { _ in
        promise.then(f.handler)
        return ()
      }
      try cleanStack(f)
    }
    c.official("`onFulfilled` added inside an `onRejected`") { p in
      let (promise, f) = (p.fulfilled(Sentinel("dummy")), p.calls("the inner onFulfilled"))
      p.rejected(SentinelError("dummy")).onRejected { _ in
        promise.then(f.handler)
        return ()
      }
      try cleanStack(f)
    }
    c.official("fulfilled later, on another thread") { p in
      let (d, f) = (p.pending(), p.calls("onFulfilled"))
      d.promise.then(f.handler)
      p.elsewhere { d.fulfill(Sentinel("dummy")) }
      try cleanStack(f)
    }
    c.official("`onRejected` added right before the rejection") { p in
      let (d, r) = (p.pending(), p.calls("onRejected"))
      d.promise.onRejected(r.handler)
      d.reject(SentinelError("dummy"))
      try cleanStack(r)
    }
    c.official("`onRejected` added right after the rejection") { p in
      let (d, r) = (p.pending(), p.calls("onRejected"))
      d.reject(SentinelError("dummy"))
      d.promise.onRejected(r.handler)
      try cleanStack(r)
    }
    c.official("`onRejected` added inside an `onFulfilled`") { p in
      let (promise, r) = (p.rejected(SentinelError("dummy")), p.calls("the inner onRejected"))
      p.fulfilled(Sentinel("dummy")).then { _ in
        promise.onRejected(r.handler)
        return ()
      }
      try cleanStack(r)
    }
    c.official("`onRejected` added inside an `onRejected`") { p in
      let (promise, r) = (p.rejected(SentinelError("dummy")), p.calls("the inner onRejected"))
      promise.onRejected { _ in
        promise.onRejected(r.handler)
        return ()
      }
      try cleanStack(r)
    }
    c.official("rejected later, on another thread") { p in
      let (d, r) = (p.pending(), p.calls("onRejected"))
      d.promise.onRejected(r.handler)
      p.elsewhere { d.reject(SentinelError("dummy")) }
      try cleanStack(r)
    }
    CleanStacks.add(to: &c)
  }

  /// The handler was called, with no call into the implementation and no other handler below it.
  static func cleanStack(_ calls: Calls) throws {
    if try calls.wait().contains(where: \.onForeignStack) {
      throw CaseFailure("\(calls.name) ran on the stack of another call or handler")
    }
  }
}

/// 2.2.5: handlers are called as functions.
enum Clause2_2_5 {
  static let cases = ClauseBuilder.cases("2.2.5") { c in
    let reason = "a Swift function has no receiver: there is no `this` that a handler could be given"
    for mode in ["strict", "sloppy"] {
      for state in ["fulfilled", "rejected"] {
        c.inexpressible("no `this` in \(mode) mode; a \(state) promise", because: reason)
      }
    }
  }
}
