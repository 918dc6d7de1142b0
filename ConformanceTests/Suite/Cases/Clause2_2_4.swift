/// 2.2.4: handlers run on a stack without user code.
///
/// The clause restricts the stack, not the time: on another thread, a handler may run before `then` returns.
///
/// Each call into the implementation marks its thread's stack. A handler must not find such a mark.
enum Clause2_2_4 {
  static let cases = ClauseBuilder.cases("2.2.4") { c in
    for side in Side.allCases {
      c.each(side, "not on the stack of `then` or of the settling call") { p, promise, _ in
        let calls = p.calls(side.words.handler)
        side.handle(promise, calls.handler)
        try cleanStack(calls)
      }
    }
    for side in Side.allCases { add(side, to: &c) }
    CleanStacks.add(to: &c)
  }

  private static func add(_ side: Side, to c: inout ClauseBuilder) {
    let handler = side.words.handler
    for isEarly in [true, false] {
      let when = isEarly ? "before" : "after"
      c.official("`\(handler)` added right \(when) the \(side.words.settlement)") { p in
        let (d, calls) = (p.pending(), p.calls(handler))
        if !isEarly { side.settle(d, "dummy") }
        side.handle(d.promise, calls.handler)
        if isEarly { side.settle(d, "dummy") }
        try cleanStack(calls)
      }
    }
    for outer in Side.allCases {
      c.official("`\(handler)` added inside an `\(outer.words.handler)`") { p in
        let promise = side.settled(p, with: side.outcome("dummy"))
        let calls = p.calls("the inner \(handler)")
        let first = outer == side ? promise : outer.settled(p, with: outer.outcome("dummy"))
        outer.handle(first) { _ in
          side.handle(promise, calls.handler)
          return ()
        }
        try cleanStack(calls)
      }
    }
    c.official("\(side) later, on another thread") { p in
      let (d, calls) = (p.pending(), p.calls(handler))
      side.handle(d.promise, calls.handler)
      p.elsewhere { side.settle(d, "dummy") }
      try cleanStack(calls)
    }
  }

  /// Fails if the handler ran inside a call into the implementation or inside another handler.
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
