// Generates parts of the DocC catalogs. `.ci/docc` runs it on a copy.
//
//     docc lists CATALOG DIGEST      writes the overloads under `<!-- list: Promise/then -->`, by their names
//                                    in DIGEST, DocC's linkable-entities.json; checks that each operator is
//                                    in a list
//     docc articles CATALOG          adds the documents that `<!-- articles Heading: docs/guide.md -->`
//                                    names, as articles

import Foundation

var problems: [String] = []

func text(_ path: String) -> String {
  do {
    return try String(contentsOf: URL(fileURLWithPath: path), encoding: .utf8)
  } catch {
    problems.append("cannot read \(path)")
    return ""
  }
}

func write(_ text: String, _ path: String) throws {
  try text.write(to: URL(fileURLWithPath: path), atomically: true, encoding: .utf8)
}

/// The pages of a catalog.
func pages(_ catalogue: String) throws -> [String] {
  try FileManager.default.contentsOfDirectory(atPath: catalogue).filter { $0.hasSuffix(".md") }.sorted()
    .map { catalogue + "/" + $0 }
}

/// The text of a one-line comment of this kind.
func comment(_ line: String, _ kind: String) -> String? {
  guard line.hasPrefix("<!-- \(kind)"), line.hasSuffix(" -->") else { return nil }
  return line.dropFirst(5 + kind.count).dropLast(4).trimmingCharacters(in: .whitespaces)
}

// MARK: lists of overloads

struct Entity: Decodable {
  let referenceURL: String
  let plainTextDeclaration: String?
  let kind: String

  /// `Promise/then(_:)-7scru`.
  var link: String { referenceURL.split(separator: "/").dropFirst(4).joined(separator: "/") }

  /// `Promise/then`.
  var name: String { String(link.prefix { $0 != "(" }.split(separator: "-").first ?? "") }
}

/// The types with operators. Each member of these types must be in a list or linked.
let operatorTypes = ["Promise", "Promise"]

func lists(_ catalogue: String, _ digest: String) throws {
  let all = try JSONDecoder().decode([Entity].self, from: Data(text(digest).utf8))
  var known: [String: [Entity]] = [:]
  for entity in all { known[entity.name, default: []].append(entity) }
  var everything = ""
  for page in try pages(catalogue) {
    var result: [String] = []
    var inList = false
    for line in text(page).components(separatedBy: "\n") {
      if inList, line.hasPrefix("- ``") { continue }
      inList = false
      result.append(line)
      guard let names = comment(line, "list:") else { continue }
      inList = true
      for name in names.split(separator: " ").map(String.init) {
        guard let overloads = known[name] else {
          problems.append("\(page): nothing is called \(name)")
          continue
        }
        let sorted = overloads.sorted {
          ($0.plainTextDeclaration ?? "", $0.link) < ($1.plainTextDeclaration ?? "", $1.link)
        }
        result += sorted.map { "- ``\($0.link)``" }
      }
    }
    let filled = result.joined(separator: "\n")
    everything += filled
    try write(filled, page)
  }
  for entity in all {
    let parts = entity.link.split(separator: "/")
    guard parts.count == 2, operatorTypes.contains(String(parts[0])) else { continue }
    if entity.link.hasSuffix("-Implementations") || parts[1].first?.isLetter != true { continue }
    if !everything.contains("``\(entity.link)``") {
      problems.append("\(entity.link) is in no list of \(catalogue)")
    }
  }
}

// MARK: documents as articles

/// The article name of a document, such as `guide`, `migration` or `from-bolts`.
func articleName(_ document: String) -> String {
  let parts = document.split(separator: "/").map(String.init)
  let name = parts[parts.count - 1].replacingOccurrences(of: ".md", with: "")
  if name == "README" { return parts[parts.count - 2].lowercased() }
  return parts.contains("migration") ? "from-" + name : name
}

func headings(_ document: String) -> [String] {
  text(document).components(separatedBy: "\n").filter { $0.hasPrefix("#") }
    .map { $0.drop { $0 == "#" }.trimmingCharacters(in: .whitespaces) }
}

/// The anchor of a heading, as GitHub makes it.
func anchor(_ heading: String) -> String {
  heading.lowercased().filter { $0.isLetter || $0.isNumber || $0 == " " || $0 == "-" }
    .replacingOccurrences(of: " ", with: "-")
}

/// Resolves a path relative to the document, and removes `..`.
func resolved(_ path: String, from document: String) -> String {
  var parts = document.split(separator: "/").dropLast().map(String.init)
  for part in path.split(separator: "/") {
    if part == ".." { _ = parts.popLast() } else { parts.append(String(part)) }
  }
  return parts.joined(separator: "/")
}

/// Converts a document to an article. Links to other articles of the catalog become DocC links. Links to
/// other files become plain text. Web links stay, and images are copied.
func article(_ document: String, among articles: [String], into catalogue: String) throws -> String {
  let link = try Regex(#"(!?)\[([^\]\n]*(?:\[[^\]]*\][^\]\n]*)*)\]\(([^()\s]+)\)"#)
  var isCode = false
  // Links are matched in whole blocks, because a link may span two lines.
  var blocks: [(code: Bool, lines: [String])] = []
  for line in text(document).components(separatedBy: "\n") {
    let isFence = line.hasPrefix("```")
    let code = isCode || isFence
    if isFence { isCode.toggle() }
    if blocks.last?.code == code {
      blocks[blocks.count - 1].lines.append(line)
    } else {
      blocks.append((code, [line]))
    }
  }
  return blocks.map { block in
    let text = block.lines.joined(separator: "\n")
    guard !block.code else { return text }
    return text.replacing(link) { match in
      let isImage = match.output[1].substring == "!"
      let words = String(match.output[2].substring ?? "")
      let target = String(match.output[3].substring ?? "")
      if target.contains("://") { return String(text[match.range]) }
      let parts = target.split(separator: "#", maxSplits: 1, omittingEmptySubsequences: false)
        .map(String.init)
      let path = parts[0].isEmpty ? document : resolved(parts[0], from: document)
      guard FileManager.default.fileExists(atPath: path) else {
        problems.append("\(document): there is no \(path)")
        return words
      }
      if isImage {
        let name = path.split(separator: "/").last.map(String.init) ?? path
        try? FileManager.default.copyItem(atPath: path, toPath: catalogue + "/" + name)
        return "![\(words)](\(name))"
      }
      var fragment = ""
      if parts.count > 1 {
        guard let heading = headings(path).first(where: { anchor($0) == parts[1] }) else {
          problems.append("\(document): \(path) has no heading for #\(parts[1])")
          return words
        }
        let readable = heading.filter { $0.isLetter || $0.isNumber || " -'".contains($0) }
        fragment =
          "#" + readable.replacingOccurrences(of: " ", with: "-").replacingOccurrences(of: "'", with: "")
      }
      return articles.contains(path) ? "[\(words)](doc:\(articleName(path))\(fragment))" : words
    }
  }.joined(separator: "\n")
}

func articles(_ catalogue: String) throws {
  var groups: [(page: String, line: String, heading: String, documents: [String])] = []
  for page in try pages(catalogue) {
    for line in text(page).components(separatedBy: "\n") {
      guard let said = comment(line, "articles"), let colon = said.firstIndex(of: ":") else { continue }
      let documents = said[said.index(after: colon)...].split(separator: " ").map(String.init)
      groups.append((page, line, String(said[..<colon]), documents))
    }
  }
  let documents = groups.flatMap(\.documents)
  for document in documents {
    try write(
      try article(document, among: documents, into: catalogue), "\(catalogue)/\(articleName(document)).md")
  }
  for group in groups {
    let list = group.documents.map { "- <doc:\(articleName($0))>" }.joined(separator: "\n")
    let filled = text(group.page).replacingOccurrences(
      of: group.line, with: "### \(group.heading)\n\n\(list)")
    try write(filled, group.page)
  }
}

let arguments = CommandLine.arguments
switch arguments.dropFirst().first {
case "lists": try lists(arguments[2], arguments[3])
case "articles": try articles(arguments[2])
default: problems.append("docc lists CATALOGUE DIGEST | docc articles CATALOGUE")
}
for problem in problems { print(problem) }
exit(problems.isEmpty ? 0 : 1)
