/// 2.3.3.3: the two functions that `then` receives.
enum Clause2_3_3_3 {
  static let cases = resolved + rejected + precedence + thrownAfter + thrownBefore

  static let needs: Capabilities = [.thenables, .adoption]

  // MARK: 2.3.3.3.1

  private static let resolved = ClauseBuilder.cases("2.3.3.3.1") { c in
    for value in notThenables {
      resolvedWith("\(value.name), no thenable", value.needs, .fulfilled, in: &c) { p in
        let y = value.make(p)
        return (y, y)
      }
    }
    for side in Side.allCases {
      for shape in ThenableShape.all(side) {
        resolvedWith(shape.name, shape.needs, side, in: &c) { p in
          let outcome = side.outcome("outcome")
          return (shape.make(p, outcome), outcome)
        }
      }
    }
    for outer in ThenableShape.fulfilled {
      for side in Side.allCases {
        for inner in ThenableShape.all(side) {
          let needs = outer.needs.union(inner.needs)
          resolvedWith("\(outer.name), with: \(inner.name)", needs, side, in: &c) { p in
            let outcome = side.outcome("outcome")
            return (outer.make(p, inner.make(p, outcome)), outcome)
          }
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

  /// The time at which a thenable calls one of its two functions.
  private enum Way: CaseIterable, Sendable {
    case synchronously, asynchronously

    func call(_ p: Probe, _ action: @escaping @Sendable () -> Void) {
      self == .synchronously ? action() : p.elsewhere(action)
    }
  }

  /// Adds four cases: `resolvePromise` is called with `y`, now or later, by a thenable that either handler
  /// returns.
  private static func resolvedWith(
    _ name: String, _ needs: Capabilities, _ side: Side, in c: inout ClauseBuilder,
    _ make: @escaping @Sendable (Probe) -> (y: Any, expected: Any)
  ) {
    for way in Way.allCases {
      c.viaReturn("`resolvePromise` \(way) with: \(name)", needs: Self.needs.union(needs)) { p, via in
        let made = Passed(make(p))
        let x = p.thenable { resolve, _ in way.call(p) { resolve(made.value.y) } }
        try side.expect(p, via.promise(p) { x }, with: made.value.expected)
      }
    }
  }

  // MARK: 2.3.3.3.2

  private static let rejected = ClauseBuilder.cases("2.3.3.3.2") { c in
    for reason in Specimen.reasons {
      for way in Way.allCases {
        let needs = Self.needs.union(reason.needs)
        c.viaReturn("`rejectPromise` \(way) with: \(reason.name)", needs: needs) { p, via in
          let reason = Passed(reason.make(p))
          let x = p.thenable { _, reject in way.call(p) { reject(reason.value) } }
          try p.expectRejected(via.promise(p) { x }, with: reason.value)
        }
      }
    }
  }
}
