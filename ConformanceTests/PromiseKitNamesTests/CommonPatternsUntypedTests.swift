// The first of PromiseKit's common patterns with functions of anything: closures that name no type stand as
// they stood.

import PromiseKitNames
import TestSupport
import XCTest

final class CommonPatternsUntypedTests: XCTestCase {
  private struct Scratched: Error, CustomStringConvertible {
    var description: String { "scratched" }
  }

  // Spec: N8.1
  func testAChainOfFunctions() throws {
    let log = Recorded([String]())
    @Sendable func note(_ line: Any) { log.change { $0.append("\(line)") } }
    @Sendable func fetch() -> Promise { .value(20) }
    @Sendable func double(_ number: Any) -> Promise { .value((number as? Int ?? 0) * 2) }
    @Sendable func fail() -> Promise { Promise(error: Scratched()) }
    let ended = firstly {
      fetch()
    }.then {
      double($0)
    }.then {
      note($0)
      return fail()
    }.done {
      note("done")
    }.ensure {
      note("the needle is up")
    }.catch {
      note($0)
    }
    _ = try outcome(of: ended)
    XCTAssertEqual(log.value, ["40", "the needle is up", "scratched"])
  }
}
