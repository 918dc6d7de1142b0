// Limits on the work under the tree's lock.

import DynamicPromise
import XCTest

extension XCTestCase {
  /// The limit of links in one critical section. A slice has 64 members, with a few links each.
  private var longest: Int { 600 }

  /// Runs the closure that `prepare` returns, with n and with 10n promises. The work may grow tenfold, and no
  /// section may be longer than `longest`.
  func assertLinear(
    _ n: Int = 300, file: StaticString = #filePath, line: UInt = #line, _ prepare: (Int) -> () -> Void
  ) throws {
    let (few, many) = try measure(n, prepare)
    let work = (few: few.steps + few.sections, many: many.steps + many.sections)
    XCTAssertLessThan(work.many, 13 * work.few + 100, "\(few), \(many)", file: file, line: line)
    XCTAssertLessThan(many.longest, longest, "the longest section", file: file, line: line)
  }

  /// Expects the same amount of work with n and with 10n promises.
  func assertConstant(
    _ n: Int = 300, file: StaticString = #filePath, line: UInt = #line, _ prepare: (Int) -> () -> Void
  ) throws {
    let (few, many) = try measure(n, prepare)
    XCTAssertLessThanOrEqual(
      many.steps + many.sections, few.steps + few.sections + 10, "\(few), \(many)", file: file, line: line)
  }

  private func measure(_ n: Int, _ prepare: (Int) -> () -> Void) throws -> (LockedWork, LockedWork) {
    let (few, many) = (LockedWork.count(in: prepare(n)), LockedWork.count(in: prepare(10 * n)))
    try XCTSkipIf(few.sections == 0, "nothing is counted in release builds")
    return (few, many)
  }
}

/// Promises that a closure can release one by one.
final class Held: @unchecked Sendable {
  var promises: [Promise]
  init(_ promises: [Promise]) { self.promises = promises }
}
