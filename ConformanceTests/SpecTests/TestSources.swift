import Foundation

/// A clause named by a comment `// Spec: C3.1, C3.2` (or `///`) in a test's source.
struct Citation {
  let clause: String
  let place: Place
}

/// The test classes, their methods and their citations, as found in the text of the sources.
struct TestSources {
  private(set) var methods: [String: Set<String>] = [:]
  private(set) var citations: [Citation] = []

  /// Each source below `ConformanceTests`. The sources are read once, because reading takes a second.
  static let byFile = Result {
    try ProjectFiles.texts(in: "ConformanceTests", extension: "swift").map { name, text in
      var sources = TestSources()
      sources.read(name: name, text: text)
      return (name: name, sources: sources)
    }
  }

  mutating func add(_ other: TestSources) {
    methods.merge(other.methods) { $0.union($1) }
    citations += other.citations
  }

  /// Adds the tests and citations of a Swift source. `name` is for messages.
  mutating func read(name: String, text: String) {
    var type: String?
    let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
    for (offset, line) in lines.enumerated() {
      // Cheap checks come first, because matching a pattern against each line would take seconds.
      let first = line.utf8.first
      let isDeclaration = first != UInt8(ascii: " ") && line.utf8.last == UInt8(ascii: "{")
      if isDeclaration, let match = line.firstMatch(of: /^(?:[^\/"]*\s)?(?:class|extension) (\w+)\b.*\{/) {
        type = String(match.1)
      } else if let type, line.hasSuffix("{") || line.hasSuffix("}"),
        let match = line.firstMatch(of: /^\s+(?:[^\/"]*\s)?func (test\w+)\(/)
      {
        methods[type, default: []].insert(String(match.1))
      } else if line.utf8.prefix(12).contains(UInt8(ascii: "/")),
        let match = line.firstMatch(of: /^\s*\/\/\/? Spec: (.*)$/)
      {
        for clause in match.1.split(whereSeparator: { ", ".contains($0) }) {
          let place = Place(file: name, line: offset + 1)
          citations.append(Citation(clause: String(clause), place: place))
        }
      }
    }
  }

  /// The contradictions between these sources and the clauses of the Spec.
  func problems(with clauses: [SpecClause]) -> [String] {
    var problems: [String] = []
    for clause in clauses {
      for case .method(let type, let name) in clause.references
      where methods[type]?.contains(name) != true {
        let what = methods[type] == nil ? "there is no class \(type)" : "\(type) has no method \(name)"
        problems.append("\(clause.place): clause \(clause.number) names \(type).\(name), but \(what)")
      }
    }
    let numbers = Set(clauses.map(\.number))
    for citation in citations where !numbers.contains(where: { $0.isClause(in: citation.clause) }) {
      problems.append("\(citation.place): cites '\(citation.clause)', which is not a clause of the Spec")
    }
    return problems
  }
}

extension String {
  /// Whether this clause is the cited clause or is below it. A test may cite `C3` as a whole.
  fileprivate func isClause(in cited: String) -> Bool {
    self == cited || hasPrefix(cited + ".")
  }
}
