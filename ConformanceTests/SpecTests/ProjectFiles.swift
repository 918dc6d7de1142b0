import Foundation

/// Reads the project's own text files, relative to this file.
enum ProjectFiles {
  static let root = URL(fileURLWithPath: #filePath)
    .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()

  static func text(_ path: String) throws -> String {
    try String(contentsOf: root.appending(path: path), encoding: .utf8)
  }

  /// The sorted names and the texts of all files with an extension below a folder, without build products.
  static func texts(in folder: String, extension suffix: String) throws -> [(name: String, text: String)] {
    let manager = FileManager.default
    let paths = try manager.subpathsOfDirectory(atPath: root.appending(path: folder).path)
    return try paths.sorted()
      .filter { $0.hasSuffix("." + suffix) && !$0.contains(".build/") }
      .map { ("\(folder)/\($0)", try text("\(folder)/\($0)")) }
  }

  /// Every clause of the Spec, and the problems with the form of its files.
  static func spec() throws -> (clauses: [SpecClause], problems: [String]) {
    let files = try texts(in: "Spec", extension: "md")
      .filter { !$0.name.hasSuffix("README.md") }
      .map { SpecFile(name: $0.name, text: $0.text) }
    return (files.flatMap(\.clauses), files.flatMap(\.problems))
  }
}
