import Foundation

/// 2.3.3: how `then` is read and called. `Clause2_3_3_3` tests the two functions that `then` receives.
enum Clause2_3_3 {
  static let cases = read + throwing + called
  static let notAFunction = notCallable

  private static let needs: Capabilities = [.thenables, .adoption]

  /// Here an enum, the third kind of type, replaces a JavaScript function that has a `then`.
  private static let read = ClauseBuilder.cases("2.3.3.1") { c in
    for shape in ThenableSource.Shape.allCases {
      c.viaReturn("`then` is read once; the thenable is of kind \(shape)", needs: needs) { p, via in
        let value = Sentinel("value")
        let source = ThenableSource(shape) { { resolve, _ in resolve(value) } }
        try p.expectFulfilled(via.promise(p) { p.thenable(source) }, with: value)
        try expectOneRead(source)
      }
    }
  }

  private static let throwing = ClauseBuilder.cases("2.3.3.2") { c in
    for reason in Specimen.reasons {
      c.viaReturn("reading `then` throws \(reason.name)", needs: needs.union(reason.needs)) { p, via in
        let thrown = Passed(reason.make(p))
        let source = ThenableSource { throw p.error(for: thrown.value) }
        try p.expectRejected(via.promise(p) { p.thenable(source) }, with: thrown.value)
      }
    }
  }

  private static let called = ClauseBuilder.cases("2.3.3.3") { c in
    c.viaReturn("`then` is called, once, on this thenable, with two functions", needs: needs) { p, via in
      let (value, called) = (Sentinel("value"), p.calls("then"))
      // `called` and `other` show that the `then` of this thenable was called. Swift checks the arguments.
      let other = p.thenable { _, _ in p.fail("the `then` of another thenable was called") }
      let x = p.thenable { resolve, reject in
        called.record(0)
        resolve(value)
        reject(SentinelError("late"))
      }
      try withExtendedLifetime(other) {
        try p.expectFulfilled(via.promise(p) { x }, with: value)
      }
      try p.quiesce()
      try called.expectCount(1)
    }
    c.viaReturn("the `then` that was read is called", needs: needs) { p, via in
      let (value, reads) = (Sentinel("value"), p.calls("the getter"))
      let source = ThenableSource {
        reads.record(0)
        guard reads.count == 1 else {
          return { _, reject in reject(SentinelError("a later reading was called")) }
        }
        return { resolve, _ in resolve(value) }
      }
      try p.expectFulfilled(via.promise(p) { p.thenable(source) }, with: value)
      try expectOneRead(source)
    }
    ForeignThenables.add(to: &c)
  }

  /// The thenable stores any value for `then`. Its getter casts the value to a function.
  private static let notCallable = ClauseBuilder.cases("2.3.3.4") { c in
    struct Callable: Sendable {
      func callAsFunction() {}
    }
    let stored: [(String, @Sendable () -> Any)] = [
      ("5", { 5 }),
      ("an object", { Sentinel("then") }),
      ("an array that contains a function", { [{ resolve, _ in resolve(5) } as ThenFunction] }),
      ("a regular expression", { try! NSRegularExpression(pattern: "then") }),
      ("a callable value", { Callable() }),
    ]
    for (name, then) in stored {
      c.viaReturn("a thenable whose `then` is \(name) is a value", needs: needs) { p, via in
        let source = ThenableSource { then() as? ThenFunction }
        let x = p.thenable(source)
        try p.expectFulfilled(via.promise(p) { x }, with: x)
        try expectOneRead(source)
      }
    }
  }

  static func expectOneRead(_ source: ThenableSource) throws {
    if source.reads != 1 { throw CaseFailure("`then` was read \(source.reads) times, not once") }
  }
}
