// Helpers for the tests of handler shapes.

import DynamicPromise
import TestSupport
import XCTest

extension XCTestCase {
  /// Expects each of the promises to be fulfilled with this value.
  func expect<Value: Equatable>(
    _ children: [Promise], toGive expected: Value, file: StaticString = #filePath, line: UInt = #line
  ) {
    for (index, child) in children.enumerated() {
      XCTAssertEqual(try value(of: child), expected, "number \(index)", file: file, line: line)
    }
  }
}

/// Suspends, and returns the number.
func later<T: Sendable>(_ value: T) async throws -> T {
  await Task.yield()
  return value
}

/// State of the main actor.
@MainActor
final class Screen {
  var isClear = true
}
