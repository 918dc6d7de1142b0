import Foundation
import XCTest

/// Whoever reads the name of a test class in the Spec finds its file, and `--filter` with a file's name runs
/// that file.
final class TestFileNamesTests: XCTestCase {
  func testAClassStandsInTheFileOfItsName() throws {
    for (name, text) in try ProjectFiles.texts(in: "ConformanceTests", extension: "swift") {
      var sources = TestSources()
      sources.read(name: name, text: text)
      let file = URL(fileURLWithPath: name).deletingPathExtension().lastPathComponent
      assertNone(sources.methods.keys.filter { $0 != file }.map { "\(name) has tests of \($0)" })
    }
  }
}
