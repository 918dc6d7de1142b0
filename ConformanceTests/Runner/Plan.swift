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
      throw UsageError("no case belongs to clause \(clause)")
    }
    for id in arguments.cases where !cases.contains(where: { Self.isCalled(id, $0) }) {
      throw UsageError("no case is called '\(id)'")
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
}
