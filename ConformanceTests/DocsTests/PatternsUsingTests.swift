import DynamicPromise
import DynamicPromisePatterns
import TestSupport
import XCTest

/// The files of `docs/patterns.md`.
final class PatternsUsingTests: XCTestCase {
  func testFiles() throws {
    let log = Recorded<[String]>([])
    struct File: Sendable {
      let name: String
      let log: Recorded<[String]>

      func close() { log.change { $0.append("close \(name)") } }
    }
    @Sendable func open(_ name: String) -> Promise { .resolved(File(name: name, log: log)) }
    @Sendable func copy(_ from: File, _ to: File) -> Promise { load("user") }
    // example: pattern-using
    let copied = Promise.using(
      open("old").closing { (file: File) in file.close() },
      open("new").closing { (file: File) in file.close() }
    ) { (old: File, new: File) in copy(old, new) }
    // end
    XCTAssertEqual(try value(of: copied), "ann")
    XCTAssertEqual(log.value, ["close new", "close old"])
  }
}
