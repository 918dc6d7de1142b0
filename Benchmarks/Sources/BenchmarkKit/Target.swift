/// What a contender is to reach on a workload.
package struct Target: Sendable {
  /// A figure of another contender, times a factor.
  package struct Term: Sendable {
    package let factor: Double
    package let workload: Workload
    package let contender: String

    package init(_ factor: Double, _ workload: Workload, _ contender: String) {
      self.factor = factor
      self.workload = workload
      self.contender = contender
    }
  }

  package enum Limit: Sendable {
    /// At most the term.
    case atMost(Term)
    /// Less than the term.
    case below(Term)
    /// At most the sum of the terms, of which `name` says what they mean together.
    case atMostSum([Term], name: String)
    /// At least the term.
    case atLeast(Term)
    /// At most so many of the workload's unit.
    case atMostFigure(Double)
    /// The peak of memory for the largest count exceeds that for the smallest by at most so many KiB.
    case flat(Double)
  }

  package let workload: Workload
  package let contender: String
  package let limit: Limit

  package init(_ workload: Workload, _ contender: String, _ limit: Limit) {
    self.workload = workload
    self.contender = contender
    self.limit = limit
  }
}

/// How a target compares with what was measured.
package struct Verdict: Sendable, Codable {
  package let workload: Workload
  package let contender: String
  /// What the figure was held against.
  package let against: String
  /// The figure as a multiple of that, or the figure itself.
  package let reached: Double
  /// What was wanted, as text: `<= 0.50`.
  package let wanted: String
  package let isMet: Bool
}

extension Target {
  /// `nil` if something that it needs was not measured.
  package func verdict(_ results: Results) -> Verdict? {
    func made(_ against: String, _ reached: Double, _ sign: String, _ goal: Double, _ isMet: Bool) -> Verdict
    {
      Verdict(
        workload: workload, contender: contender, against: against, reached: reached,
        wanted: "\(sign) \(Text.number(goal))", isMet: isMet)
    }
    /// The figure over `factor` times the other one is to stand in relation `holds` to 1.
    func compared(_ term: Term, _ sign: String, _ holds: (Double, Double) -> Bool) -> Verdict? {
      guard let own = results.median(workload, contender),
        let other = results.median(term.workload, term.contender), other > 0
      else { return nil }
      let name =
        term.workload == workload ? term.contender : "\(term.contender), \(term.workload.rawValue)"
      return made("x \(name)", own / other, sign, term.factor, holds(own / other, term.factor))
    }
    switch limit {
    case .atMost(let term): return compared(term, "<=", <=)
    case .below(let term): return compared(term, "<", <)
    case .atLeast(let term): return compared(term, ">=", >=)
    case .atMostSum(let terms, let name):
      guard let own = results.median(workload, contender) else { return nil }
      var sum = 0.0
      for term in terms {
        guard let other = results.median(term.workload, term.contender) else { return nil }
        sum += term.factor * other
      }
      guard sum > 0 else { return nil }
      return made("x (\(name))", own / sum, "<=", 1, own <= sum)
    case .atMostFigure(let goal):
      guard let own = results.median(workload, contender) else { return nil }
      return made(workload.unit.rawValue, own, "<=", goal, own <= goal)
    case .flat(let goal):
      guard let large = results.result(workload, contender),
        let small = results.result(workload, contender, smallest: true), small.count < large.count,
        let high = large.peak.median, let low = small.peak.median
      else { return nil }
      let name =
        "KiB more for \(Text.count(large.count)) than for \(Text.count(small.count))"
      return made(name, high - low, "<=", goal, high - low <= goal)
    }
  }
}
