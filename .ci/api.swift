// Prints the public interface from symbol graphs, sorted. A line contains a declaration and its path, or a
// conformance or superclass of a type. `.ci/api` compares the lines with docs/api.
//
//     api GRAPH.symbols.json ...

import Foundation

struct Graph: Decodable {
  struct Symbol: Decodable {
    struct Identifier: Decodable { let precise: String }
    struct Kind: Decodable { let identifier: String }
    struct Fragment: Decodable { let spelling: String }
    struct Availability: Decodable {
      let domain: String?
      let isUnconditionallyDeprecated: Bool?
      let isUnconditionallyUnavailable: Bool?
    }

    let identifier: Identifier
    let kind: Kind
    let pathComponents: [String]
    let declarationFragments: [Fragment]?
    let availability: [Availability]?
  }

  struct Relationship: Decodable {
    let source: String
    let target: String
    let kind: String
    let targetFallback: String?
  }

  struct Module: Decodable { let name: String }

  let module: Module
  let symbols: [Symbol]
  let relationships: [Relationship]
}

var lines: Set<String> = []
var names: [String: String] = [:]
var graphs: [Graph] = []
for path in CommandLine.arguments.dropFirst() {
  let graph = try JSONDecoder().decode(Graph.self, from: Data(contentsOf: URL(fileURLWithPath: path)))
  graphs.append(graph)
  for symbol in graph.symbols {
    names[symbol.identifier.precise] = symbol.pathComponents.joined(separator: ".")
  }
}
/// `required` contains the protocol requirements without a default implementation.
let members = graphs.flatMap(\.relationships)
let defaulted = Set(members.filter { $0.kind == "defaultImplementationOf" }.map(\.target))
let required = Set(members.filter { $0.kind == "requirementOf" }.map(\.source)).subtracting(defaulted)
for graph in graphs {
  for symbol in graph.symbols where symbol.kind.identifier != "swift.extension" {
    let declaration = (symbol.declarationFragments ?? []).map(\.spelling).joined()
      .split(whereSeparator: \.isWhitespace).joined(separator: " ")
    var line = "\(symbol.pathComponents.joined(separator: "."))    \(declaration)"
    for entry in symbol.availability ?? [] {
      if entry.isUnconditionallyDeprecated == true { line += "  (deprecated)" }
      if entry.isUnconditionallyUnavailable == true { line += "  (unavailable)" }
    }
    if required.contains(symbol.identifier.precise) { line += "  (required)" }
    lines.insert(line)
  }
  for relationship in graph.relationships {
    guard relationship.kind == "conformsTo" || relationship.kind == "inheritsFrom",
      let source = names[relationship.source],
      let target = relationship.targetFallback ?? names[relationship.target]
    else { continue }
    lines.insert("\(source): \(target)")
  }
}
for line in lines.sorted() { print(line) }
