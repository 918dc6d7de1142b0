/// The report as a badge: one line of JSON in the format that shields.io reads from an endpoint.
///
/// The message counts the official cases that hold on every subject, out of those that Swift can express.
public struct BadgeReport: Sendable {
  /// Makes the format, which has no options.
  public init() {}

  /// The line, ending with a line break.
  public func render(_ report: MatrixReport) -> String {
    let cases = report.cases.filter { $0.isOfficial && $0.inexpressible == nil }
    let held = report.runs.map { run in
      Set(run.cases.lazy.filter { $0.outcome == .passed }.map(\.testCase.id))
    }
    let holding = cases.count { testCase in held.allSatisfy { $0.contains(testCase.id) } }
    let color = !report.isAsDeclared ? "red" : holding == cases.count ? "brightgreen" : "green"
    return #"{"schemaVersion":1,"label":"Promises/A+","message":"\#(holding) of \#(cases.count)","#
      + #""color":"\#(color)"}"# + "\n"
  }
}
