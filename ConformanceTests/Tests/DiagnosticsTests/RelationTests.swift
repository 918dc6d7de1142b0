// Adoption and combinators in a recorder's pictures.

import DynamicPromise
import DynamicPromiseDiagnostics
import DynamicPromiseTesting
import XCTest

final class RelationTests: XCTestCase {
  private let context = TestContext()

  func testCombinatorsNameTheirInputs() {
    let first = Promise(on: context)
    let second = Promise(on: context)
    let recorder = Recorder(of: first, second)
    first.named("first")
    second.named("second")
    let results = [
      Promise.all([first, second]), Promise.allSettled([first, second]), Promise.any([first, second]),
      Promise.race([first, second]), first.reflect(),
    ]
    let third = Promise(on: context).named("elsewhere")
    first.fulfill(1)
    second.fulfill(2)
    let shown = recorder.records.filter { !$0.inputs.isEmpty }
    XCTAssertEqual(shown.map(\.combinator), ["all", "allSettled", "any", "race", "reflect"])
    XCTAssertEqual(shown.map(\.inputs), Array(repeating: [1, 2], count: 4) + [[1]])
    XCTAssertFalse(recorder.records.contains { $0.name == "elsewhere" })
    XCTAssertTrue(recorder.text.contains(", all of first, second\n"), recorder.text)
    let number = shown[0].number
    XCTAssertTrue(recorder.mermaid.contains("  n\(number) -. all .-> n2\n"), recorder.mermaid)
    withExtendedLifetime((results, third)) {}
  }

  func testASequenceNamesItsSteps() {
    let recorder = Recorder()
    let result = Promise.sequence([1, 2, 3], on: context) { $0 }
    result.named("sum")
    context.drain()
    let shown = recorder.records.first { $0.name == "sum" }
    XCTAssertEqual(shown?.combinator, "steps")
    XCTAssertEqual(shown?.inputs.count, 3)
  }
}
