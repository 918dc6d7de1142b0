import Foundation
import TestSupport
import XCTest

@testable import DynamicPromise

/// Every combination of two handlers, compiled to object code: the compiler reports a missing `return` only
/// after type checking.
final class TwoHandlersTests: XCTestCase {
  private static let first: KeyValuePairs = [
    "nil": "nil",
    "one statement": "{ v in use(v) }",
    "one value": "{ v in 1 }",
    "statements": "{ v in a(); b() }",
    "statements, $0": "{ a(); b(); _ = $0 }",
    "statements, value": "{ v in a(); return 1 }",
    "early return": "{ v in if c() { return }; a() }",
    "early value": "{ v in if c() { return 1 }; a(); return 2 }",
    "two types": "{ v in if c() { return nil }; a(); return 2 }",
    "no input": "{ a(); b() }",
    "no input, value": "{ a(); return 1 }",
    "typed": "{ (v: Int) in v + 1 }",
    "typed statements": "{ (v: Int) in a(); b() }",
    "typed statements, value": "{ (v: Int) in a(); return v }",
    "typed early return": "{ (v: Int) in if c() { return }; a() }",
    "async": "{ v in await x() }",
    "async statements": "{ v in await x(); a() }",
    "async statements, value": "{ v in await x(); return 1 }",
    "async typed": "{ (v: Int) in await x(); return v }",
    "async typed statements": "{ (v: Int) in await x(); a() }",
  ]

  private static let second: KeyValuePairs = [
    "nil": "nil",
    "one statement": "{ e in use(e) }",
    "one value": "{ e in 1 }",
    "statements": "{ e in a(); b() }",
    "statements, _": "{ _ in a(); b() }",
    "statements, value": "{ e in a(); return 1 }",
    "early return": "{ e in if c() { return }; a() }",
    "early value": "{ e in if c() { return 1 }; a(); return 2 }",
    "two types": "{ e in if c() { return nil }; a(); return 2 }",
    "annotated": "{ (e: any Error) in a(); b() }",
    "async": "{ e in await x() }",
    "async statements": "{ e in await x(); a() }",
    "async statements, value": "{ e in await x(); return 1 }",
  ]

  /// The combinations that need `-> Any?` in one of their closures.
  private static let exceptions: Set<String> = [
    "no input | two types", "no input, value | two types", "typed | two types",
    "typed statements | two types", "typed statements, value | two types",
    "typed early return | two types", "async typed | two types", "async typed statements | two types",
    "async statements | two types", "two types | async statements",
    "nil | async statements",  // a `catch`
  ]

  // Spec: H3.1, H5.1, H6.5
  func testThen() throws { try compileEveryPair("promise.then(") }
  func testThenOn() throws { try compileEveryPair("promise.thenOn(queue, ") }
  func testThenOnMain() throws { try compileEveryPair("promise.thenOnMain(") }

  private func compileEveryPair(_ call: String) throws {
    var failed: Set<String> = []
    while true {
      let named = Self.first.flatMap { first in
        Self.second.map { ("\(first.key) | \($0.key)", "\(call)\(first.value), \($0.value))") }
      }.filter { !failed.contains($0.0) }
      XCTAssertGreaterThan(named.count, 200)
      let source =
        "import Dispatch; import DynamicPromise; func test(_ promise: Promise, _ queue: DispatchQueue) {\n"
        + named.map(\.1).joined(separator: "\n") + "\n}\n" + """
          @Sendable func a() {}
          @Sendable func b() {}
          @Sendable func c() -> Bool { true }
          @Sendable func use(_ x: Any) {}
          @Sendable func x() async {}
          """
      // The compiler may report an error of a later phase only if no earlier phase has found any.
      let wrong = Set(try Compiler.compile(source).map { named[$0.line - 2].0 })
      if wrong.isEmpty { break }
      failed.formUnion(wrong)
    }
    XCTAssertEqual(failed, Self.exceptions)
  }

  /// A closure without `await` runs on the settling stack of `.immediate`, not in a task.
  // Spec: H5.1, H6.5
  func testWhichOverloadIsChosen() throws {
    let failed = Promise(.rejected(NumberedError(1)), on: .immediate)
    let calls = Recorded(0)
    failed.then(
      nil,
      { error in
        XCTAssertEqual(error as? NumberedError, NumberedError(1))
        calls.change { $0 += 1 }
      })
    let mixed = failed.then(
      { value in
        if value is Int { return nil }
        return 1
      },
      { error in
        _ = error
        calls.change { $0 += 1 }
      })
    XCTAssertEqual(calls.value, 2)
    XCTAssertTrue(mixed.isFulfilled)
    let task = failed.then(nil) { error in
      await Task.yield()
      return (error as? NumberedError)?.number
    }
    XCTAssertEqual(try value(of: task), 1)
  }
}
