import Foundation
import XCTest

/// Runs this toolchain's compiler on sources that import the library from the current build.
struct Compiler {
  /// A message of the compiler.
  struct Diagnostic {
    let file: String
    let line: Int
    let message: String
  }

  /// The folder of the built module, beside the test bundle.
  private static let modules: URL = {
    let products = Bundle(for: NegativeShapeTests.self).bundleURL
    let folders = [
      products.appending(path: "Modules"), products.deletingLastPathComponent().appending(path: "Modules"),
    ]
    let isBuilt = { (folder: URL) in
      FileManager.default.fileExists(atPath: folder.appending(path: "DynamicPromise.swiftmodule").path)
    }
    return folders.first(where: isBuilt) ?? products
  }()

  /// Type-checks `files` together in Swift 6 mode, and returns the compiler's output.
  static func typecheck(_ files: [URL], _ options: [String] = []) throws -> String {
    try run(["-typecheck", "-wmo"] + options + files.map(\.path))
  }

  /// Compiles `source` to object code, and returns the compiler's messages.
  static func compile(_ source: String) throws -> [Diagnostic] {
    try inFolder { folder in
      let file = folder.appending(path: "Source.swift")
      try source.write(to: file, atomically: true, encoding: .utf8)
      return diagnostics(in: try compile([file]))
    }
  }

  /// Compiles `files` together to object code, and returns the compiler's output.
  static func compile(_ files: [URL], _ options: [String] = []) throws -> String {
    try inFolder { folder in
      let object = folder.appending(path: "Source.o").path
      return try run(["-c", "-wmo", "-o", object] + options + files.map(\.path))
    }
  }

  private static func inFolder<Result>(_ body: (URL) throws -> Result) throws -> Result {
    let folder = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    return try body(folder)
  }

  private static func run(_ arguments: [String]) throws -> String {
    let process = Process()
    process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
    process.arguments =
      ["swiftc", "-swift-version", "6", "-diagnostic-style", "llvm", "-I", modules.path] + arguments
    let pipe = Pipe()
    process.standardOutput = pipe
    process.standardError = pipe
    try process.run()
    let output = pipe.fileHandleForReading.readDataToEndOfFile()
    process.waitUntilExit()
    return String(decoding: output, as: UTF8.self)
  }

  /// The messages about a source, and the number of scopes of the constraint solver.
  typealias Checked = (diagnostics: [Diagnostic], scopes: Int)

  /// Type-checks `source`.
  static func check(_ source: String) throws -> Checked {
    try inFolder { folder in
      let (file, counts) = (folder.appending(path: "Chain.swift"), folder.appending(path: "counts"))
      try FileManager.default.createDirectory(at: counts, withIntermediateDirectories: true)
      try source.write(to: file, atomically: true, encoding: .utf8)
      let output = try typecheck([file], ["-stats-output-dir", counts.path])
      var scopes = 0
      for file in try FileManager.default.contentsOfDirectory(at: counts, includingPropertiesForKeys: nil) {
        let counters = try JSONSerialization.jsonObject(with: Data(contentsOf: file)) as? [String: Any]
        scopes += counters?["Sema.NumConstraintScopes"] as? Int ?? 0
      }
      return (diagnostics(in: output), scopes)
    }
  }

  /// The errors and warnings in the compiler's output.
  static func diagnostics(in output: String) -> [Diagnostic] {
    output.split(separator: "\n").compactMap { line in
      guard let match = line.wholeMatch(of: /.*?([^\/]+\.swift):(\d+):\d+: (?:error|warning): (.*)/),
        let number = Int(match.2)
      else { return nil }
      return Diagnostic(file: String(match.1), line: number, message: String(match.3))
    }
  }
}
