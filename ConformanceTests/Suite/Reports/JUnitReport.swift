/// The report as the XML that build servers read: a `testsuite` per subject, a `testcase` per case.
///
/// A case that cannot be expressed and a declared deviation are `skipped`, with their reasons.
public struct JUnitReport: Sendable {
  /// Makes the format, which has no options.
  public init() {}

  /// The document, ending with a line break.
  public func render(_ report: MatrixReport) -> String {
    var lines = [#"<?xml version="1.0" encoding="UTF-8"?>"#]
    let totals = report.counts
    let brokenOff = report.runs.count { $0.breaksOff }
    let programs = report.programs
    let (ran, failed, skipped) = programs.map(counts) ?? (0, 0, 0)
    lines.append(
      element(
        "testsuites",
        [
          ("name", "Promises/A+ 1.1"), ("tests", "\(totals.total + brokenOff + ran)"),
          ("failures", "\(totals.failed + failed)"), ("errors", "\(brokenOff)"),
          ("skipped", "\(totals.deviated + totals.notExpressible + skipped)"),
          ("time", DecimalText.text(report.duration)),
        ]) + ">")
    for run in report.runs { lines += suite(run) }
    if let programs { lines += suite(programs) }
    lines.append("</testsuites>")
    return lines.joined(separator: "\n") + "\n"
  }

  private func suite(_ run: RecordedRun) -> [String] {
    let counts = run.counts
    let brokenOff = run.breaksOff ? 1 : 0
    var lines = [
      "  "
        + element(
          "testsuite",
          [
            ("name", run.name), ("tests", "\(counts.total + brokenOff)"), ("failures", "\(counts.failed)"),
            ("errors", "\(brokenOff)"), ("skipped", "\(counts.deviated + counts.notExpressible)"),
            ("time", DecimalText.text(run.duration)),
          ]) + ">"
    ]
    lines.append("    <properties>")
    let chapters = Chapter.allCases.dropFirst().map { ($0.rawValue, run.counts(of: $0)) }
    for (name, counts) in [("official", run.official), ("beyond", run.beyond)] + chapters
    where counts.total > 0 || name == "official" || name == "beyond" {
      lines.append("      " + element("property", [("name", name), ("value", counts.words)]) + "/>")
    }
    lines.append("    </properties>")
    for recorded in run.cases { lines += testCase(recorded, run) }
    if run.breaksOff {
      let during = run.running.map { " during \($0.id)" } ?? ""
      lines.append("    " + element("testcase", [("classname", run.name), ("name", "the whole run")]) + ">")
      lines.append("      " + element("error", [("message", "it ended early\(during)")]) + "/>")
      lines.append("    </testcase>")
    }
    lines.append("  </testsuite>")
    return lines
  }

  private func counts(_ programs: ProgramReport) -> (Int, failed: Int, skipped: Int) {
    (1, programs.isSuccess ? 0 : 1, programs.notExpressible == nil ? 0 : 1)
  }

  private func suite(_ programs: ProgramReport) -> [String] {
    let (_, failed, skipped) = counts(programs)
    let time = ("time", DecimalText.text(programs.duration))
    let suite = element(
      "testsuite",
      [
        ("name", "random programs"), ("tests", "1"), ("failures", "\(failed)"), ("errors", "0"),
        ("skipped", "\(skipped)"), time,
      ])
    let head = element(
      "testcase", [("classname", "programs"), ("name", "\(programs.programs) random programs"), time])
    let detail =
      programs.failure.map { element("failure", [("message", "\($0)")]) }
      ?? programs.notExpressible.map { element("skipped", [("message", "not expressible: \($0)")]) }
    let body = detail.map { ["    \(head)>", "      \($0)/>", "    </testcase>"] } ?? ["    \(head)/>"]
    return ["  \(suite)>"] + body + ["  </testsuite>"]
  }

  private func testCase(_ recorded: RecordedCase, _ run: RecordedRun) -> [String] {
    let head =
      "    "
      + element(
        "testcase",
        [
          ("classname", "\(run.name).\(recorded.testCase.clause)"),
          ("name", "\(recorded.testCase.id) \(recorded.testCase.title)"),
          ("time", DecimalText.text(recorded.duration)),
        ])
    let detail: String
    switch recorded.outcome {
    case .passed: return [head + "/>"]
    case .failed: detail = element("failure", [("message", recorded.message ?? "")])
    case .notExpressible:
      detail = element("skipped", [("message", "not expressible: \(recorded.message ?? "")")])
    case .deviated:
      detail = element("skipped", [("message", "declared deviation: \(recorded.message ?? "")")])
    }
    return [head + ">", "      " + detail + "/>", "    </testcase>"]
  }

  /// An opening tag without its closing bracket.
  private func element(_ name: String, _ attributes: [(String, String)]) -> String {
    "<" + name + attributes.map { " \($0)=\"\(XMLText.escape($1))\"" }.joined()
  }
}
