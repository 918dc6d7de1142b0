// The paths from pending promises to the promises that they wait for.

import DynamicPromise
import DynamicPromiseDiagnostics
import DynamicPromiseTesting
import TestSupport
import XCTest

final class WaitPathTests: XCTestCase {
  private let file = "DiagnosticsTests/WaitPathTests.swift"

  func testAChain() {
    let line = #line + 1
    let (root, resolver) = Promise.pending()
    let census = Census(of: root)
    let page = root.then { $0 }.then { $0 }.then { $0 }
    XCTAssertEqual(
      census.waitPaths, ["#4 waits for #3 → #2 → #1, made at \(file):\(line), which has not been settled"])
    page.named("page")
    let side = root.then { $0 }
    XCTAssertEqual(
      census.waitPaths,
      [
        "page waits for #3 → #2 → #1, made at \(file):\(line), which has not been settled",
        "#5 waits for #1, made at \(file):\(line), which has not been settled",
      ])
    side.cancel()
    XCTAssertEqual(census.waitPaths.count, 1)
    resolver.reject(CancellationError())
    page.ignoreErrors()
    _ = try? page.get(timeout: 60)
    XCTAssertEqual(census.waitPaths, [])
  }

  func testFollowersAndCombinators() {
    let root = Promise()
    let census = Census(of: root)
    let (a, b) = (root.then { $0 }.named("a"), root.then { $0 }.named("b"))
    let follower = b.then { $0 }
    XCTAssertEqual(
      census.waitPaths,
      ["a waits for #1, which has not been settled", "#4 waits for b → #1, which has not been settled"])
    // Promises of other tests may be pending, too.
    let everything = Census()
    func paths() -> [String] { everything.waitPaths.filter { $0.hasPrefix("all waits") } }
    let made = ", made at \(file):\(#line + 1)"
    let (one, two) = (Promise().named("one"), Promise().named("two"))
    let all = Promise.all([one, two]).named("all")
    XCTAssertEqual(paths(), ["all waits for one and 1 other\(made), which has not been settled"])
    one.fulfill(1)
    XCTAssertEqual(paths(), ["all waits for two\(made), which has not been settled"])
    two.fulfill(2)
    XCTAssertEqual(paths(), [])
    withExtendedLifetime((a, follower, all)) {}
  }

  func testARingIsShown() {
    let line = #line + 1
    let (first, resolver) = Promise.pending()
    let census = Census(of: first)
    let second = first.named("first").then { $0 }.named("second")
    let third = first.then { $0 }
    resolver.resolve(second)
    XCTAssertEqual(
      census.waitPaths,
      [
        "#3 waits for first, made at \(file):\(line), which waits for itself",
        "first waits for second → first, made at \(file):\(line), which waits for itself",
      ])
    first.cancel()
    withExtendedLifetime(third) {}
  }

  func testHandlersAndTimers() {
    let context = TestContext()
    let root = Promise(on: context)
    let census = Census(of: root)
    let handlersLine = #line + 1
    let last = root.then { $0 }.then { $0 }
    let late = root.delay(60)
    root.fulfill(1)
    XCTAssertEqual(
      census.waitPaths,
      [
        "#3 waits for #2, made at \(file):\(handlersLine), whose handler has not run yet",
        "#4, made at \(file):\(handlersLine + 1), whose handler has returned another promise",
      ])
    context.drain()
    XCTAssertEqual(
      census.waitPaths,
      ["#4, made at \(file):\(handlersLine + 1), whose handler has returned another promise"])
    withExtendedLifetime((last, late)) {}
    let paths = Recorded<[String]>([])
    let running = Promise()
    let other = Census(of: running)
    let line = #line + 1
    let child = running.thenOn(.immediate) { (_: Int) in paths.append(other.waitPaths.joined()) }
    running.fulfill(1)
    #if DEBUG
      XCTAssertEqual(paths.value, ["#2, made at \(file):\(line), whose handler is running"])
    #endif
    withExtendedLifetime(child) {}
  }

  func testTasksTimersAndUnfinishedWork() {
    let census = Census()
    let (line, gate) = (#line + 1, Promise())
    let task = Promise { try await gate.value(as: Int.self) }.named("task")
    let late = Promise.delay(600).named("late")
    let (upload, resolver) = Promise.pending()
    resolver.alwaysCallsBack()
    upload.named("upload").cancel()
    let end = upload.finished().named("end")
    let own = census.waitPaths.filter { path in ["task", "late", "end"].contains { path.hasPrefix($0) } }
    XCTAssertEqual(
      own,
      [
        "task, made at \(file):\(line), whose task has not ended",
        "late, made at \(file):\(line + 1), whose timer has not fired",
        "end waits for upload (cancelled, unfinished), made at \(file):\(line + 2), "
          + "whose clean-up or callback has not ended",
      ])
    gate.fulfill(1)
    late.cancel()
    resolver.fulfill(1)
    XCTAssertTrue(end.isFulfilled)
    withExtendedLifetime(task) {}
  }

  #if DEBUG
    func testCombinatorsSeriesTasksAndTimersHaveTheirLines() {
      let (census, gate, first) = (Census(), Promise(), #line + 2)
      let waiting = [
        Promise.all([gate]),
        Promise.all(["key": gate]),
        Promise.race(gate, gate),
        Promise.map([1]) { (_: Int) in gate },
        Promise.retry(2) { gate },
        Promise.repeat { gate },
        Promise.sequence([1]) { _ in gate },
        Promise.delay(600),
        Promise.task(on: .immediate) { gate },
        Promise { try await gate.value },
        gate.then { (number: Int) in number },
      ]
      let lines = census.unsettled.compactMap(\.origin).filter { $0.fileID == file }.map(\.line)
      XCTAssertEqual(lines, Array(first..<first + waiting.count))
      gate.cancel()
      waiting[7].cancel()
    }
  #endif

  func testALongPathIsShortened() {
    let root = Promise()
    let census = Census(of: root)
    var (end, ends) = (root, [Promise]())
    for _ in 1...20_000 {
      end = end.then { $0 }
      ends.append(end.then { $0 })
    }
    let paths = census.waitPaths
    XCTAssertEqual(paths.count, 20_000)
    XCTAssertEqual(
      paths.last,
      "#40001 waits for #40000 → #39998 → #39996 → #39994 → #39992 → #39990 → #39988 → #39986"
        + " → 19992 more → #1, which has not been settled")
  }
}
