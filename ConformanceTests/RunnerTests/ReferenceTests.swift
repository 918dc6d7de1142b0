import Foundation
import PromisesAPlusSuite
import RunnerKit
import XCTest

/// `--reference`: the chapter on combinators on a JavaScript engine.
final class ReferenceTests: XCTestCase {
  private let folder = FileManager.default.temporaryDirectory.appending(path: "reference-\(UUID())")

  override func tearDownWithError() throws {
    try? FileManager.default.removeItem(at: folder)
  }

  func testAnEngineThatIsNotThereIsAUsageError() {
    XCTAssertThrowsError(try Reference("no-such-engine", environment: ["PATH": "/usr/bin:/bin"])) { error in
      XCTAssertEqual("\(error)", "--reference: there is no 'no-such-engine' on the path")
    }
  }

  func testWhatTheEngineAnswersIsReported() throws {
    let scripts = Array(CombinatorScript.all.prefix(3))
    let engine = try engine(
      answers: """
        [{"id": "\(scripts[0].id)", "isAbsent": false},
         {"id": "\(scripts[1].id)", "isAbsent": false, "message": "the list is empty"},
         {"id": "\(scripts[2].id)", "isAbsent": true}]
        """)
    let (text, agrees) = try engine.run(scripts)
    XCTAssertFalse(agrees)
    XCTAssertEqual(
      text,
      """
      ✗ \(scripts[1].id) \(scripts[1].title)
          the list is empty
      fake has no all
      3 cases of ECMAScript's combinators: fake agrees with 1, disagrees with 1, lacks 1

      """)
  }

  func testAnEngineThatLeavesCasesOutIsAnError() throws {
    let engine = try engine(answers: "[]")
    XCTAssertThrowsError(try engine.run())
  }

  func testTheRealEngineAgreesWithEveryCase() throws {
    guard let node = try? Reference("node") else { throw XCTSkip("there is no node on the path") }
    let (text, agrees) = try node.run()
    XCTAssertTrue(agrees, text)
    XCTAssertTrue(text.contains("disagrees with 0"), text)
  }

  /// An engine that reads its input and answers this, whatever it was asked.
  private func engine(answers: String) throws -> Reference {
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    let file = folder.appending(path: "fake")
    try "#!/bin/sh\ncat > /dev/null\ncat <<'END'\n\(answers)\nEND\n".write(
      to: file, atomically: true, encoding: .utf8)
    try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: file.path)
    return try Reference("fake", environment: ["PATH": folder.path])
  }
}
