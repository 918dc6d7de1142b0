/// The cases, in the order of the clauses: for each clause the official ones, then our own.
public enum ConformanceSuite: Sendable {
  /// Every case: all 872 official ones (those that cannot be expressed included) and our own.
  public static let cases: [ConformanceCase] =
    Clause2_1.cases + Clause2_2_1.cases + Clause2_2_2.cases + Clause2_2_3.cases + Clause2_2_4.cases
    + Clause2_2_5.cases + Clause2_2_6.cases + Clause2_2_7.cases + Clause2_3_1.cases + Clause2_3_2.cases
    + Clause2_3_3.cases + Clause2_3_3_3.cases + Clause2_3_3.notAFunction + Clause2_3_4.cases

  /// The cases of the official suite.
  public static var official: [ConformanceCase] { cases.filter(\.isOfficial) }

  /// The cases of our own.
  public static var beyond: [ConformanceCase] { cases.filter { !$0.isOfficial } }

  /// The cases that a clause or a case id selects.
  public static func cases(matching selector: String) -> [ConformanceCase] {
    cases.filter { $0.matches(selector) }
  }
}
