/// The human-readable report: a tree by clause with a mark for each subject, then the messages.
public struct TextReport: Sendable {
  let tone: TerminalText
  private let verbose: Bool

  /// - Parameters:
  ///   - color: Mark outcomes with terminal colors.
  ///   - verbose: One line for each case, not only for each clause.
  public init(color: Bool = false, verbose: Bool = false) {
    tone = TerminalText(color: color)
    self.verbose = verbose
  }

  /// The report, ending with a line break.
  public func render(_ report: MatrixReport) -> String {
    let programs = report.programs.map { "\($0)\n" }.joined()
    if report.runs.isEmpty {
      return programs
        + (programs.isEmpty || report.interruption != nil ? SafeText.line(report.verdict) + "\n" : "")
    }
    let sections = [
      subjects(report), tree(report), failures(report), deviations(report), notExpressible(report),
      table(report), summary(report),
    ]
    return sections.filter { !$0.isEmpty }.map { $0.joined(separator: "\n") + "\n" }
      .joined(separator: "\n") + programs
  }

  // MARK: Sections

  private func subjects(_ report: MatrixReport) -> [String] {
    let width = report.runs.map(\.name.count).max() ?? 0
    return report.runs.enumerated().map { index, run in
      let number = pad("\(index + 1)", 3, right: true)
      let gap = pad("", width - run.name.count)
      return "\(number)  \(tone(.heading, run.name))\(gap)  \(run.summary)".trimmingTrailingSpaces()
    }
  }

  private func tree(_ report: MatrixReport) -> [String] {
    let results = report.runs.map(\.outcomes)
    var lines = [
      report.runs.indices.map { pad("\($0 + 1)", 3, right: true) }.joined()
        + tone(.quiet, "   \(Self.legend)")
    ]
    for node in ClauseTree(report.cases).nodes {
      let census = CaseCensus(node.all)
      let count =
        "(\(census.official + census.chapters)" + (census.beyond > 0 ? " + \(census.beyond) beyond" : "")
        + ")"
      let title = tone(
        node.depth == 0 ? .heading : nil,
        "\(node.clause) \(ClauseTitle[node.clause])".trimmingTrailingSpaces())
      lines.append(
        marks(node.all, results) + "   " + indent(node.depth) + title + " " + tone(.quiet, count))
      guard verbose else { continue }
      for testCase in node.own {
        lines.append(
          marks([testCase], results) + "   " + indent(node.depth + 1)
            + tone(.quiet, "\(testCase.id)") + " \(testCase.title)")
      }
    }
    return lines
  }

  private func failures(_ report: MatrixReport) -> [String] {
    var lines: [String] = []
    for run in report.runs {
      let failed = run.cases.filter(\.outcome.isFailure)
      if failed.isEmpty { continue }
      lines.append(tone(.bad, "Not as declared on \(run.name):"))
      for recorded in failed {
        let number =
          recorded.testCase.officialNumber.map { " (official case \($0))" }
          ?? (recorded.testCase.isBeyond ? " (beyond the official suite)" : "")
        let id = tone(.heading, recorded.testCase.id)
        lines.append("  \(tone(.bad, "✗")) \(id)\(number) \(recorded.testCase.title)")
        lines += SafeText.lines(recorded.message ?? "").map { "      \($0)" }
      }
      if let hint = Mending.advice(failed)?.hint { lines.append("  " + tone(.heading, hint)) }
    }
    for run in report.runs {
      lines += run.wrongDeclarations.map { tone(.bad, "On \(run.name): \($0)") }
    }
    for run in report.runs where run.breaksOff {
      let during = run.running.map { ", during \($0.id) \($0.title)" } ?? ""
      lines.append(tone(.bad, "Incomplete on \(run.name)") + ": \(run.cases.count) cases have ended\(during)")
    }
    return lines
  }

  private func deviations(_ report: MatrixReport) -> [String] {
    reasons(report, "Declared deviations of", \.outcome.isDeviation)
  }

  /// Returns the messages about the chosen cases, by subject.
  private func reasons(
    _ report: MatrixReport, _ heading: String, _ isChosen: (CaseResult) -> Bool
  ) -> [String] {
    report.runs.flatMap { run in
      let cases = run.cases.filter(isChosen).map { ($0.testCase, $0.message ?? "") }
      return cases.isEmpty ? [] : [tone(.note, "\(heading) \(run.name):")] + reasons(cases)
    }
  }

  /// Lists the inexpressible cases. Cases that no subject can express are listed once. Cases that one
  /// subject's types exclude are listed with that subject.
  private func notExpressible(_ report: MatrixReport) -> [String] {
    var lines: [String] = []
    let inexpressible = report.cases.compactMap { testCase in testCase.inexpressible.map { (testCase, $0) } }
    if !inexpressible.isEmpty {
      lines.append(tone(.note, "Not expressible in Swift:"))
      lines += reasons(inexpressible)
    }
    return lines
      + reasons(report, "Not expressible in the types of") {
        $0.outcome.isNotExpressible && $0.testCase.inexpressible == nil
      }
  }

  /// The columns are the official cases, then the additional cases, then the cases of chapters.
  private func table(_ report: MatrixReport) -> [String] {
    func part(_ counts: OutcomeCounts) -> String {
      pad("\(counts.passed)", 8, right: true)
        + tone(counts.failed > 0 ? .bad : nil, pad("\(counts.failed)", 8, right: true))
        + pad("\(counts.deviated)", 10, right: true) + pad("\(counts.notExpressible)", 10, right: true)
    }
    func row(_ name: String, _ parts: [OutcomeCounts], _ duration: Double) -> String {
      pad(name, width) + parts.map(part).joined(separator: "  ") + pad(seconds(duration), 10, right: true)
    }
    let chapters = report.chapters
    let width = max(5, report.runs.map(\.name.count).max() ?? 0) + 2
    let heading = "  passed  failed  deviated  not expr"
    let subjects = ["official", "beyond the official suite"] + chapters.map(\.subject)
    let titles = subjects.map { "  " + pad($0, heading.count - 2) }.joined(separator: "  ")
    let headings = subjects.map { _ in heading }.joined(separator: "  ")
    var lines = [
      tone(.quiet, (pad("", width) + titles).trimmingTrailingSpaces()),
      tone(.quiet, pad("", width) + headings + "      time"),
    ]
    lines += report.runs.map { run in
      row(run.name, [run.official, run.beyond] + chapters.map(run.counts(of:)), run.duration)
    }
    if report.runs.count > 1 {
      let parts = [report.official, report.beyond] + chapters.map(report.counts(of:))
      lines.append(row("total", parts, report.duration))
    }
    return lines
  }

  private func summary(_ report: MatrixReport) -> [String] {
    let census = report.census
    let subjects = report.runs.count
    let all = OfficialClauses.caseCount
    let cases =
      (census.official < all ? "\(census.official) of the \(all)" : "\(all)")
      + " official cases: "
      + (subjects == 1 ? "\(report.official.words); " : "")
      + "\(census.ported) ported, \(census.inexpressible) not expressible in Swift"
    let others =
      "\(census.beyond) beyond them" + (subjects == 1 && census.beyond > 0 ? ": \(report.beyond.words)" : "")
    let chapters = report.chapters.map { chapter in
      let count = report.cases.count { $0.chapter == chapter }
      return "\(count) of \(chapter.subject)" + (subjects == 1 ? ": \(report.counts(of: chapter).words)" : "")
    }
    let runs = report.counts.total
    let effort =
      "\(runs) results on \(subjects) \(subjects == 1 ? "context" : "contexts") "
      + "in \(seconds(report.duration))"
    let verdict = tone(report.isAsDeclared ? .good : .bad, SafeText.line(report.verdict))
    let note = report.processorNote.map { [$0] } ?? []
    return [cases, others] + chapters + note + ["\(effort): \(verdict)"]
  }
}
