/// A finished run, as Markdown that is also readable on a terminal: the targets, then a table for each
/// workload.
package struct Report: Sendable {
  private let facts: [String]
  private let results: Results
  private let verdicts: [Verdict]

  package init(_ facts: [String], _ results: Results, targets: [Target]) {
    (self.facts, self.results) = (facts, results)
    verdicts = targets.compactMap { Verdict($0, results) }
  }

  package var markdown: String {
    var text = facts.map { "- \($0)\n" }.joined()
    if !verdicts.isEmpty {
      let met = verdicts.count { $0.isMet == true }
      text += "\n## Targets: \(met) of \(verdicts.count { $0.isMet != nil }) are met\n\n"
      text += Text.table(
        ["target", "figure", "reference", "reached", "wanted", "", "floors"], verdicts.map(\.cells))
    }
    for workload in Workload.allCases {
      let rows = results.of(workload)
      guard !rows.isEmpty else { continue }
      let parts = Part.allCases.filter { part in rows.contains { $0.parts[part] != nil } }
      text += "\n## \(workload.rawValue)\n\n"
      text += Text.table(
        ["contender", "steps", "median \(workload.unit)", "min", "max"] + parts.map(\.rawValue),
        rows.map { $0.cells(parts) })
    }
    return text
  }
}

extension Result {
  fileprivate func cells(_ parts: [Part]) -> [String] {
    guard failure == nil else { return [contender, String(count), failure ?? ""] }
    let figures = [sample.median, sample.minimum, sample.maximum] + parts.map { self.parts[$0]?.median }
    return [contender, String(count)] + figures.map { $0.map(Text.number) ?? "" }
  }
}

extension Verdict {
  fileprivate var cells: [String] {
    let wanted =
      switch target.limit {
      case .atMost(let limit): "<= \(Text.number(limit))"
      case .atLeast(let limit): ">= \(Text.number(limit))"
      case .none: ""
      }
    return [
      "\(target.workload.rawValue): \(target.contender), \(target.text)", Text.number(figure.own),
      figure.reference.map(Text.number) ?? "", Text.number(reached), wanted,
      isMet.map { $0 ? "met" : "**not met**" } ?? "",
      floors.map { "\(Text.number($0.reached)) (\($0.contender))" }.joined(separator: ", "),
    ]
  }
}
