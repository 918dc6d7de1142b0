/// Cases in which several threads settle a combinator's inputs at once. JavaScript has no such case.
enum CombinatorRaces {
  typealias Combinator = CombinatorScript.Combinator

  static let cases: [ConformanceCase] = [
    make(.all, "several threads fulfill the inputs at once: each value has the place of its input") {
      p, _, endings, inputs, values in
      try p.together(zip(inputs, values).map { d, value in { @Sendable in d.fulfill(value) } })
      try expect(p, endings, p.bridge.combinators.values, values)
    },
    make(.any, "several threads reject the inputs at once: each reason has the place of its input") {
      p, _, endings, inputs, values in
      let reasons = values.map { SentinelError($0.description) }
      try p.together(zip(inputs, reasons).map { d, reason in { @Sendable in d.reject(reason) } })
      guard case .rejected(let reason) = try endings.first() as! Settlement,
        let errors = p.bridge.combinators.errors(reason)?.map(p.bridge.reason)
      else { throw CaseFailure("not rejected with a list of reasons") }
      guard errors.count == reasons.count, zip(errors, reasons).allSatisfy({ isSame($0, $1) }) else {
        throw CaseFailure("the reasons are not those of the inputs, in their order")
      }
    },
    make(.race, "several threads fulfill the inputs at once: one input decides, and all handlers agree") {
      p, promise, endings, inputs, values in
      try p.together(zip(inputs, values).map { d, value in { @Sendable in d.fulfill(value) } })
      try SettleRaces.agree(p, [endings, p.observe(promise)])
    },
  ]

  private static func make(
    _ combinator: Combinator, _ title: String,
    _ round: @escaping @Sendable (Probe, Subject, Calls, [PendingSubject], [Sentinel]) throws -> Void
  ) -> ConformanceCase {
    ConformanceCase(
      .combinators, combinator.clause, "threads", title,
      missing: { bridge in
        combinator.exists(in: bridge.combinators) ? nil : "the adapter has no `\(combinator.rawValue)`"
      }
    ) { p in
      var all: [Calls] = []
      for _ in p.rounds {
        let inputs = (0..<3).map { _ in p.pending() }
        let raw = combinator.group(in: p.bridge.combinators)!(inputs.map(\.promise.raw))
        let promise = Subject(raw: raw, bridge: p.bridge)
        all.append(p.observe(promise))
        try round(p, promise, all[all.count - 1], inputs, (0..<3).map { Sentinel("\($0)") })
      }
      try SettleRaces.once(p, all)
    }
  }

  private static func expect(
    _ p: Probe, _ endings: Calls, _ elements: (Any) -> [Any]?, _ values: [Sentinel]
  ) throws {
    guard case .fulfilled(let value) = try endings.first() as! Settlement, let list = elements(value),
      list.count == values.count, zip(list, values).allSatisfy({ isSame($0, $1) })
    else { throw CaseFailure("the values are not those of the inputs, in their order") }
  }
}
