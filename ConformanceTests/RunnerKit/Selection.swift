/// A clause that includes everything below it. `2.3.3` covers `2.3.3.1`, not `2.3.30`; `cancel` covers
/// `cancel.down`.
public struct ClausePrefix: Equatable, Sendable, CustomStringConvertible {
  private let parts: [Substring]

  /// Creates a clause. Returns `nil` if `text` is neither a dotted number nor dotted words.
  public init?(_ text: String) {
    let parts = text.split(separator: ".", omittingEmptySubsequences: false)
    guard parts.allSatisfy({ part in Self.isNumber(part) || Self.isWord(part) }) else { return nil }
    self.parts = parts
  }

  private static func isNumber(_ part: Substring) -> Bool {
    Int(part) != nil && !part.hasPrefix("-") && !part.hasPrefix("+")
  }

  private static func isWord(_ part: Substring) -> Bool {
    !part.isEmpty && part.allSatisfy { ("a"..."z").contains($0) }
  }

  /// Whether `clause` is this clause or a clause below it.
  public func covers(_ clause: String) -> Bool {
    clause.split(separator: ".").starts(with: parts)
  }

  /// The clause as it was typed.
  public var description: String { parts.joined(separator: ".") }
}

/// The cases to run: the cases of all selected clauses, and the selected cases. An empty selection means all
/// cases.
public struct Selection: Equatable, Sendable {
  /// The clauses to run, with everything below them.
  public var clauses: [ClausePrefix] = []
  /// The cases to run, by id or by their number in the official suite.
  public var cases: [String] = []

  /// Creates a selection of all cases.
  public init() {}

  /// Whether the selection is empty, which means all cases.
  public var isEverything: Bool { clauses.isEmpty && cases.isEmpty }

  /// Whether a case belongs to the selection.
  public func contains(id: String, clause: String, officialNumber: Int?) -> Bool {
    if isEverything || cases.contains(id) || clauses.contains(where: { $0.covers(clause) }) { return true }
    return officialNumber.map { cases.contains(String($0)) } ?? false
  }
}
