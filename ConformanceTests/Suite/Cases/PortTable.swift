/// What became of the official cases, clause by clause.
public enum PortTable: Sendable {
  /// One clause.
  public struct Row: Sendable {
    /// Such as `"2.2.6.1"`.
    public let clause: String
    /// How many cases the official suite has.
    public let official: Int
    /// How many of them are ported.
    public let ported: Int
    /// How many cannot be expressed in Swift, and why, each reason once.
    public let inexpressible: Int
    /// Why not.
    public let reasons: [String]
    /// How many cases of our own there are.
    public let beyond: Int
  }

  /// A row per clause.
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

  /// What is wrong with a list of cases, compared with the official numbers: each has to be there once, in
  /// order, at its clause, and every id but once. Empty when all is well.
  public static func defects(in cases: [ConformanceCase]) -> [String] {
    var defects: [String] = []
    for (id, group) in Dictionary(grouping: cases, by: \.id) where group.count > 1 {
      defects.append("\(id) is there \(group.count) times")
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
