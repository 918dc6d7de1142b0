// Reasons and lost rejections in a recorder.

import DynamicPromise
import DynamicPromiseDiagnostics
import DynamicPromiseTesting
import TestSupport
import XCTest

final class ReasonTests: XCTestCase {
  private struct Offline: Error, CustomStringConvertible {
    var description = "no <network>\nsince noon"
  }

  private final class Held: Error, @unchecked Sendable {
    let onDeinit: @Sendable () -> Void
    init(_ onDeinit: @escaping @Sendable () -> Void) { self.onDeinit = onDeinit }
    deinit { onDeinit() }
  }

  private let context = TestContext()
  private let hook = Promise.onUnhandledRejection

  override func setUp() { Promise.onUnhandledRejection = nil }
  override func tearDown() { Promise.onUnhandledRejection = hook }

  func testReasonsAreInEveryPicture() {
    let root = Promise(on: context)
    let recorder = Recorder(of: root)
    root.named("load", fileID: "App/Main.swift", line: 1)
    let long = String(repeating: "x", count: 300)
    let (place, line) = ("made at DiagnosticsTests/ReasonTests.swift", #line + 1)
    root.catch { _ in throw Offline(description: long) }.ignoreErrors()
    root.then { _ in 1 }.cancel()
    root.then { _ in 2 }.ignoreErrors().cancel("no longer wanted")
    root.reject(Offline())
    context.drain()
    XCTAssertEqual(
      recorder.text,
      """
      load: rejected on TestContext, made at App/Main.swift:1, reason: no <network> since noon
        - #2: rejected on TestContext, \(place):\(line), reason: \(long.prefix(200))…
        - #3: cancelled on TestContext, \(place):\(line + 1)
        - #4: cancelled on TestContext, \(place):\(line + 2), reason: cancelled: no longer wanted

      """)
    XCTAssertTrue(recorder.records[0].reason is Offline)
    XCTAssertTrue(recorder.records[2].reason is CancellationError)
    XCTAssertTrue(recorder.mermaid.contains("reason: no #lt;network#gt; since noon"))
    XCTAssertTrue(recorder.html.contains("made at App/Main.swift:1, reason: no &lt;network&gt; since noon"))
    XCTAssertFalse(recorder.html.contains("unhandled"))
  }

  func testALostRejectionIsUnhandled() {
    let root = Promise(on: context)
    let recorder = Recorder(of: root)
    let held = root.then { _ in throw Offline() }
    do {
      root.then { _ in throw Offline() }.named("lost")
      root.then { _ in throw CancellationError() }
      root.then { _ in 1 }.cancel()
      root.then { _ in throw Offline() }.catch { _ in 1 }
    }
    root.fulfill(1)
    context.drain()
    XCTAssertEqual(recorder.records.filter(\.isUnhandled).map(\.name), ["lost"])
    XCTAssertTrue(recorder.text.contains("lost: rejected on TestContext, made at"), recorder.text)
    XCTAssertTrue(recorder.text.contains(", unhandled, reason: no <network> since noon\n"), recorder.text)
    XCTAssertTrue(recorder.html.contains(">1 unhandled</span>"))
    withExtendedLifetime(held) {}
  }

  func testReasonsAreReleasedWithTheRecorder() {
    let released = Recorded(0)
    @Sendable func release() { if Promise.resolved(1).isFulfilled { released.increment() } }
    var recorder: Recorder? = Recorder()
    // The deinit uses promises. It would deadlock if the recorder held a lock during the release.
    Promise.rejected(Held(release)).ignoreErrors()
    XCTAssertEqual(released.value, 0, "the recorder retains the reason")
    recorder?.end()
    XCTAssertEqual(released.value, 0)
    recorder = nil
    XCTAssertEqual(released.value, 1)
    let census = Census()
    Promise.rejected(Held(release)).ignoreErrors()
    XCTAssertEqual(released.value, 2, "a census retains no reason")
    census.end()
  }
}
