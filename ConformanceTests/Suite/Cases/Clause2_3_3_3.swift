/// 2.3.3.3: the two functions that a called `then` receives.
enum Clause2_3_3_3 {
  static let cases = resolved + rejected + precedence + thrownAfter + thrownBefore

  static let needs: Capabilities = [.thenables, .adoption]

  // MARK: 2.3.3.3.1

  private static let resolved = ClauseBuilder.cases("2.3.3.3.1") { c in
    for value in notThenables {
      resolvedWith("\(value.name), no thenable", value.needs, in: &c, ends: endsFulfilled) { p in
        let y = value.make(p)
        return (y, y)
      }
    }
    for shape in ThenableShape.fulfilled {
      resolvedWith(shape.name, shape.needs, in: &c, ends: endsFulfilled) { p in
        let value = Sentinel("value")
        return (shape.make(p, value), value)
      }
    }
    for shape in ThenableShape.rejected {
      resolvedWith(shape.name, shape.needs, in: &c, ends: endsRejected) { p in
        let reason = SentinelError("reason")
        return (shape.make(p, reason), reason)
      }
    }
    for outer in ThenableShape.fulfilled {
      for inner in ThenableShape.fulfilled {
        let needs = outer.needs.union(inner.needs)
        resolvedWith("\(outer.name), with: \(inner.name)", needs, in: &c, ends: endsFulfilled) { p in
          let value = Sentinel("value")
          return (outer.make(p, inner.make(p, value)), value)
        }
      }
      for inner in ThenableShape.rejected {
        let needs = outer.needs.union(inner.needs)
        resolvedWith("\(outer.name), with: \(inner.name)", needs, in: &c, ends: endsRejected) { p in
          let reason = SentinelError("reason")
          return (outer.make(p, inner.make(p, reason)), reason)
        }
      }
    }
    ResolvedThenables.add(to: &c)
  }

  private static let notThenables: [Specimen] = [
    Specimen(name: "()", needs: .untypedValues) { _ in () },
    Specimen(name: "nil", needs: .untypedValues) { _ in Any?.none as Any },
    Specimen(name: "false", needs: .untypedValues) { _ in false },
    Specimen(name: "5", needs: .untypedValues) { _ in 5 },
    Specimen(name: "an object", needs: []) { _ in Sentinel("value") },
    Specimen(name: "an array of objects", needs: .untypedValues) { _ in [Sentinel("element")] },
  ]

  private typealias Ending = @Sendable (_ probe: Probe, _ promise: Subject, _ expected: Any) throws -> Void
  private static let endsFulfilled: Ending = { p, promise, value in
    try p.expectFulfilled(promise, with: value)
  }
  private static let endsRejected: Ending = { p, promise, reason in
    try p.expectRejected(promise, with: reason)
  }

  /// Four cases: `resolvePromise` is called with `y` synchronously and asynchronously, both ways of return.
  private static func resolvedWith(
    _ name: String, _ needs: Capabilities, in c: inout ClauseBuilder, ends: @escaping Ending,
    _ make: @escaping @Sendable (Probe) -> (y: Any, expected: Any)
  ) {
    for isAsynchronous in [false, true] {
      let how = isAsynchronous ? "asynchronously" : "synchronously"
      c.viaReturn("`resolvePromise` \(how) with: \(name)", needs: Self.needs.union(needs)) { p, via in
        let made = Passed(make(p))
        let x = p.thenable { resolve, _ in
          if isAsynchronous { p.elsewhere { resolve(made.value.y) } } else { resolve(made.value.y) }
        }
        try ends(p, via.promise(p) { x }, made.value.expected)
      }
    }
  }

  // MARK: 2.3.3.3.2

  private static let rejected = ClauseBuilder.cases("2.3.3.3.2") { c in
    for reason in Specimen.reasons {
      for isAsynchronous in [false, true] {
        let how = isAsynchronous ? "asynchronously" : "synchronously"
        let needs = Self.needs.union(reason.needs)
        c.viaReturn("`rejectPromise` \(how) with: \(reason.name)", needs: needs) { p, via in
          let reason = Passed(reason.make(p))
          let x = p.thenable { _, reject in
            if isAsynchronous { p.elsewhere { reject(reason.value) } } else { reject(reason.value) }
          }
          try p.expectRejected(via.promise(p) { x }, with: reason.value)
        }
      }
    }
  }
}
