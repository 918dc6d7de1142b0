/// The cases of Promises/A+, in the order of the clauses. The official cases of a clause come first, then its
/// additional cases. The other parts of the suite are in ``chapters``.
public enum ConformanceSuite: Sendable {
  /// All cases: the 872 official cases, inexpressible cases included, and the additional cases.
  public static let cases: [ConformanceCase] =
    Clause2_1.cases + Clause2_2_1.cases + Clause2_2_2.cases + Clause2_2_3.cases + Clause2_2_4.cases
    + Clause2_2_5.cases + Clause2_2_6.cases + Clause2_2_7.cases + Clause2_3_1.cases + Clause2_3_2.cases
    + Clause2_3_3.cases + Clause2_3_3_3.cases + Clause2_3_3.notAFunction + Clause2_3_4.cases

  /// The cases of the official suite.
  public static var official: [ConformanceCase] { cases.filter(\.isOfficial) }

  /// The additional cases.
  public static var beyond: [ConformanceCase] { cases.filter { !$0.isOfficial } }

  /// The cases that a clause or case id selects. The cases of chapters are included.
  public static func cases(matching selector: String) -> [ConformanceCase] {
    (cases + chapters).filter { $0.matches(selector) }
  }
}
