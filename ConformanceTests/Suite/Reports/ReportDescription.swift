/// The output of `print(report)`: one screen. The figures of the official suite come first.
extension ConformanceReport: CustomStringConvertible {
  private static let rows = [
    "2.1", "2.2.1", "2.2.2", "2.2.3", "2.2.4", "2.2.5", "2.2.6", "2.2.7", "2.3.1", "2.3.2", "2.3.3", "2.3.4",
  ]

  /// A summary for one screen: the outcomes of the official and additional cases, the sections, and one
  /// failure of each section that failed.
  public var description: String {
    (totals + sections + firstFailures + hints + remarks).joined(separator: "\n")
  }

  private var totals: [String] {
    let all = OfficialClauses.caseCount
    let official = self.official
    let chosen = official.total < all ? "\(official.total) of the \(all)" : "\(all)"
    let chapters = Chapter.ran(counts)
    return [
      "\(chosen) official cases: \(official.words)",
      "\(beyond.total) beyond them: \(beyond.words)",
    ] + chapters.map { "\(counts(of: $0).total) of \($0.subject): \(counts(of: $0).words)" }
  }

  private var sections: [String] {
    let (text, outcomes) = (TextReport(), RecordedRun(name: "", self).outcomes)
    func counts(_ results: [CaseResult]) -> String {
      if results.isEmpty { return "" }
      return "\(results.count { $0.outcome == .passed }) of \(results.count)"
    }
    var lines = ["   official passed    beyond passed"]
    for section in Self.rows {
      let own = results.filter { $0.testCase.matches(section) }
      if own.isEmpty { continue }
      let marks = String(text.marks(own.map(\.testCase), [outcomes]).dropFirst(2))
      lines.append(
        marks + text.pad(counts(own.filter(\.testCase.isOfficial)), 17, right: true)
          + text.pad(counts(own.filter { !$0.testCase.isOfficial }), 17, right: true)
          + "   \(section) \(ClauseTitle[section])")
    }
    return lines
  }

  /// The failure of the advice, and one of each other section.
  private var firstFailures: [String] {
    let run = failures.filter { !$0.isGivenUp }
    var shown = Mending.advice(run).map { [$0.first] } ?? []
    for failure in run.filter(\.testCase.isOfficial) + run
    where !shown.contains(where: { $0.testCase.section == failure.testCase.section }) {
      shown.append(failure)
    }
    var lines = shown.flatMap { failure in
      let kind = failure.testCase.isBeyond ? " (beyond the official suite)" : ""
      return [
        Self.line("✗ \(failure.testCase.id)\(kind) \(failure.testCase.title)"),
        Self.line("    \(failure.message ?? "")"),
      ]
    }
    if run.count > shown.count { lines.append("✗ \(run.count - shown.count) more") }
    let unrun = failures.filter(\.isGivenUp)
    if !unrun.isEmpty {
      let sections = Set(unrun.map(\.testCase.section)).sorted().joined(separator: ", ")
      lines.append(Self.line("✗ \(unrun.count) given up after repeated deadlines, in \(sections)"))
    }
    return lines
  }

  /// The likeliest reason if all cases about thenables fail, otherwise advice on the first part to mend.
  private var hints: [String] {
    let thenables = results.filter { $0.testCase.section == "2.3.3" }
    if !thenables.isEmpty, thenables.allSatisfy(\.outcome.isFailure) {
      return [
        "No case of 2.3.3 passed: an adapter without thenables leaves `.thenables` out of `capabilities`."
      ]
    }
    return Mending.advice(failures.filter { !$0.isGivenUp }).map { [$0.hint] } ?? []
  }

  /// Wrong declarations, a note on the processors, and the verdict.
  private var remarks: [String] {
    let matrix = MatrixReport([RecordedRun(name: "", self)])
    let wrong = matrix.runs[0].wrongDeclarations.map { "✗ \($0)" }
    let time = SafeText.decimal(duration, digits: 2)
    return wrong + (matrix.processorNote.map { [$0] } ?? []) + ["\(matrix.verdict), in \(time) s"]
  }

  private static func line(_ text: String) -> String { SafeText.line(text, most: 100) }
}
