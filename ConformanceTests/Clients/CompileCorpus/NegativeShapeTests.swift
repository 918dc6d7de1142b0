import Foundation
import XCTest

/// Code that the compiler rejects. In the files in `Negative`, a comment that begins with `error:` has the
/// expected message of its line. Any other error fails the test.
final class NegativeShapeTests: XCTestCase {
  // Spec: S1.2
  func testCaptureOfANonSendableObject() throws { try check("NonSendableCapture") }

  // Spec: S1.2
  func testMutatedCapture() throws { try check("MutatedCapture") }

  // Spec: S1.3
  func testAClassOnTheMainActor() throws { try check("MainActorClass") }

  // Spec: H7.3
  func testShapesThatThereAreNot() throws { try check("Shapes") }

  // Spec: H7.3
  func testAValueWhoseTypeIsNotNamed() throws { try check("Untyped") }

  /// `DefaultIsolation.swift` compiles in a client whose declarations are isolated to the main actor by
  /// default.
  // Spec: S1.3
  func testDefaultIsolationToTheMainActor() throws {
    let file = Self.folder.deletingLastPathComponent().appending(path: "Isolation/DefaultIsolation.swift")
    let output = try Compiler.typecheck([file], ["-default-isolation", "MainActor"])
    try XCTSkipIf(output.contains("unknown argument"), "compilers before 6.2 have no such option")
    XCTAssertEqual(Compiler.diagnostics(in: output).map(\.message), [])
  }

  // Spec: X3.18
  func testActorStateInAHandlerThatDoesNotTakeTheActor() throws { try check("ActorState") }

  // Spec: H7.1
  func testHandlerWithTwoParameters() throws { try check("Arity") }

  // Spec: H7.3
  func testCallsAsInOtherLibraries() throws { try check("Habits") }

  // Spec: H7.2
  func testRejectWithoutReason() throws { try check("MissingReason") }

  // Spec: H7.3
  func testFixedSurface() throws { try check("FixedSurface") }

  func testControlIsNotRefused() throws {
    let errors = try Self.diagnostics.get().filter { $0.file == "Control.swift" }
    XCTAssertEqual(errors.map(\.message), [])
  }

  func testEveryFileIsChecked() throws {
    let names = try Self.files.get().map { $0.deletingPathExtension().lastPathComponent }
    XCTAssertEqual(
      names.sorted(),
      [
        "ActorState", "Arity", "Control", "FixedSurface", "Habits", "MainActorClass", "MissingReason",
        "MutatedCapture", "NonSendableCapture", "Shapes", "Untyped",
      ])
  }

  private static let folder = URL(fileURLWithPath: #filePath)
    .deletingLastPathComponent().appending(path: "Negative")

  private static let files = Result {
    try FileManager.default.contentsOfDirectory(at: folder, includingPropertiesForKeys: nil)
      .filter { $0.pathExtension == "swift" }
  }

  /// All files are checked in one run of the compiler, which continues after an error.
  private static let diagnostics = Result {
    Compiler.diagnostics(in: try Compiler.typecheck(try files.get()))
  }

  private func check(_ name: String) throws {
    let file = "\(name).swift"
    let text = try String(contentsOf: Self.folder.appending(path: file), encoding: .utf8)
    var open: [Int: String] = [:]
    for (offset, line) in text.split(separator: "\n", omittingEmptySubsequences: false).enumerated() {
      if let match = line.firstMatch(of: /\/\/ error: (.+)$/) { open[offset + 1] = String(match.1) }
    }
    XCTAssertFalse(open.isEmpty, "\(file) expects nothing")
    let expected = open
    for error in try Self.diagnostics.get() where error.file == file {
      // Swift 6.0 writes "non-sendable", later compilers "non-Sendable".
      if let wanted = expected[error.line], error.message.lowercased().contains(wanted.lowercased()) {
        open[error.line] = nil
      } else {
        XCTFail("\(file):\(error.line): unexpected: \(error.message)")
      }
    }
    for (line, wanted) in open { XCTFail("\(file):\(line): compiles, but should fail with: \(wanted)") }
  }
}
