// A recorder's pictures of promise trees.

import DynamicPromise
import DynamicPromiseDiagnostics
import DynamicPromiseTesting
import Foundation
import XCTest

final class RecorderTests: XCTestCase {
  private struct Failure: Error {}

  private let context = TestContext()

  /// A tree with everything that a picture can show. Two promises are pending when the recording ends.
  private func record() -> (recorder: Recorder, held: Promise) {
    let root = Promise(on: context)
    let upload = Promise(on: context)
    let recorder = Recorder(of: root, upload)
    root.named("login", fileID: "App/Main.swift", line: 3)
    upload.named("up \"load\" <1>", fileID: "App/Main.swift", line: 7)
    let user = root.shielded().named("user", fileID: "App/User.swift", line: 12)
    let shown = user.thenOn(.immediate, { _ in upload }, fileID: "App/User.swift", line: 13)
    root.catch({ _ in 1 }, fileID: "App/User.swift", line: 14)
    user.then({ _ in throw Failure() }, fileID: "App/User.swift", line: 15).ignoreErrors()
    root.shielded().shielded().cancel()
    root.fulfill("Ann")
    context.drain()
    recorder.end()
    upload.fulfill("late")
    return (recorder, shown)
  }

  func testText() {
    let (recorder, held) = record()
    XCTAssertEqual(
      recorder.text,
      """
      login: fulfilled on TestContext, made at App/Main.swift:3
        - user: fulfilled on TestContext, made at App/User.swift:12
          - #4: pending on immediate, made at App/User.swift:13, follows up "load" <1>
          - #6: rejected on TestContext, made at App/User.swift:15, reason: Failure()
        - #5: fulfilled on TestContext, made at App/User.swift:14
        - #7: fulfilled on TestContext
        → #8: cancelled on TestContext
      up "load" <1>: pending on TestContext, made at App/Main.swift:7

      """)
    XCTAssertTrue(held.isFulfilled, "nothing is recorded after `end()`")
  }

  func testMermaid() {
    let (recorder, _) = record()
    let drawn = """
        n2["up #quot;load#quot; #lt;1#gt;<br/>pending<br/>TestContext<br/>App/Main.swift:7"]:::pending
        n3["user<br/>fulfilled<br/>TestContext<br/>App/User.swift:12"]:::fulfilled
        n4["#35;4<br/>pending<br/>immediate<br/>App/User.swift:13"]:::pending
      """
    for part in [drawn, "  n1 --> n3\n  n3 --> n4\n  n4 -.-> n2\n", "\n  classDef pending stroke:gray\n"] {
      XCTAssertTrue(recorder.mermaid.contains(part), recorder.mermaid)
    }
  }

  func testAQuotationMarkBeforeACombiningMarkIsEscaped() {
    let promise = Promise()
    let recorder = Recorder(of: promise)
    promise.named("a\"\u{301}")
    XCTAssertTrue(recorder.mermaid.contains("a#quot;\u{301}"), recorder.mermaid)
  }

  func testFreedPromisesStayInThePicture() {
    var root: Promise? = Promise(on: context)
    let recorder = Recorder(of: root!)
    do { root!.then { $0 }.then { $0 } }
    root!.fulfill(1)
    root = nil
    context.drain()
    XCTAssertEqual(recorder.records.map(\.state), [.fulfilled, .fulfilled, .fulfilled])
    XCTAssertEqual(recorder.records.map(\.parent), [nil, 1, 2])
    var abandoned: Promise? = Promise()
    let other = Recorder(of: abandoned!)
    abandoned = nil
    XCTAssertNil(abandoned)
    XCTAssertEqual(other.records.map(\.state), [.abandoned])
  }

  func testARecorderOfEverythingSeesEveryPromise() {
    let recorder = Recorder()
    let label = "recorded by \(#function)"
    let promise = Promise.resolved(1).named(label)
    Promise.rejected(Failure()).ignoreErrors().named(label)
    let adopter = Promise().named(label)
    adopter.bind(promise)
    recorder.end()
    Promise().named(label)
    let records = recorder.records.filter { $0.label == label }
    XCTAssertEqual(records.map(\.state), [.fulfilled, .rejected, .fulfilled])
    XCTAssertEqual(records.map(\.follows), [nil, nil, records.first?.number])
  }

  func testADeepTreeIsDrawnWithoutRecursion() {
    let root = Promise(on: context)
    let recorder = Recorder(of: root)
    var end = root
    let depth = 5000
    for _ in 0..<depth { end = end.then { $0 } }
    recorder.end()
    // The stack is too small for a frame per promise.
    let lines = DispatchSemaphore(value: 0)
    let thread = Thread {
      XCTAssertEqual(recorder.text.utf8.count { $0 == UInt8(ascii: "\n") }, depth + 1)
      lines.signal()
    }
    thread.stackSize = 128 * 1024
    thread.start()
    XCTAssertEqual(lines.wait(timeout: .now() + 60), .success)
    root.fulfill(1)
    context.drain()
  }

  func testDeepBranchesSayTheirDepth() {
    let root = Promise(on: context)
    let recorder = Recorder(of: root)
    var end = root
    for _ in 0..<30 {
      end.then { $0 }
      end = end.then { $0 }
    }
    let lines = recorder.text.split(separator: "\n")
    let indent = String(repeating: "  ", count: 24)
    XCTAssertEqual(lines.filter { $0.hasPrefix(indent + "- ") }.count, 2)
    XCTAssertEqual(lines.filter { $0.hasPrefix(indent + "[") }.count, 12)
    XCTAssertTrue(lines.contains { $0.hasPrefix(indent + "[30] - ") }, recorder.text)
    root.fulfill(1)
    context.drain()
  }
}
