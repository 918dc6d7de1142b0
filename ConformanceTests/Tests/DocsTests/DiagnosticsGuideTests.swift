import DynamicPromise
import DynamicPromiseDiagnostics
import DynamicPromiseTesting
import Foundation
import TestSupport
import XCTest

/// The examples of `docs/diagnostics.md`.
final class DiagnosticsGuideTests: XCTestCase {
  func testLossHook() throws {
    let former = Promise.onUnhandledRejection
    defer { Promise.onUnhandledRejection = former }
    let log = Log()
    // example: loss-hook
    Promise.onUnhandledRejection = { loss in
      log("\(loss)")  // with `loss.reason`, and `loss.origin` if the promise was made with a resolver
    }
    // end
    do { _ = Promise { $0.reject(NumberedError(7)) } }
    let line = #line - 1
    let own = log.lines.filter { $0.contains("NumberedError(number: 7)") }
    XCTAssertEqual(own.count, 1)
    XCTAssertEqual(own.first?.contains("made at DocsTests/DiagnosticsGuideTests.swift:\(line))"), true)
  }

  func testIgnoreErrors() {
    // example: ignore-errors
    load("nothing").ignoreErrors()  // warms a cache: no matter if it fails
    // end
  }

  func testOrigin() throws {
    let line = #line + 3
    // example: origin
    func ask(_ question: String) -> Promise {
      Promise { resolver in
        if question.isEmpty { return }  // a forgotten case
        resolver.fulfill("42")
      }
    }

    let answer = ask("").catch { (error: PromiseError) in "\(error)" }
    // end
    XCTAssertEqual(
      try value(of: answer, as: String.self),
      "broken: the promise can no longer be resolved "
        + "(made at DocsTests/DiagnosticsGuideTests.swift:\(line))"
    )
    XCTAssertEqual(try value(of: ask("why"), as: String.self), "42")
  }

  func testMismatch() throws {
    let line = #line + 2
    // example: mismatch
    let count = load("user").then { (name: Int) in name + 1 }
    let report = count.catch { error in "\(error)" }
    // end
    var text = "type mismatch: expected Int, found String"
    #if DEBUG
      text += " (handler at DocsTests/DiagnosticsGuideTests.swift:\(line))"
    #endif
    XCTAssertEqual(try value(of: report, as: String.self), text)
  }

  func testCensus() throws {
    let print = Log()
    let line = #line + 3
    // example: census
    let census = Census()
    let (login, resolver) = Promise.pending()
    let page = login.named("login").then { _ in load("user") }

    for promise in census.unsettled { print(promise) }
    // end
    let own = print.lines.drop { !$0.hasPrefix("login: ") }
    // example: wait-paths
    for path in census.waitPaths { print(path) }
    // end
    census.end()
    let place = "DocsTests/DiagnosticsGuideTests.swift"
    XCTAssertEqual(own.first, "login: pending on default, made at \(place):\(line)")
    let listed = ": pending on default, made at \(place):\(line + 1)"
    XCTAssertTrue(own.contains { $0.hasSuffix(listed) }, "\(own)")
    let end = " waits for login, made at \(place):\(line), which has not been settled"
    XCTAssertTrue(print.lines.contains { $0.hasSuffix(end) }, "\(print.lines)")
    resolver.fulfill(1)
    XCTAssertEqual(try value(of: page), "ann")
  }

  func testRecorder() throws {
    let (print, context) = (Log(), TestContext())
    let root = Promise(on: context)
    let line = #line + 1
    // example: recorder
    let recorder = Recorder(of: root)
    let user = root.then { _ in "ann" }.named("user")
    let shown = user.then { _ in throw Missing(name: "view") }.named("shown")
    let counted = user.thenOn(.immediate) { _ in 1 }.named("counted")
    root.named("login").fulfill(())
    context.drain()

    print(recorder.text)
    // end
    let place = "DocsTests/DiagnosticsGuideTests.swift"
    XCTAssertEqual(
      print.lines.joined(),
      """
      login: fulfilled on TestContext, made at \(place):\(line + 5)
      → user: fulfilled on TestContext, made at \(place):\(line + 2)
        - shown: rejected on TestContext, made at \(place):\(line + 3), reason: Missing(name: "view")
        - counted: fulfilled on immediate, made at \(place):\(line + 4)

      """)
    shown.ignoreErrors()
    withExtendedLifetime(counted) {}
  }

  func testTimeoutName() throws {
    let line = #line + 2
    // example: timeout-name
    let (login, resolver) = Promise.pending()
    let page = login.then { _ in load("user") }
    let shown = page.setTimeout(0.01).catch { error in "\(error)" }
    // end
    XCTAssertEqual(
      try value(of: shown),
      "timed out, 2 steps below the promise made at DocsTests/DiagnosticsGuideTests.swift:\(line)")
    resolver.fulfill(1)
  }

  func testRecorderTrace() throws {
    let folder = FileManager.default.temporaryDirectory.appending(path: "recorder-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    func loadThePage() throws { _ = try load("user").then { $0 }.get(timeout: 20) }
    // example: recorder-trace
    let recorder = Recorder()
    try loadThePage()
    recorder.end()
    try Data(recorder.html.utf8).write(to: folder.appending(path: "promises.html"))
    // end
    let page = try String(contentsOf: folder.appending(path: "promises.html"), encoding: .utf8)
    XCTAssertTrue(page.contains("class=\"slice handler"))
  }
}
