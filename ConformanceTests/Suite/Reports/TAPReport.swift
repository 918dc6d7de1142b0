/// The report as a Test Anything Protocol stream, version 13: one flat list of test points. Each point is
/// named after its subject, case and title.
///
/// An inexpressible case is skipped. A declared deviation is a "not ok" with the directive for expected
/// failures. Harnesses count neither of these as a failure.
public struct TAPReport: Sendable {
  /// Makes the format, which has no options.
  public init() {}

  /// The stream, ending with a line break.
  public func render(_ report: MatrixReport) -> String {
    let points = report.runs.flatMap { run in run.cases.map { (run, $0) } }
    var lines = ["TAP version 13"]
    // An interrupted run has no plan line, because the number of its points is unknown.
    let programs = report.programs.map { self.programs($0, points.count + 1) } ?? []
    if !report.interrupted { lines.append("1..\(points.count + (programs.isEmpty ? 0 : 1))") }
    for (index, (run, recorded)) in points.enumerated() {
      lines += point(index + 1, run, recorded)
    }
    lines += programs
    if report.interrupted { lines.append("Bail out! interrupted") }
    lines.append("# official cases: \(report.official.words)")
    lines.append("# beyond them: \(report.beyond.words)")
    for chapter in report.chapters {
      lines.append("# \(chapter.subject): \(report.counts(of: chapter).words)")
    }
    lines.append("# \(Self.line(report.verdict))")
    return lines.joined(separator: "\n") + "\n"
  }

  private func programs(_ report: ProgramReport, _ number: Int) -> [String] {
    let name = "\(number) - \(Self.line("\(report.programs) random programs"))"
    if let reason = report.notExpressible { return ["ok \(name) # SKIP \(Self.line(reason))"] }
    return report.problem.map { failed(name, $0) } ?? ["ok \(name)"]
  }

  private func failed(_ name: String, _ message: String) -> [String] {
    ["not ok \(name)", "  ---", "  message: \(Self.quoted(message))", "  ..."]
  }

  private func point(_ number: Int, _ run: RecordedRun, _ recorded: RecordedCase) -> [String] {
    let name = Self.line(
      "\(run.name): \(recorded.testCase.id) \(recorded.testCase.title)", escapingHash: true)
    let reason = Self.line(recorded.message ?? "")
    switch recorded.outcome {
    case .passed: return ["ok \(number) - \(name)"]
    case .notExpressible: return ["ok \(number) - \(name) # SKIP \(reason)"]
    case .deviated: return ["not ok \(number) - \(name) # todo \(reason)"]
    case .failed:
      return failed("\(number) - \(name)", recorded.message ?? "")
    }
  }

  /// Returns `text` on one line. In a description, a `#` would begin a directive.
  private static func line(_ text: String, escapingHash: Bool = false) -> String {
    let flat = text.split(whereSeparator: \.isNewline).joined(separator: " ")
    return escapingHash
      ? flat.split(separator: "#", omittingEmptySubsequences: false).joined(separator: "\\#") : flat
  }

  /// Returns a double-quoted YAML scalar on one line.
  private static func quoted(_ text: String) -> String {
    var result = "\""
    for scalar in text.unicodeScalars {
      switch scalar {
      case "\"": result += "\\\""
      case "\\": result += "\\\\"
      case "\n": result += "\\n"
      case "\r": result += "\\r"
      case "\t": result += "\\t"
      case _ where scalar.value < 0x20 || scalar.value == 0x7F:
        let hex = String(scalar.value, radix: 16)
        result += "\\x" + (hex.count < 2 ? "0" : "") + hex
      default: result.unicodeScalars.append(scalar)
      }
    }
    return result + "\""
  }
}
