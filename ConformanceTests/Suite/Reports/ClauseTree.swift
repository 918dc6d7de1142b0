import Foundation

/// The cases of a report by clause: the structure of the text report.
struct ClauseTree {
  struct Node {
    /// The clause's number.
    let clause: String
    /// The depth below the topmost clause.
    let depth: Int
    /// The cases of this clause alone.
    var own: [ConformanceCase] = []
    /// The cases of this clause and of all clauses below it.
    var all: [ConformanceCase] = []
  }

  /// The nodes, parents before children, in the order of the numbers.
  let nodes: [Node]

  /// Creates the tree. A clause without cases and with one child clause has no node, because it would repeat
  /// the child.
  init(_ cases: [ConformanceCase]) {
    let byClause = Dictionary(grouping: cases, by: \.clause)
    var children: [String: Set<String>] = [:]
    for clause in byClause.keys {
      let line = Array(sequence(first: clause, next: Self.parent))
      for (below, above) in zip(line, line.dropFirst()) { children[above, default: []].insert(below) }
    }
    let numbers = Set(byClause.keys).union(children.keys).filter {
      byClause[$0] != nil || children[$0, default: []].count > 1 || Self.parent(of: $0) == nil
    }
    nodes = numbers.sorted { $0.compare($1, options: .numeric) == .orderedAscending }.map { clause in
      let depth = sequence(first: clause, next: Self.parent).dropFirst().count(where: numbers.contains)
      let all = cases.filter { $0.clause == clause || $0.clause.hasPrefix(clause + ".") }
      return Node(clause: clause, depth: depth, own: byClause[clause] ?? [], all: all)
    }
  }

  /// Returns the clause above; `nil` for a topmost clause, which has two numbers, such as "2.1".
  private static func parent(of clause: String) -> String? {
    let parts = clause.split(separator: ".")
    return parts.count > 2 ? parts.dropLast().joined(separator: ".") : nil
  }
}

/// The subjects of the clauses, paraphrased.
enum ClauseTitle {
  static subscript(clause: String) -> String { words[clause] ?? "" }

  private static let words = [
    "2.1": "States",
    "2.1.2": "Fulfilled",
    "2.1.2.1": "Fulfilled is final",
    "2.1.3": "Rejected",
    "2.1.3.1": "Rejected is final",
    "2.2": "The then method",
    "2.2.1": "Both handlers are optional",
    "2.2.1.1": "No fulfillment handler",
    "2.2.1.2": "No rejection handler",
    "2.2.2": "The fulfillment handler",
    "2.2.2.1": "runs after fulfillment, with the value",
    "2.2.2.2": "never runs before fulfillment",
    "2.2.2.3": "runs at most once",
    "2.2.3": "The rejection handler",
    "2.2.3.1": "runs after rejection, with the reason",
    "2.2.3.2": "never runs before rejection",
    "2.2.3.3": "runs at most once",
    "2.2.4": "Handlers run on a stack without user code",
    "2.2.5": "Handlers are plain functions",
    "2.2.6": "Many handlers on one promise",
    "2.2.6.1": "run in the order of registration, fulfilled",
    "2.2.6.2": "run in the order of registration, rejected",
    "2.2.7": "then returns a promise",
    "2.2.7.1": "resolved with what the handler returns",
    "2.2.7.2": "rejected with what the handler throws",
    "2.2.7.3": "fulfilled like its parent without a handler",
    "2.2.7.4": "rejected like its parent without a handler",
    "2.3": "The resolution procedure",
    "2.3.1": "A promise resolved with itself",
    "2.3.2": "Adopting a promise of the implementation",
    "2.3.2.1": "that is pending",
    "2.3.2.2": "that is fulfilled",
    "2.3.2.3": "that is rejected",
    "2.3.3": "Adopting a foreign thenable",
    "2.3.3.1": "its then is read once",
    "2.3.3.2": "reading its then throws",
    "2.3.3.3": "its then is called",
    "2.3.3.3.1": "and resolves",
    "2.3.3.3.2": "and rejects",
    "2.3.3.3.3": "and settles more than once",
    "2.3.3.3.4": "and throws",
    "2.3.3.3.4.1": "after having settled",
    "2.3.3.3.4.2": "before having settled",
    "2.3.3.4": "its then is no function",
    "2.3.4": "Any other value fulfills",
    "27.2": "ECMAScript's combinators",
    "27.2.4": "Combining promises, and making new ones",
    "27.2.4.1": "all",
    "27.2.4.2": "allSettled",
    "27.2.4.3": "any",
    "27.2.4.5": "race",
    "27.2.4.6": "reject",
    "27.2.4.7": "resolve",
    "27.2.4.8": "try",
    "27.2.4.9": "withResolvers",
    "27.2.5.3": "finally",
  ]
}
