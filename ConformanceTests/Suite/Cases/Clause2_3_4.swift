/// 2.3.4: anything that is neither a promise nor a thenable is a value.
enum Clause2_3_4 {
  static let cases = ClauseBuilder.cases("2.3.4") { c in
    for value in values {
      for side in Side.allCases {
        c.each(side, "a handler returns \(value.name)", needs: value.needs) { p, promise, _ in
          let x = Passed(value.make(p))
          try p.expectFulfilled(side.handle(promise) { _ in x.value }, with: x.value)
        }
      }
    }
    PlainValues.add(to: &c)
  }

  private static let values: [Specimen] = [
    Specimen(name: "()", needs: .untypedValues) { _ in () },
    Specimen(name: "nil", needs: .untypedValues) { _ in Any?.none as Any },
    Specimen(name: "false", needs: .untypedValues) { _ in false },
    Specimen(name: "true", needs: .untypedValues) { _ in true },
    Specimen(name: "0", needs: .untypedValues) { _ in 0 },
    Specimen(name: "true, whose type was given a method `then`", needs: .untypedValues) { _ in true },
    Specimen(name: "1, whose type was given a method `then`", needs: .untypedValues) { _ in 1 },
  ]
}

// A member named `then` does not make a thenable; only a declared conformance does. These members correspond
// to JavaScript's modified prototypes. The implementation must not find them.
extension Bool {
  func then(
    _ resolvePromise: @Sendable (Any) -> Void, _ rejectPromise: @Sendable (Any) -> Void
  ) { resolvePromise(Sentinel("the wrong value")) }
}

extension Int {
  func then(
    _ resolvePromise: @Sendable (Any) -> Void, _ rejectPromise: @Sendable (Any) -> Void
  ) { resolvePromise(Sentinel("the wrong value")) }
}
