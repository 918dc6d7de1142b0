import PromisesAPlusSuite

/// A validated command line.
struct Plan: Sendable {
  /// The contexts, in the order of the matrix.
  let subjects: [Subject]
  /// The cases, in the order of the suite.
  let cases: [ConformanceCase]

  /// Selects from `subjects` and `cases`. An unknown context, clause or case is an error, because a run
  /// without it would look like a success.
  init(_ arguments: Arguments, subjects: [Subject], cases: [ConformanceCase]) throws(UsageError) {
    let names = subjects.map(\.name)
    for name in arguments.contexts where !names.contains(name) {
      throw UsageError("no context is called '\(name)' (known: \(names.joined(separator: ", ")))")
    }
    for clause in arguments.clauses where !cases.contains(where: { $0.matches(clause) }) {
      throw UsageError("no case belongs to clause \(clause) (--list shows all)")
    }
    for id in arguments.cases where !cases.contains(where: { Self.isCalled(id, $0) }) {
      throw UsageError("no case is called '\(id)' (--list shows all)")
    }
    self.subjects = subjects.filter { arguments.contexts.isEmpty || arguments.contexts.contains($0.name) }
    self.cases = cases.filter { testCase in
      arguments.choosesEveryCase || arguments.clauses.contains(where: testCase.matches)
        || arguments.cases.contains { Self.isCalled($0, testCase) }
    }
  }

  private static func isCalled(_ id: String, _ testCase: ConformanceCase) -> Bool {
    testCase.id == id || testCase.officialNumber.map(String.init) == id
  }

  /// The output of `--list`.
  var listing: String {
    let width = subjects.map(\.name.count).max() ?? 0
    var lines = ["Contexts:"]
    for subject in subjects {
      let name = subject.name + String(repeating: " ", count: width - subject.name.count)
      lines.append("  \(name)  \(subject.summary)")
      for deviation in subject.deviations {
        lines.append("      deviates on \(deviation.selectors.joined(separator: ", ")): \(deviation.reason)")
      }
    }
    let census = CaseCensus(cases)
    lines.append("")
    lines.append(
      "Cases: \(census.official) of the \(OfficialClauses.caseCount) official ones, \(census.ported) of them "
        + "ported; \(census.beyond) beyond them"
        + (census.chapters > 0 ? "; \(census.chapters) of other chapters:" : ":"))
    for testCase in cases {
      let number = testCase.officialNumber.map { " [\($0)]" } ?? ""
      lines.append("  \(testCase.id)\(number)  \(testCase.title)")
      if let reason = testCase.inexpressible { lines.append("      not expressible: \(reason)") }
    }
    return lines.joined(separator: "\n") + "\n"
  }
}
