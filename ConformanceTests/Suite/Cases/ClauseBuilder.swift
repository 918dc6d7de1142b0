/// Collects the cases of one clause. Official cases are numbered in the order in which they are added, which
/// is the order of the official suite.
struct ClauseBuilder {
  typealias Body = @Sendable (Probe) throws -> Void

  let clause: String
  private(set) var cases: [ConformanceCase] = []
  private var nextNumber: Int
  private let firstNumber: Int

  /// Returns the cases that `build` adds.
  static func cases(_ clause: String, _ build: (inout ClauseBuilder) -> Void) -> [ConformanceCase] {
    var builder = ClauseBuilder(clause)
    build(&builder)
    return builder.cases
  }

  private init(_ clause: String) {
    guard let entry = OfficialClauses.entries.first(where: { $0.clause == clause }) else {
      preconditionFailure("no clause \(clause)")
    }
    self.clause = clause
    firstNumber = entry.numbers.lowerBound
    nextNumber = firstNumber
  }

  /// Adds a case of the official suite.
  mutating func official(
    _ title: String, needs: Capabilities = [], observesOrder: Bool = false, _ body: @escaping Body
  ) {
    addOfficial(title, needs, observesOrder, .body(body))
  }

  /// Adds a case of the official suite that Swift cannot express.
  mutating func inexpressible(_ title: String, because reason: String) {
    addOfficial(title, [], false, .inexpressible(reason: reason))
  }

  /// Adds an additional case. `name` must not change, because the id contains it.
  mutating func beyond(
    _ name: String, _ title: String, needs: Capabilities = [], observesOrder: Bool = false,
    _ body: @escaping Body
  ) {
    cases.append(
      ConformanceCase(
        id: "\(clause)+\(name)", clause: clause, title: title, officialNumber: nil, needs: needs,
        observesOrder: observesOrder, content: .body(body)))
  }

  private mutating func addOfficial(
    _ title: String, _ needs: Capabilities, _ observesOrder: Bool, _ content: ConformanceCase.Content
  ) {
    cases.append(
      ConformanceCase(
        id: "\(clause)/\(nextNumber - firstNumber + 1)", clause: clause, title: title,
        officialNumber: nextNumber, needs: needs, observesOrder: observesOrder, content: content))
    nextNumber += 1
  }
}
