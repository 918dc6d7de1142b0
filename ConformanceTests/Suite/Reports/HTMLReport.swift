/// The report as one page for a browser, without scripts or other files. It shows the verdict, the failures,
/// the clauses with a mark for each subject, and the reasons for deviations and inexpressible cases.
public struct HTMLReport: Sendable {
  /// Makes the format, which has no options.
  public init() {}

  /// The page, ending with a line break. It is also well-formed XML.
  public func render(_ report: MatrixReport) -> String {
    let style = report.isAsDeclared ? "good" : "bad"
    let parts = [
      "<h1>Promises/A+ conformance</h1>",
      "<p class=\"verdict \(style)\">\(text(report.verdict))</p>",
      report.processorNote.map { "<p>\(text($0))</p>" } ?? "",
      subjects(report), failures(report), programs(report), clauses(report),
      list("Declared deviations", reasons(report, \.isDeviation)),
      list("Not expressible", reasons(report, \.isNotExpressible)),
    ]
    return """
      <!DOCTYPE html>
      <html lang="en">
      <head>
      <meta charset="utf-8"/>
      <title>Promises/A+ conformance: \(text(report.verdict))</title>
      <style>\(Self.style)</style>
      </head>
      <body>
      \(parts.filter { !$0.isEmpty }.joined(separator: "\n"))
      </body>
      </html>

      """
  }

  private static let style = """
    body { font: 15px/1.45 system-ui, sans-serif; max-width: 70em; margin: 2em auto; padding: 0 1em; }
    table { border-collapse: collapse; } th, td { text-align: left; padding: .15em .7em .15em 0; }
    pre { white-space: pre-wrap; margin: .2em 0 1em 1.5em; } .verdict { font-size: 1.3em; }
    .good { color: #157a3c; } .bad { color: #b3261e; } .note { color: #8a6100; } .quiet { color: #777; }
    """

  // MARK: Sections

  private func subjects(_ report: MatrixReport) -> String {
    if report.runs.isEmpty { return "" }
    let chapters = report.chapters
    let titles = ["", "official", "beyond"] + chapters.map(\.subject)
    let rows = report.runs.map { run in
      let counts = [run.official, run.beyond] + chapters.map(run.counts(of:))
      let cells = counts.map { "<td>\(text($0.total == 0 ? "" : $0.words))</td>" }.joined()
      return "<tr><th title=\"\(text(run.summary))\">\(text(run.name))</th>\(cells)</tr>"
    }
    return table(titles, rows)
  }

  private func failures(_ report: MatrixReport) -> String {
    var parts: [String] = []
    for run in report.runs {
      let failed = run.cases.filter(\.outcome.isFailure)
      if let hint = Mending.advice(failed)?.hint { parts.append("<p>\(text(hint))</p>") }
      for recorded in failed {
        let testCase = recorded.testCase
        let place = run.name.isEmpty ? "" : " on \(run.name)"
        parts.append(
          "<p><b class=\"bad\">\(text(testCase.id + place))</b> \(text(testCase.title))</p>\n"
            + "<pre>\(text(recorded.message ?? ""))</pre>")
      }
      if run.breaksOff {
        let during = run.running.map { " during \($0.id)" } ?? ""
        parts.append("<p class=\"bad\">\(text("The run on \(run.name) ended early\(during)."))</p>")
      }
      for wrong in run.wrongDeclarations {
        parts.append("<p class=\"bad\">\(text("On \(run.name): \(wrong)."))</p>")
      }
    }
    return parts.isEmpty ? "" : "<h2>What failed</h2>\n" + parts.joined(separator: "\n")
  }

  private func programs(_ report: MatrixReport) -> String {
    if report.programs.isEmpty { return "" }
    let parts = report.programs.map { programs in
      guard let failure = programs.failure else { return "<p>\(text(programs.description))</p>" }
      let id = "seed \(failure.seed) fails \(failure.clause)"
      return "<p><b class=\"bad\">\(text(id))</b> \(text(failure.message))</p>\n"
        + "<pre>\(text(failure.steps))</pre>"
    }
    return "<h2>Random programs</h2>\n" + parts.joined(separator: "\n")
  }

  private func clauses(_ report: MatrixReport) -> String {
    if report.runs.isEmpty { return "" }
    let outcomes = report.runs.map(\.outcomes)
    let rows = ClauseTree(report.cases).nodes.map { node in
      let marks = outcomes.map { mark(node.all, $0) }.joined()
      let indent = "padding-left: \(Double(node.depth) * 1.5)em"
      let title = "\(node.clause) \(ClauseTitle[node.clause])"
      return "<tr><td style=\"\(indent)\">\(text(title))</td><td>\(node.all.count)</td>\(marks)</tr>"
    }
    return "<h2>Clauses</h2>\n" + table(["", "cases"] + report.runs.map(\.name), rows)
      + "\n<p class=\"quiet\">\(TextReport.legend.replacing("  ", with: ", ")); "
      + "a number counts the cases that passed</p>"
  }

  /// Returns a cell with the mark. If some cases did not pass, the cell also has the number that passed.
  private func mark(_ cases: [ConformanceCase], _ outcomes: [String: CaseOutcome]) -> String {
    let mark = TextReport().marks(cases, [outcomes]).dropFirst(2)
    let style = ["✓": "good", "✗": "bad", "~": "note", "◐": "note"][String(mark)] ?? "quiet"
    let count = ["✗", "~", "◐"].contains(mark) ? " \(cases.count { outcomes[$0.id] == .passed })" : ""
    return "<td class=\"\(style)\">\(mark)\(count)</td>"
  }

  /// Returns the messages of the chosen outcomes, over all subjects. Each message occurs once, with its
  /// cases.
  private func reasons(_ report: MatrixReport, _ isChosen: (CaseOutcome) -> Bool) -> [String] {
    var seen: Set<String> = []
    return report.runs.flatMap { run in
      CaseList.grouped(run.cases.filter { isChosen($0.outcome) }.map { ($0.testCase, $0.message ?? "") })
    }.map { "\(CaseList.text($0.cases)): \($0.saying)" }.filter { seen.insert($0).inserted }
  }

  // MARK: Elements

  private func list(_ title: String, _ items: [String]) -> String {
    if items.isEmpty { return "" }
    return "<h2>\(title)</h2>\n<ul>\n\(items.map { "<li>\(text($0))</li>\n" }.joined())</ul>"
  }

  private func table(_ titles: [String], _ rows: [String]) -> String {
    let head = titles.map { "<th>\(text($0))</th>" }.joined()
    return "<table>\n<tr>\(head)</tr>\n\(rows.joined(separator: "\n"))\n</table>"
  }

  private func text(_ text: String) -> String { SafeText.xml(text) }
}
