/// The parts of the suite.
public enum Chapter: String, Sendable, CaseIterable {
  /// Promises/A+ 1.1: the official cases and the additional cases.
  case promisesAPlus
  /// ECMAScript's combinators, by the clauses of ECMA-262; see ``Combinators``.
  case combinators

  /// The subject of the chapter, for reports.
  var subject: String {
    switch self {
    case .promisesAPlus: "Promises/A+"
    case .combinators: "ECMAScript's combinators"
    }
  }

  /// The chapters outside Promises/A+ that have results.
  static func ran(_ counts: (Chapter) -> OutcomeCounts) -> [Chapter] {
    allCases.filter { $0 != .promisesAPlus && counts($0).total > 0 }
  }
}

extension ConformanceSuite {
  /// The chapter on ECMAScript's combinators.
  public static let combinators: [ConformanceCase] =
    CombinatorScript.all.map(\.testCase) + CombinatorRaces.cases

  /// The chapters outside Promises/A+, for implementations with combinators.
  public static var chapters: [ConformanceCase] { combinators }
}

extension ConformanceCase {
  /// Creates a case of a chapter outside Promises/A+.
  init(
    _ chapter: Chapter, _ clause: String, _ name: String, _ title: String, needs: Capabilities = [],
    missing: @escaping @Sendable (Bridge) -> String?, _ body: @escaping @Sendable (Probe) throws -> Void
  ) {
    self.init(
      id: "\(clause)+\(name)", clause: clause, title: title, officialNumber: nil, needs: needs,
      observesOrder: false, content: .body(body), chapter: chapter, missing: missing)
  }
}
