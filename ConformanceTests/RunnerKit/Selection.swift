/// A clause that includes everything below it: `2.3.3` covers `2.3.3.1`, not `2.3.30`; `cancel` covers
/// `cancel.down`.
public struct ClausePrefix: Equatable, Sendable, CustomStringConvertible {
  private let parts: [Substring]

  /// `nil` if `text` is neither a dotted number nor dotted words.
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

  /// Whether `clause` is this clause or one below it.
  public func covers(_ clause: String) -> Bool {
    clause.split(separator: ".").starts(with: parts)
  }

  /// The number as it was typed.
  public var description: String { parts.joined(separator: ".") }
}

/// The cases of the suite to run: those under any of the clauses, and the named ones; without either, all.
public struct Selection: Equatable, Sendable {
  /// Clauses to run, with everything below them.
  public var clauses: [ClausePrefix] = []
  /// Cases to run, by id or by their number in the official suite.
  public var cases: [String] = []

  /// All cases.
  public init() {}

  /// Whether the selection is empty, which means all cases.
  public var isEverything: Bool { clauses.isEmpty && cases.isEmpty }

  /// Whether a case belongs to the selection.
  public func contains(id: String, clause: String, officialNumber: Int?) -> Bool {
    if isEverything || cases.contains(id) || clauses.contains(where: { $0.covers(clause) }) { return true }
    return officialNumber.map { cases.contains(String($0)) } ?? false
  }
}
