/// The output of `print(report)`: at most 24 lines, and one more for each chapter. The figures of the
/// official suite come first.
extension ConformanceReport: CustomStringConvertible {
  private static let rows = [
    "2.1", "2.2.1", "2.2.2", "2.2.3", "2.2.4", "2.2.5", "2.2.6", "2.2.7", "2.3.1", "2.3.2", "2.3.3", "2.3.4",
  ]
  /// The number of failures that are shown in full.
  private static let shownFailures = 2

  /// A summary for one screen: the outcomes of the official and additional cases, the sections, and the first
  /// failures.
  public var description: String {
    (totals + sections + firstFailures + hints + [verdict]).joined(separator: "\n")
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

  private var firstFailures: [String] {
    let run = self.failures.filter { !$0.isGivenUp }
    // The advice is about the first section.
    let first = Mending.first(run.map(\.testCase))?.section
    let ranks = run.map { $0.testCase.section == first ? 0 : $0.testCase.isOfficial ? 1 : 2 }
    let failures = (0...2).flatMap { rank in zip(run, ranks).filter { $1 == rank }.map(\.0) }
    var lines: [String] = []
    for failure in failures.prefix(Self.shownFailures) {
      guard case .failed(let message) = failure.outcome else { continue }
      let kind = failure.testCase.isBeyond ? " (beyond the official suite)" : ""
      lines.append(Self.line("✗ \(failure.testCase.id)\(kind) \(failure.testCase.title)"))
      lines.append(Self.line("    \(message)"))
    }
    if failures.count > Self.shownFailures { lines.append("✗ \(failures.count - Self.shownFailures) more") }
    let unrun = givenUp
    if !unrun.isEmpty {
      let sections = Set(unrun.map(\.testCase.section)).sorted().joined(separator: ", ")
      lines.append(Self.line("✗ \(unrun.count) given up after repeated deadlines, in \(sections)"))
    }
    return lines
  }

  /// The likeliest reason if all cases about thenables fail, otherwise advice on the first part to mend.
  private var hints: [String] {
    let thenables = results.filter { $0.testCase.section == "2.3.3" }
    guard !thenables.isEmpty, thenables.allSatisfy(\.outcome.isFailure)
    else { return Mending.hint(failures.filter { !$0.isGivenUp }.map(\.testCase)).map { [$0] } ?? [] }
    return [
      "No case of 2.3.3 passed: an adapter without thenables leaves `.thenables` out of `capabilities`."
    ]
  }

  private var verdict: String {
    let time = SafeText.decimal(duration, digits: 2)
    return "\(MatrixReport([RecordedRun(name: "", self)]).verdict), in \(time) s"
  }

  /// Returns at most 100 characters of the first line.
  private static func line(_ text: String) -> String {
    let first = text.prefix { !$0.isNewline }
    return first.count > 100 ? first.prefix(99) + "…" : String(first)
  }
}
