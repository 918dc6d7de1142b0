// Trees of promises as text, and as graphs for Mermaid.

/// Records as a graph. Parents are above children. A dashed line connects a promise to the promise that it
/// follows; dotted lines connect a combinator's result to its inputs.
struct Picture {
  /// Rows below this depth are not indented further, and state their depth. Otherwise the text of a chain
  /// with a branch at each step would grow with the square of its length.
  private static let deepestIndent = 24

  private let records: [PromiseRecord]
  private let names: [Int: String]

  init(_ records: [PromiseRecord]) {
    self.records = records
    names = Dictionary(uniqueKeysWithValues: records.map { ($0.number, $0.name) })
  }

  var text: String {
    rows.map { row in
      String(repeating: "  ", count: min(row.depth, Self.deepestIndent))
        + (row.depth > Self.deepestIndent ? "[\(row.depth)] " : "") + row.mark + "\(row.record.name): "
        + says(of: row.record) + "\n"
    }.joined()
  }

  /// State, context, place, the promises that the promise follows or combines, and the reason of a rejection.
  func says(of record: PromiseRecord) -> String {
    var text = "\(record.state) on \(record.context)"
    if let origin = record.origin { text += ", made at \(origin)" }
    if let other = record.follows.flatMap({ names[$0] }) { text += ", follows \(other)" }
    if let kind = record.combinator {
      let inputs = record.inputs.compactMap { names[$0] }
      let shown = inputs.count > 8 ? inputs.prefix(8) + ["\(inputs.count - 8) more"] : inputs[...]
      text += ", \(kind)" + (inputs.isEmpty ? "" : " of ") + shown.joined(separator: ", ")
    }
    if let outcome = record.outcome { text += ", \(outcome)" }
    return text
  }

  /// The records in the order of the tree's lines. Only branches are indented, not the steps of a chain.
  var rows: [(record: PromiseRecord, depth: Int, mark: String)] {
    let children = Dictionary(grouping: records, by: \.parent)
    var rows: [(record: PromiseRecord, depth: Int, mark: String)] = []
    var stack = (children[nil] ?? []).reversed().map { (record: $0, depth: 0, mark: "") }
    while let row = stack.popLast() {
      rows.append(row)
      let below = children[row.record.number] ?? []
      let further = below.count > 1 ? row.depth + 1 : row.depth
      stack += below.reversed().map { ($0, further, below.count > 1 ? "- " : "→ ") }
    }
    return rows
  }

  var mermaid: String {
    var lines = ["flowchart TD"]
    for record in records {
      let label = Self.rows(of: record).map(Self.mermaid).joined(separator: "<br/>")
      lines.append("  n\(record.number)[\"\(label)\"]:::\(record.state)")
    }
    for record in records {
      if let parent = record.parent { lines.append("  n\(parent) --> n\(record.number)") }
      if let other = record.follows { lines.append("  n\(record.number) -.-> n\(other)") }
      for input in record.inputs {
        lines.append("  n\(record.number) -. \(record.combinator ?? "") .-> n\(input)")
      }
    }
    for state in PromiseRecord.State.allCases { lines.append("  classDef \(state) stroke:\(state.color)") }
    return lines.map { $0 + "\n" }.joined()
  }

  private static func rows(of record: PromiseRecord) -> [String] {
    [record.name, "\(record.state)", record.context]
      + [record.origin.map { "\($0)" }, record.outcome].compactMap(\.self)
  }

  /// A line in a label of Mermaid. A backquote would begin Markdown text, two percent signs a comment or a
  /// directive.
  private static func mermaid(_ line: String) -> String {
    line.replacing([
      "#": "#35;", "\"": "#quot;", "<": "#lt;", ">": "#gt;", "`": "#96;", "&": "#amp;", "%": "#37;",
    ])
  }
}

extension StringProtocol {
  /// A line in a web page.
  var html: String { replacing(["&": "&amp;", "<": "&lt;", ">": "&gt;", "\"": "&quot;"]) }

  /// Not by characters, because a quotation mark before a combining mark is a different character.
  fileprivate func replacing(_ escapes: [Unicode.Scalar: String]) -> String {
    unicodeScalars.reduce(into: "") { text, scalar in
      if let escape = escapes[scalar] { text += escape } else { text.unicodeScalars.append(scalar) }
    }
  }
}

extension PromiseRecord.State {
  var color: String {
    switch self {
    case .pending: "gray"
    case .fulfilled: "green"
    case .rejected: "red"
    case .cancelled: "orange"
    case .abandoned: "lightgray"
    }
  }
}
