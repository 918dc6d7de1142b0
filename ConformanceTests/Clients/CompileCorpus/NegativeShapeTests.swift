import Foundation
import XCTest

/// Code that the compiler rejects, with the messages that a user meets. In the files in `Negative`, a comment
/// that begins with `error:` has the expected message of its line, or several, with ` | ` between them. Any
/// other error fails the test.
final class NegativeShapeTests: XCTestCase {
  // Spec: H7.1, H7.2, H7.3, S1.2, S1.3, X3.18
  func testMessages() throws {
    let files = try FileManager.default.contentsOfDirectory(
      at: Self.folder.appending(path: "Negative"), includingPropertiesForKeys: nil)
    // The compiler checks all files in one run, and continues after an error.
    let errors = Compiler.diagnostics(in: try Compiler.typecheck(files))
    for file in files {
      let name = file.lastPathComponent
      try check(name, try String(contentsOf: file, encoding: .utf8), errors.filter { $0.file == name })
    }
    XCTAssertGreaterThan(errors.count, 30)
  }

  private func check(_ file: String, _ text: String, _ errors: [Compiler.Diagnostic]) throws {
    var expected: [Int: String] = [:]
    for (offset, line) in text.split(separator: "\n", omittingEmptySubsequences: false).enumerated() {
      if let match = line.firstMatch(of: /\/\/ error: (.+)$/) { expected[offset + 1] = String(match.1) }
    }
    var open = expected
    for error in errors {
      // Swift 6.0 writes "non-sendable", later compilers "non-Sendable".
      let (message, wanted) = (error.message.lowercased(), expected[error.line]?.lowercased())
      if wanted?.components(separatedBy: " | ").contains(where: { message.contains($0) }) == true {
        open[error.line] = nil
      } else {
        XCTFail("\(file):\(error.line): unexpected: \(error.message)")
      }
    }
    for (line, wanted) in open { XCTFail("\(file):\(line): compiles, but should fail with: \(wanted)") }
  }

  private static let folder = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
}
