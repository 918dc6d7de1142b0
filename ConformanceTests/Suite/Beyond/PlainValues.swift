/// Additional cases: plain values that look like promises or thenables.
enum PlainValues {
  private final class Undeclared: Sendable {
    let then: ThenFunction = { resolve, _ in resolve(Sentinel("wrong")) }
  }

  static func add(to c: inout ClauseBuilder) {
    c.beyond("undeclared", "an object with a suitable `then` is a value if it is not declared a thenable") {
      p in
      let x = Undeclared()
      try p.expectFulfilled(p.fulfilled(Sentinel("dummy")).then { _ in x }, with: x)
    }
    c.beyond("collection", "an array of promises is a value", needs: .untypedValues) { p in
      let x = [p.pending().promise.raw]
      try p.expectFulfilled(p.fulfilled(Sentinel("dummy")).then { [x = Passed(x)] _ in x.value }, with: x)
    }
  }
}
