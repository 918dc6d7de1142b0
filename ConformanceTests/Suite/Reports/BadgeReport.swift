/// The report as a badge: one line of JSON in the format that shields.io reads from an endpoint.
///
/// The message gives the number of official cases that hold, and of those that Swift can express. A case
/// holds if it fails on no subject, and passes on each subject without deviations in official cases. If all
/// subjects have deviations, the case must pass on all of them. The badge of an interrupted run counts
/// nothing.
public struct BadgeReport: Sendable {
  /// Makes the format, which has no options.
  public init() {}

  /// The line, ending with a line break.
  public func render(_ report: MatrixReport) -> String {
    let cases = report.cases.filter { $0.isOfficial && $0.inexpressible == nil }
    let conforming = report.runs.filter { $0.official.deviated == 0 }
    let passed = (conforming.isEmpty ? report.runs : conforming).map { $0.ids { $0 == .passed } }
    let failed = report.runs.map { $0.ids(\.isFailure) }
    let holding = cases.count { testCase in
      passed.allSatisfy { $0.contains(testCase.id) } && !failed.contains { $0.contains(testCase.id) }
    }
    let (message, color) =
      if report.interrupted {
        (report.verdict, "lightgrey")
      } else if cases.isEmpty {
        ("no official case ran", "lightgrey")
      } else {
        (
          "\(holding) of \(cases.count)",
          !report.isAsDeclared ? "red" : holding == cases.count ? "brightgreen" : "green"
        )
      }
    return #"{"schemaVersion":1,"label":"Promises/A+","message":"\#(message)","color":"\#(color)"}"# + "\n"
  }
}

extension RecordedRun {
  fileprivate func ids(_ isChosen: (CaseOutcome) -> Bool) -> Set<String> {
    Set(cases.filter { isChosen($0.outcome) }.map(\.testCase.id))
  }
}
