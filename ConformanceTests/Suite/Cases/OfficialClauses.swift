/// The numbers of the official suite for Promises/A+ 1.1. Tests compare the port with them.
public enum OfficialClauses: Sendable {
  /// A clause and the numbers of its cases, in the official order.
  public struct Entry: Sendable {
    /// The clause, such as `"2.2.6.1"`.
    public let clause: String
    /// The numbers of the clause's cases.
    public let numbers: ClosedRange<Int>
  }

  /// The number of cases.
  public static let caseCount = 872

  /// All clauses that have cases.
  public static let entries: [Entry] = {
    var next = 1
    return counts.map { clause, count in
      defer { next += count }
      return Entry(clause: clause, numbers: next...(next + count - 1))
    }
  }()

  private static let counts: [(String, Int)] = [
    ("2.1.2.1", 6), ("2.1.3.1", 6),
    ("2.2.1.1", 10), ("2.2.1.2", 10),
    ("2.2.2.1", 3), ("2.2.2.2", 2), ("2.2.2.3", 6),
    ("2.2.3.1", 3), ("2.2.3.2", 2), ("2.2.3.3", 6),
    ("2.2.4", 16), ("2.2.5", 4),
    ("2.2.6.1", 15), ("2.2.6.2", 15),
    ("2.2.7", 1), ("2.2.7.1", 1), ("2.2.7.2", 66), ("2.2.7.3", 18), ("2.2.7.4", 18),
    ("2.3.1", 2), ("2.3.2.1", 2), ("2.3.2.2", 4), ("2.3.2.3", 4),
    ("2.3.3.1", 6), ("2.3.3.2", 22), ("2.3.3.3", 4), ("2.3.3.3.1", 472), ("2.3.3.3.2", 44),
    ("2.3.3.3.3", 34), ("2.3.3.3.4.1", 12), ("2.3.3.3.4.2", 6), ("2.3.3.4", 10),
    ("2.3.4", 42),
  ]
}
