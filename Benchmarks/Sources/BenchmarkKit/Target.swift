package struct Target: Sendable {
  /// A figure of another contender, times a factor.
  package struct Term: Sendable {
    package let factor: Double
    package let workload: Workload
    package let contender: String

    package init(_ factor: Double, _ workload: Workload, _ contender: String) {
      (self.factor, self.workload, self.contender) = (factor, workload, contender)
    }
  }

  package enum Limit: Sendable {
    case atMost(Term)
    case below(Term)
    /// At most the sum of the terms. `name` describes the sum.
    case atMostSum([Term], name: String)
    /// No limit: the ratio is shown for comparison.
    case shown(Term)
    /// For W8: at most this multiple of W2 with the same number of steps in the same process.
    case atMostChain(Double)
    /// For W8: no limit. The ratio excludes the building of both chains.
    case endingShown
    /// For W10: at least this fraction of the machine's ceiling in the same slices. The figure is
    /// inconclusive if a tenth of the ceiling's own slices are below `steady`.
    case atLeastOfCeiling(Double, ceiling: String, steady: Double)
    case atMostFigure(Double)
    /// For W13: the part's figure exceeds this limit in no round.
    case never(Part, above: Double)
    /// The memory peak of the largest count exceeds the peak of the smallest count by at most this many KiB.
    case flat(Double)
  }

  package let workload: Workload
  package let contender: String
  package let limit: Limit
  /// Contenders with few features. They show what is achievable.
  package let floors: [String]

  package init(_ workload: Workload, _ contender: String, _ limit: Limit, floors: [String] = []) {
    (self.workload, self.contender, self.limit, self.floors) = (workload, contender, limit, floors)
  }
}

package struct Verdict: Sendable, Codable {
  /// The result of a contender with few features for the same target.
  package struct Floor: Sendable, Codable, Equatable {
    package let contender: String
    package let reached: Double

    package init(_ contender: String, _ reached: Double) {
      (self.contender, self.reached) = (contender, reached)
    }
  }

  package let workload: Workload
  package let contender: String
  /// The reference of the figure, such as `x Node`.
  package let against: String
  /// The figure as a multiple of the reference, or the figure itself. `nil` if the contender failed.
  package let reached: Double?
  package var floors: [Floor] = []
  /// The limit as text, such as `<= 0.50`. Empty if there is no limit.
  package let wanted: String
  package let isMet: Bool?
  /// The reason why the verdict is doubtful.
  package var doubt: String?
}

extension Target {
  /// The verdict, or `nil` if a needed figure was not measured.
  package func verdict(_ results: Results) -> Verdict? {
    guard var verdict = judged(contender, results) ?? failed(results) else { return nil }
    verdict.floors = floors.compactMap { floor in
      judged(floor, results)?.reached.map { Verdict.Floor(floor, $0) }
    }
    return verdict
  }

  private func failed(_ results: Results) -> Verdict? {
    guard let result = results.result(workload, contender), let failure = result.failure,
      result.sample.isEmpty, case .atMostFigure(let goal) = limit
    else { return nil }
    return Verdict(
      workload: workload, contender: contender, against: workload.unit.rawValue, reached: nil,
      wanted: "<= \(Text.number(goal))", isMet: false, doubt: failure)
  }

  /// The verdict if `own` were the contender.
  private func judged(_ own: String, _ results: Results) -> Verdict? {
    let row = results.result(workload, own)
    func verdict(
      _ against: String, _ reached: Double?, _ sign: String = "", _ goal: Double? = nil, doubt: String? = nil
    ) -> Verdict? {
      guard let reached else { return nil }
      return Verdict(
        workload: workload, contender: own, against: against, reached: reached,
        wanted: goal.map { "\(sign) \(Text.number($0))" } ?? "",
        isMet: goal.map { sign == "<" ? reached < $0 : sign == "<=" ? reached <= $0 : reached >= $0 },
        doubt: doubt)
    }
    func ratio(_ figure: Double?, to other: Double?) -> Double? {
      guard let figure, let other, other > 0 else { return nil }
      return figure / other
    }
    func compared(_ term: Term, _ sign: String = "", _ goal: Double? = nil) -> Verdict? {
      let other = results.median(term.workload, term.contender)
      let name = term.workload == workload ? "" : ", \(term.workload.rawValue)"
      return verdict("x \(term.contender)\(name)", ratio(row?.sample.median, to: other), sign, goal)
    }
    switch limit {
    case .atMost(let term): return compared(term, "<=", term.factor)
    case .below(let term): return compared(term, "<", term.factor)
    case .shown(let term): return compared(term)
    case .atMostSum(let terms, let name):
      let others = terms.compactMap { term in
        results.median(term.workload, term.contender).map { term.factor * $0 }
      }
      guard others.count == terms.count else { return nil }
      return verdict(
        "x (\(name))", ratio(row?.sample.median, to: others.reduce(0, +)), "<=", 1,
        doubt: doubt(aboutAnyOf: terms, results))
    case .atMostChain(let factor):
      return verdict(
        "x its W2 of the same depth", ratio(row?.sample.median, to: row?.parts[.chain]?.median), "<=", factor)
    case .endingShown:
      return verdict(
        "ending x the ending of its W2",
        ratio(row?.parts[.ending]?.median, to: row?.parts[.chainEnding]?.median))
    case .atLeastOfCeiling(let factor, let ceiling, let steady):
      return verdict(
        "x \(ceiling), same slices", row?.parts[.ofCeiling]?.median, ">=", factor,
        doubt: doubt(about: ceiling, steady, results))
    case .atMostFigure(let goal): return verdict(workload.unit.rawValue, row?.sample.median, "<=", goal)
    case .never(let part, let goal): return verdict(part.rawValue, row?.parts[part]?.maximum, "<=", goal)
    case .flat(let goal):
      guard let large = row, let small = results.result(workload, own, smallest: true),
        small.count < large.count, let high = large.peak.median, let low = small.peak.median
      else { return nil }
      let name = "KiB more for \(Text.count(large.count)) than for \(Text.count(small.count))"
      return verdict(name, high - low, "<=", goal)
    }
  }

  private func doubt(about ceiling: String, _ steady: Double, _ results: Results) -> String? {
    guard let row = results.result(workload, ceiling), let median = row.sample.median,
      let low = row.parts[.low]?.median, let high = row.parts[.high]?.median, low < steady
    else { return nil }
    return "the machine itself reached \(Text.number(median)) (\(Text.number(low)) to \(Text.number(high)))"
  }

  /// The doubt if a term varies too much, because the sum is then not a good reference.
  private func doubt(aboutAnyOf terms: [Term], _ results: Results) -> String? {
    for term in terms where term.contender != contender {
      guard let sample = results.result(term.workload, term.contender)?.sample,
        let low = sample.minimum, let high = sample.maximum, high > 3 * low
      else { continue }
      return "\(term.contender) itself took from \(Text.number(low)) to \(Text.number(high)) ns"
    }
    return nil
  }
}
