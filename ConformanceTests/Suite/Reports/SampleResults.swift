/// Invented results for tests of the reports and of the runner. They include every outcome, in a known order.
package enum SampleResults {
  /// Returns a result of a case without a body.
  package static func result(
    _ id: String, clause: String, title: String = "a title", number: Int? = nil,
    _ outcome: CaseOutcome, inexpressible: String? = nil, duration: Double = 0.001
  ) -> CaseResult {
    let content: ConformanceCase.Content =
      inexpressible.map { .inexpressible(reason: $0) } ?? .body { _ in }
    let testCase = ConformanceCase(
      id: id, clause: clause, title: title, officialNumber: number, needs: [], observesOrder: false,
      content: content)
    return CaseResult(testCase: testCase, outcome: outcome, duration: duration, isGivenUp: false)
  }

  package static func report(
    _ results: [CaseResult], unknownSelectors: [String] = [], impossibleSelectors: [String] = []
  ) -> ConformanceReport {
    ConformanceReport(
      results: results, duration: results.reduce(0) { $0 + $1.duration }, unknownSelectors: unknownSelectors,
      impossibleSelectors: impossibleSelectors)
  }
}
