import Foundation

/// A named block of code in a document or in a source.
struct Example {
  let name: String
  let place: String
  let lines: [String]

  /// The code without the indentation that all of its lines share.
  var code: String {
    let indents = lines.filter { !$0.allSatisfy(\.isWhitespace) }.map {
      $0.prefix(while: { $0 == " " }).count
    }
    let shared = indents.min() ?? 0
    return lines.map { String($0.dropFirst(min(shared, $0.count))) }.joined(separator: "\n")
  }
}

/// The examples of the documents, and the sources in which they run.
///
/// In a document, the comment `<!-- example: name -->` is on the line before each Swift block. In a source,
/// the same code is between the comments `// example: name` and `// end`, inside a test of the code.
enum Examples {
  static let root = URL(fileURLWithPath: #filePath)
    .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()

  /// `README.md` and everything in `docs`, as paths below the root.
  static func documents() throws -> [String] {
    let below = try FileManager.default.subpathsOfDirectory(atPath: root.appending(path: "docs").path)
    let readme = FileManager.default.fileExists(atPath: root.appending(path: "README.md").path)
    return (readme ? ["README.md"] : []) + below.filter { $0.hasSuffix(".md") }.sorted().map { "docs/" + $0 }
  }

  static func text(_ path: String) throws -> String {
    try String(contentsOf: root.appending(path: path), encoding: .utf8)
  }

  /// The sources in the folder of this file.
  static func sources() throws -> [String] {
    let folder = "ConformanceTests/DocsTests"
    return try FileManager.default.contentsOfDirectory(atPath: root.appending(path: folder).path)
      .filter { $0.hasSuffix(".swift") }.sorted().map { "\(folder)/\($0)" }
  }

  /// The Swift blocks of a document. A block without a name is reported as a problem.
  static func inDocument(_ path: String, _ text: String) -> (examples: [Example], problems: [String]) {
    var examples: [Example] = []
    var problems: [String] = []
    let lines = text.components(separatedBy: "\n")
    var index = 0
    while index < lines.count {
      defer { index += 1 }
      guard lines[index] == "```swift" else { continue }
      let place = "\(path):\(index + 1)"
      let end = lines[index...].firstIndex(of: "```") ?? lines.endIndex
      let body = Array(lines[(index + 1)..<end])
      if index > 0, let match = lines[index - 1].wholeMatch(of: /<!-- example: (\S+) -->/) {
        examples.append(Example(name: String(match.1), place: place, lines: body))
      } else {
        problems.append("\(place): the block has no name, so nothing checks it")
      }
      index = end
    }
    return (examples, problems)
  }

  /// The named regions of a source.
  static func inSource(_ path: String, _ text: String) -> (examples: [Example], problems: [String]) {
    var examples: [Example] = []
    var problems: [String] = []
    var open: (name: String, place: String, lines: [String])?
    for (offset, line) in text.components(separatedBy: "\n").enumerated() {
      if let match = line.wholeMatch(of: /\s*\/\/ example: (\S+)/) {
        if let open { problems.append("\(open.place): the region \(open.name) has no end") }
        open = (String(match.1), "\(path):\(offset + 1)", [])
      } else if let region = open, line.trimmingCharacters(in: .whitespaces) == "// end" {
        examples.append(Example(name: region.name, place: region.place, lines: region.lines))
        open = nil
      } else {
        open?.lines.append(line)
      }
    }
    if let open { problems.append("\(open.place): the region \(open.name) has no end") }
    return (examples, problems)
  }

  /// The differences between documents and sources, in both directions.
  static func differences(documents: [Example], sources: [Example]) -> [String] {
    var problems: [String] = []
    let running = Dictionary(grouping: sources, by: \.name)
    for (name, regions) in running where regions.count > 1 {
      problems.append("\(name) occurs twice: \(regions.map(\.place).joined(separator: ", "))")
    }
    for example in documents {
      guard let region = running[example.name]?.first else {
        problems.append("\(example.place): no source has an example \(example.name)")
        continue
      }
      if region.code != example.code {
        problems.append("\(example.place): not the same as \(region.place):\n\(region.code)")
      }
    }
    let shown = Set(documents.map(\.name))
    for region in sources where !shown.contains(region.name) {
      problems.append("\(region.place): no document shows the example \(region.name)")
    }
    return problems.sorted()
  }
}
