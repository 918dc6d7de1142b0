import Foundation

/// A finished run: the results, compared with the targets.
package struct Report: Sendable, Codable {
  package struct Circumstances: Sendable, Codable {
    package var command: String
    package var rounds: Int
    package var facts: [String]

    package init(command: String, rounds: Int, facts: [String]) {
      (self.command, self.rounds, self.facts) = (command, rounds, facts)
    }
  }

  package let circumstances: Circumstances
  package let results: [Result]
  package let verdicts: [Verdict]

  package init(_ circumstances: Circumstances, _ results: Results, targets: [Target]) {
    self.circumstances = circumstances
    self.results = results.all
    verdicts = targets.compactMap { $0.verdict(results) }
  }

  var workloads: [Workload] {
    Workload.allCases.filter { workload in results.contains { $0.workload == workload } }
  }

  func results(of workload: Workload) -> [Result] { results.filter { $0.workload == workload } }

  func verdicts(of workload: Workload) -> [Verdict] { verdicts.filter { $0.workload == workload } }

  /// The counts of a workload, for the heading of its table.
  func counts(of workload: Workload) -> String {
    Set(results(of: workload).map(\.count)).sorted().map { count in
      Text.count(count) + (workload.isMeasuredOnce(count) ? " (in one round only)" : "")
    }.joined(separator: " and ")
  }
}

extension Workload {
  /// The heads of the columns of ``Result/cells``.
  fileprivate var heads: [String] {
    ["contender"] + (isAlone ? ["count"] : []) + ["median \(unit.rawValue)", "min", "max"]
      + parts.map(\.rawValue) + (isAlone ? ["peak MiB"] : [])
  }
}

extension Result {
  /// The median, the smallest and the largest figure.
  fileprivate var texts: (median: String, low: String, high: String)? {
    guard let median = sample.median, let low = sample.minimum, let high = sample.maximum else { return nil }
    return (Text.number(median), Text.number(low), Text.number(high))
  }

  /// The row of this result, the same in both kinds of tables.
  fileprivate var cells: [String] {
    let (median, low, high) = texts ?? (failure ?? "-", "", "")
    let cells =
      [contender] + (workload.isAlone ? [Text.count(count)] : []) + [median, low, high]
      + workload.parts.map { parts[$0]?.median.map(Text.number) ?? "" }
    return cells + (workload.isAlone ? [peak.median.map { Text.fixed($0 / 1024, 1) } ?? ""] : [])
  }
}

extension Report {
  package func table() -> String {
    var lines = circumstances.facts
    for workload in workloads {
      lines.append("")
      lines.append("\(workload.rawValue)  \(workload.title); N = \(counts(of: workload))")
      for row in [workload.heads] + results(of: workload).map(\.cells) {
        let cells = row.enumerated().map { index, cell in
          index == 0 ? Text.padded(cell, 30) : Text.aligned(cell, 12)
        }
        lines.append("  " + cells.joined(separator: " "))
      }
      lines += verdicts(of: workload).map(\.line)
    }
    let met = verdicts.count { $0.isMet == true }
    let wanted = verdicts.count { $0.isMet != nil }
    if wanted > 0 { lines += ["", "targets met: \(met) of \(wanted)"] }
    return lines.joined(separator: "\n") + "\n"
  }

  /// The report in Markdown, for `docs/benchmarks-figures.md`.
  package func markdown() -> String {
    var lines = ["`\(circumstances.command)`", ""] + circumstances.facts.map { "- \($0)" }
    func add(_ heads: [String], _ rows: [[String]]) {
      lines.append("| " + heads.joined(separator: " | ") + " |")
      lines.append("|" + heads.indices.map { $0 == 0 ? "---" : "--:" }.joined(separator: "|") + "|")
      lines += rows.map { "| " + $0.joined(separator: " | ") + " |" }
    }
    // One table has a column for each workload with a single figure.
    let plain = workloads.filter { !$0.isAlone && $0.parts.isEmpty }
    if !plain.isEmpty {
      lines += ["", "## Median, smallest and largest of the rounds", ""]
      lines +=
        plain.map { "- \($0.rawValue), \($0.unit.rawValue): \($0.title); N = \(counts(of: $0))" } + [""]
      var contenders: [String] = []
      for result in results where !contenders.contains(result.contender) && plain.contains(result.workload) {
        contenders.append(result.contender)
      }
      add(["contender"] + plain.map(\.rawValue), contenders.map { row(of: $0, plain) })
    }
    for workload in workloads where !plain.contains(workload) {
      lines += ["", "## \(workload.rawValue): \(workload.title)", ""]
      lines += ["N = \(counts(of: workload)).", ""]
      add(workload.heads, results(of: workload).map(\.cells))
    }
    if !verdicts.isEmpty {
      lines += ["", "## Targets", ""]
      add(["target", "reached", "floor", "wanted", ""], verdicts.map(\.cells))
    }
    return lines.joined(separator: "\n") + "\n"
  }

  /// A row of cells such as `263 (235 to 270)`. A cell is empty if this contender has no result for its
  /// workload.
  private func row(of contender: String, _ workloads: [Workload]) -> [String] {
    [contender]
      + workloads.map { workload in
        guard let result = results(of: workload).first(where: { $0.contender == contender }) else {
          return ""
        }
        guard let (median, low, high) = result.texts else { return result.failure ?? "-" }
        return "\(median) (\(low) to \(high))"
      }
  }
}

extension Verdict {
  fileprivate var floorText: String {
    floors.map { "\(Text.number($0.reached)) (\($0.contender))" }.joined(separator: ", ")
  }

  fileprivate var line: String {
    let verdict = isMet.map { $0 ? "met" : "NOT MET" } ?? ""
    let floor = floorText.isEmpty ? "" : "floor \(floorText)"
    let figure = reached.map(Text.number) ?? "-"
    let remarks = [floor, doubt ?? ""].filter { !$0.isEmpty }.joined(separator: "; ")
    let line =
      "\(Text.padded(contender, 30)) \(Text.aligned(figure, 12)) \(Text.padded(against, 44)) "
      + "\(Text.padded(wanted, 9)) \(Text.padded(verdict, 8)) \(remarks)"
    return "  " + line.trimmingCharacters(in: .whitespaces)
  }

  fileprivate var cells: [String] {
    let verdict = isMet.map { $0 ? "met" : "**not met**" } ?? "for comparison"
    return [
      "\(workload.rawValue): \(contender), \(against)", reached.map(Text.number) ?? "-", floorText, wanted,
      verdict + (doubt.map { reached == nil ? ": \($0)" : "; \($0)" } ?? ""),
    ]
  }
}
