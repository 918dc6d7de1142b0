/// The report as the XML that build servers read: a `testsuite` per subject, and a `testcase` per case.
///
/// Inexpressible cases and declared deviations are `skipped`, with their reasons. An interrupt is an `error`.
public struct JUnitReport: Sendable {
  /// Makes the format, which has no options.
  public init() {}

  /// The document, ending with a line break.
  public func render(_ report: MatrixReport) -> String {
    let totals = report.counts
    let errors = report.runs.count { $0.breaksOff } + (report.interruption == nil ? 0 : 1)
    let failed = report.programs.count { $0.problem != nil }
    let skipped = report.programs.count { $0.notExpressible != nil }
    var suites = report.runs.flatMap { suite($0) }
    suites += report.programs.flatMap { suite($0) }
    if report.interruption != nil {
      suites += group("interrupt", tests: 1, errors: 1, time: 0, error("all contexts", report.verdict))
    }
    let all = group(
      as: "testsuites", "Promises/A+ 1.1", tests: totals.total + errors + report.programs.count,
      failures: totals.failed + failed, errors: errors,
      skipped: totals.deviated + totals.notExpressible + skipped, time: report.duration, suites)
    return ([#"<?xml version="1.0" encoding="UTF-8"?>"#] + all).joined(separator: "\n") + "\n"
  }

  /// Returns the lines of a `testsuite`, or of another element with the same attributes.
  private func group(
    as element: String = "testsuite", _ name: String, tests: Int, failures: Int = 0, errors: Int = 0,
    skipped: Int = 0, time: Double, _ content: [String]
  ) -> [String] {
    self.element(
      element,
      [
        ("name", name), ("tests", "\(tests)"), ("failures", "\(failures)"), ("errors", "\(errors)"),
        ("skipped", "\(skipped)"), ("time", SafeText.decimal(time)),
      ],
      content)
  }

  private func suite(_ run: RecordedRun) -> [String] {
    let counts = run.counts
    let brokenOff = run.breaksOff ? 1 : 0
    var parts = [("official", run.official), ("beyond", run.beyond)]
    for chapter in Chapter.ran(run.counts) { parts.append((chapter.rawValue, run.counts(of: chapter))) }
    let properties = parts.flatMap { name, counts in
      element("property", [("name", name), ("value", counts.words)])
    }
    var cases = run.cases.flatMap { testCase($0, run) }
    if run.breaksOff {
      let during = run.running.map { " during \($0.id)" } ?? ""
      cases += error(run.name, "it ended early\(during)")
    }
    return group(
      run.name, tests: counts.total + brokenOff, failures: counts.failed, errors: brokenOff,
      skipped: counts.deviated + counts.notExpressible, time: run.duration,
      element("properties", [], properties) + cases)
  }

  private func suite(_ programs: ProgramReport) -> [String] {
    let time = ("time", SafeText.decimal(programs.duration))
    let detail =
      programs.problem.map { element("failure", [("message", $0)]) }
      ?? programs.notExpressible.map { element("skipped", [("message", "not expressible: \($0)")]) }
    let testCase = element(
      "testcase", [("classname", "programs"), ("name", "\(programs.programs) random programs"), time],
      detail ?? [])
    return group(
      "random programs", tests: 1, failures: programs.problem == nil ? 0 : 1,
      skipped: programs.notExpressible == nil ? 0 : 1, time: programs.duration, testCase)
  }

  private func error(_ place: String, _ message: String) -> [String] {
    element(
      "testcase", [("classname", place), ("name", "the whole run")],
      element("error", [("message", message)]))
  }

  private func testCase(_ recorded: CaseResult, _ run: RecordedRun) -> [String] {
    let message = recorded.message ?? ""
    let detail: [String] =
      switch recorded.outcome {
      case .passed: []
      case .failed: element("failure", [("message", message)])
      case .notExpressible: element("skipped", [("message", "not expressible: \(message)")])
      case .deviated: element("skipped", [("message", "declared deviation: \(message)")])
      }
    return element(
      "testcase",
      [
        ("classname", "\(run.name).\(recorded.testCase.clause)"),
        ("name", "\(recorded.testCase.id) \(recorded.testCase.title)"),
        ("time", SafeText.decimal(recorded.duration)),
      ],
      detail)
  }

  /// Returns the lines of an element. `content` has the lines inside it.
  private func element(
    _ name: String, _ attributes: [(String, String)], _ content: [String] = []
  ) -> [String] {
    let head = "<" + name + attributes.map { " \($0)=\"\(SafeText.xml($1))\"" }.joined()
    if content.isEmpty { return [head + "/>"] }
    return [head + ">"] + content.map { "  " + $0 } + ["</\(name)>"]
  }
}
