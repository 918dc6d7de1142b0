/// The report as one line for a badge: a JSON object in the form that shields.io reads from an endpoint.
///
/// Its message counts the official cases that hold on every subject, among those that Swift can express.
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
