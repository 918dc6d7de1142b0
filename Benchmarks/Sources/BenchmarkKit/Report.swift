/// A finished run: the results, compared with the targets.
package struct Report: Sendable, Codable {
  /// A description of the run.
  package struct Circumstances: Sendable, Codable {
    package var command: String
    package var rounds: Int
    package var facts: [String]

    package init(command: String, rounds: Int, facts: [String]) {
      self.command = command
      self.rounds = rounds
      self.facts = facts
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

  /// The workloads that were measured, in their order.
  var workloads: [Workload] {
    Workload.allCases.filter { workload in results.contains { $0.workload == workload } }
  }

  func results(of workload: Workload) -> [Result] { results.filter { $0.workload == workload } }

  func verdicts(of workload: Workload) -> [Verdict] { verdicts.filter { $0.workload == workload } }

  /// The counts of a workload, for its head.
  func counts(of workload: Workload) -> String {
    Set(results(of: workload).map(\.count)).sorted().map { count in
      Text.count(count) + (workload.isMeasuredOnce(count) ? " (in one round only)" : "")
    }.joined(separator: " and ")
  }
}

/// The columns of a result, the same in both kinds of tables.
struct Row {
  let cells: [String]

  static func heads(of workload: Workload) -> [String] {
    let unit = workload.unit.rawValue
    return ["contender"] + (workload.isAlone ? ["count"] : []) + ["median \(unit)", "min", "max"]
      + workload.parts.map(\.rawValue) + (workload.isAlone ? ["peak MiB"] : [])
  }

  init(_ result: Result) {
    var cells = [result.contender]
    let isAlone = result.workload.isAlone
    if isAlone { cells.append(Text.count(result.count)) }
    if let median = result.sample.median, let low = result.sample.minimum, let high = result.sample.maximum {
      cells += [Text.number(median), Text.number(low), Text.number(high)]
    } else {
      cells += [result.failure ?? "-", "", ""]
    }
    cells += result.workload.parts.map { result[$0].median.map(Text.number) ?? "" }
    if isAlone { cells.append(result.peak.median.map { Text.fixed($0 / 1024, 1) } ?? "") }
    self.cells = cells
  }
}

extension Report {
  /// For people at a terminal.
  package func table() -> String {
    var lines = circumstances.facts
    for workload in workloads {
      lines.append("")
      lines.append("\(workload.rawValue)  \(workload.title); N = \(counts(of: workload))")
      let heads = Row.heads(of: workload)
      let rows = [heads] + results(of: workload).map { Row($0).cells }
      for row in rows {
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

  /// For `docs/benchmarks-figures.md`.
  package func markdown() -> String {
    var lines = ["`\(circumstances.command)`", ""] + circumstances.facts.map { "- \($0)" }
    func add(_ heads: [String], _ rows: [[String]]) {
      lines.append("| " + heads.joined(separator: " | ") + " |")
      lines.append("|" + heads.indices.map { $0 == 0 ? "---" : "--:" }.joined(separator: "|") + "|")
      lines += rows.map { "| " + $0.joined(separator: " | ") + " |" }
    }
    for workload in workloads {
      lines += ["", "### \(workload.rawValue): \(workload.title)", ""]
      lines += ["N = \(counts(of: workload)).", ""]
      add(Row.heads(of: workload), results(of: workload).map { Row($0).cells })
      let judged = verdicts(of: workload)
      guard !judged.isEmpty else { continue }
      lines.append("")
      add(["target", "reached", "floor", "wanted", ""], judged.map(\.cells))
    }
    return lines.joined(separator: "\n") + "\n"
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
    return
      ("  \(Text.padded(contender, 30)) \(Text.aligned(figure, 12)) \(Text.padded(against, 44)) "
      + "\(Text.padded(wanted, 9)) \(Text.padded(verdict, 8)) "
      + [floor, doubt ?? ""].filter { !$0.isEmpty }
      .joined(separator: "; ")).trimmedAtTheEnd
  }

  fileprivate var cells: [String] {
    let verdict = isMet.map { $0 ? "met" : "**not met**" } ?? "for comparison"
    return [
      "\(contender), \(against)", reached.map(Text.number) ?? "-", floorText, wanted,
      verdict + (doubt.map { reached == nil ? ": \($0)" : "; but \($0)" } ?? ""),
    ]
  }
}
