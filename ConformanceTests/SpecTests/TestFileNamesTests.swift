import Foundation
import XCTest

/// The name of a test class in the Spec is the name of its file, and `--filter` with it runs the file.
final class TestFileNamesTests: XCTestCase {
  func testAClassIsInTheFileOfItsName() throws {
    for (name, sources) in try TestSources.byFile.get() {
      let file = URL(fileURLWithPath: name).deletingPathExtension().lastPathComponent
      assertNone(sources.methods.keys.filter { $0 != file }.map { "\(name) has tests of \($0)" })
    }
  }
}
