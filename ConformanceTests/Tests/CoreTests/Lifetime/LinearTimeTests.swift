// The time of an operation is linear (L4.8).

import DynamicPromise
import Growth
import XCTest

final class LinearTimeTests: XCTestCase {
  /// Lines of the growth table, with a tighter bound and more promises than in `GrowthTableTests`.
  private static let lines = [
    "then below settled: chain, held",
    "fulfill: chain, held",
    "fulfill: fan, held",
    "reject, passing by: chain, held",
    "reject, passing by: fan, held",
    "cancel the root: chain, held",
    "cancel the root: fan, held",
    "cancel each of a settled tree: chain, held",
    "cancel each of a settled tree: fan, held",
    "withdraw, a follower of the end: chain, held",
    "root of the end: chain, held",
    "get, with the deadlock check: chain, held",
    "release settled, from the end: chain, held",
    "release settled, from the root: chain, held",
    "bind: chain, forwards, held",
    "bind: chain, backwards, held",
    "cancel a follower: chain, from the first",
    "release followers: chain, from the first",
    "release followers: chain, from the last",
    "release what is followed: fan",
    "race: n of them share an input",
    "all: fulfilled in order",
  ]

  // Spec: L4.8
  func testLinesOfTheGrowthTable() throws {
    for name in Self.lines {
      let line = try XCTUnwrap(Line.all.first { $0.name == name }, name)
      let (few, many) = (Cost.of(line, 300), Cost.of(line, 3000))
      XCTAssertLessThanOrEqual(many.locked, 13 * few.locked + 100, "\(name): \(few), \(many)")
      XCTAssertLessThanOrEqual(many.longest, Growth.longestSection, "\(name): the longest section")
    }
  }

  /// Runs the closure that `prepare` returns, with n and with 10n promises. The work may grow tenfold, and no
  /// section may be longer than `Growth.longestSection`.
  private func assertLinear(
    file: StaticString = #filePath, line: UInt = #line, _ prepare: (Int) -> () -> Void
  ) throws {
    let (few, many) = try measure(prepare)
    let work = (few: few.steps + few.sections, many: many.steps + many.sections)
    XCTAssertLessThan(work.many, 13 * work.few + 100, "\(few), \(many)", file: file, line: line)
    XCTAssertLessThan(many.longest, Growth.longestSection, "the longest section", file: file, line: line)
  }

  /// Expects the same amount of work with n and with 10n promises.
  private func assertConstant(
    file: StaticString = #filePath, line: UInt = #line, _ prepare: (Int) -> () -> Void
  ) throws {
    let (few, many) = try measure(prepare)
    XCTAssertLessThanOrEqual(
      many.steps + many.sections, few.steps + few.sections + 10, "\(few), \(many)", file: file, line: line)
  }

  private func measure(_ prepare: (Int) -> () -> Void) throws -> (few: LockedWork, many: LockedWork) {
    let (few, many) = (LockedWork.count(in: prepare(300)), LockedWork.count(in: prepare(3000)))
    try XCTSkipIf(few.sections == 0, "nothing is counted in release builds")
    return (few, many)
  }

  private func promises(_ n: Int) -> [Promise] { (0..<n).map { _ in Promise(on: .immediate) } }

  private func settled() -> Promise { Promise.resolved(0, on: .immediate) }

  // Spec: L4.8
  func testCancelingAboveRetainedSettledChildren() throws {
    try assertConstant { n in
      let root = settled()
      let children = (0..<n).map { _ in root.then { $0 } }
      root.cancel()
      return {
        for _ in 0..<10 {
          let pending = root.then { _ in Promise() }
          root.cancel()
          XCTAssertTrue(pending.isCancelled)
        }
        XCTAssertEqual(children.count, n)
      }
    }
  }

  // Spec: L4.8
  func testAChainWithRetainedBranchesIsReleasedFromEitherEnd() throws {
    for leaves in [1, 3] {
      for fromTheEnd in [false, true] {
        try assertLinear { n in
          let root = settled()
          var end = root
          let held = Held([])
          for _ in 0..<n {
            end = end.then { $0 }
            held.promises.append(end)
          }
          let all = held.promises.flatMap { step in (0..<leaves).map { _ in step.then { $0 } } }
          if !fromTheEnd { held.promises.reverse() }
          return {
            while !held.promises.isEmpty { held.promises.removeLast() }
            XCTAssertTrue(all.allSatisfy { $0.parent === root })
            let pending = all[n / 2].then { _ in Promise() }
            root.cancel()
            XCTAssertTrue(pending.isCancelled)
          }
        }
      }
    }
  }

  // Spec: L4.8
  func testLateFollowersOfALongChain() throws {
    try assertConstant { n in
      let all = adoptions(n)
      return {
        for _ in 0..<10 { Promise(on: .immediate).resolve(all[0]) }
        XCTAssertTrue(all[0].isPending)
      }
    }
  }
}
