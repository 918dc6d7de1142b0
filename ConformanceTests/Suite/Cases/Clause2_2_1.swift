/// 2.2.1: both handlers are optional.
enum Clause2_2_1 {
  static let cases = cases("2.2.1.1", .rejected) + cases("2.2.1.2", .fulfilled)

  /// Returns cases in which the handler for `side` is called although the other handler is absent.
  private static func cases(_ clause: String, _ side: Side) -> [ConformanceCase] {
    ClauseBuilder.cases(clause) { c in
      for place in ["a", "chained off a"] {
        for argument in NotAFunction.basic {
          let title = "\(place) \(side) promise; `\(side.other.words.handler)` is \(argument.rawValue)"
          c.official(title, needs: .absentHandlers) { p in
            let (dummy, calls) = (side.outcome("dummy"), p.calls(side.words.handler))
            var promise = side.settled(p, with: dummy)
            if place != "a" { promise = side.other.handle(promise) { _ in () } }
            argument.then(promise, side, calls.handler)
            try p.expectCalled(calls, with: dummy)
          }
        }
      }
    }
  }
}
