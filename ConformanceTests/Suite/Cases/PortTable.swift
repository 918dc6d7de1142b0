/// The ported official cases, clause by clause.
public enum PortTable: Sendable {
  /// The figures of one clause.
  public struct Row: Sendable {
    /// The clause, such as `"2.2.6.1"`.
    public let clause: String
    /// The number of official cases.
    public let official: Int
    /// The number of ported cases.
    public let ported: Int
    /// The number of inexpressible official cases.
    public let inexpressible: Int
    /// The reasons why cases are inexpressible, each listed once.
    public let reasons: [String]
    /// The number of additional cases.
    public let beyond: Int
  }

  /// One row per clause.
  public static var rows: [Row] {
    OfficialClauses.entries.map { entry in
      let cases = ConformanceSuite.cases.filter { $0.clause == entry.clause }
      let official = cases.filter(\.isOfficial)
      let reasons = official.compactMap(\.inexpressible)
      return Row(
        clause: entry.clause, official: entry.numbers.count, ported: official.count - reasons.count,
        inexpressible: reasons.count, reasons: Set(reasons).sorted(),
        beyond: cases.count - official.count)
    }
  }

  /// The differences between a list of cases and the official numbers; empty if there are none.
  ///
  /// Each number must occur once, in order, and at its clause. Each id must occur once.
  public static func defects(in cases: [ConformanceCase]) -> [String] {
    var defects: [String] = []
    for (id, group) in Dictionary(grouping: cases, by: \.id) where group.count > 1 {
      defects.append("\(id) occurs \(group.count) times")
    }
    for entry in OfficialClauses.entries {
      let numbers = cases.filter { $0.clause == entry.clause }.compactMap(\.officialNumber)
      if numbers != Array(entry.numbers) {
        defects.append("\(entry.clause) has the numbers \(numbers), not \(entry.numbers)")
      }
    }
    for testCase in cases where testCase.inexpressible?.isEmpty == true {
      defects.append("\(testCase.id) is left out without a reason")
    }
    return defects
  }
}
