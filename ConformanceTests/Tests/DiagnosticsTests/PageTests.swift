// A recorder's page for a browser.

import DynamicPromise
import DynamicPromiseDiagnostics
import DynamicPromiseTesting
import Foundation
import XCTest

final class PageTests: XCTestCase {
  private struct Failure: Error {}

  private let context = TestContext()

  private func record() -> Recorder {
    let root = Promise(on: context)
    let recorder = Recorder(of: root)
    root.named("<script>alert(\"1\")</script> & co")
    let user = root.then { _ in "Ann" }.named("user")
    user.thenOn(.immediate) { _ in throw Failure() }.named("shown").ignoreErrors()
    user.then { _ in 1 }.then { _ in 2 }.named("counted")
    user.then { _ in 3 }.named("unwanted").cancel()
    Promise.all([root, user]).named("both")
    root.fulfill(())
    context.drain()
    recorder.end()
    return recorder
  }

  func testThePageHasEveryPromiseAndLoadsNothing() {
    let recorder = record()
    let page = recorder.html
    for record in recorder.records {
      XCTAssertTrue(
        page.contains("<div class=\"\(record.state)\" data-promise=\"\(record.number)\""), "\(record)")
      if record.handlerBegan != nil {
        XCTAssertTrue(
          page.contains("<g class=\"slice handler \(record.state)\" data-promise=\"\(record.number)\">"))
      }
    }
    XCTAssertTrue(page.contains("&lt;script&gt;alert(&quot;1&quot;)&lt;/script&gt; &amp; co"))
    XCTAssertFalse(page.contains("<script>alert"))
    XCTAssertNil(
      page.firstMatch(of: /(src|href)=|url\((?!#)|@import|fetch\(|https?:(?!\/\/www.w3.org\/2000\/svg")/))
  }

  func testThePageCountsPromisesAndHasArrows() throws {
    let recorder = record()
    let page = recorder.html
    let records = recorder.records
    let summary = try XCTUnwrap(page.firstMatch(of: /<p>(.*)<\/p>/)?.1)
    XCTAssertTrue(summary.hasPrefix("\(records.count) promises, "), "\(summary)")
    for (state, own) in Dictionary(grouping: records, by: \.state) {
      XCTAssertTrue(summary.contains("<span class=\"\(state)\">\(own.count) \(state)</span>"), "\(summary)")
    }
    let arrows = page.matches(of: /<path class="arrow" data-from="(\d+)" data-to="(\d+)".*marker-end/)
    let handlers = records.filter { $0.handlerBegan != nil }
    XCTAssertEqual(arrows.map(\.2), handlers.map { "\($0.number)" })
    // Each arrow begins at the parent of the handler's promise.
    XCTAssertEqual(arrows.map(\.1), handlers.map { "\($0.parent ?? 0)" })
    let tracks = page.matches(of: /<g><text class="label"[^>]*>([^<]*)<\/text>/).map(\.1)
    XCTAssertEqual(Set(tracks), ["TestContext", "immediate", "settled outside of contexts"])
  }

  func testPendingPromisesAreOnTheTimeLine() {
    XCTAssertFalse(record().html.contains("Pending"))
    let root = Promise(on: context)
    let recorder = Recorder(of: root)
    let page = root.named("<login>").then { $0 }.named("page")
    let others = (0..<60).map { _ in root.then { $0 } }
    let html = recorder.html
    XCTAssertEqual(html.matches(of: /<g class="slice pending( cause)?" data-promise="\d+">.*<rect/).count, 50)
    XCTAssertTrue(html.contains(">page</text>"))
    XCTAssertTrue(html.contains(">12 more pending</text>"))
    let row = try? Regex("pending</text><text class=\"label\".*>page</text><title>page: ")
    XCTAssertNotNil(row.flatMap { html.firstMatch(of: $0) })
    XCTAssertTrue(html.contains("<li>page waits for &lt;login&gt;, made at "))
    // `root`, for which the others wait, is marked in the timeline and in the tree.
    XCTAssertEqual(html.matches(of: /slice pending cause" data-promise="1"/).count, 1)
    XCTAssertEqual(html.matches(of: /<em>root cause</).count, 1)
    XCTAssertTrue(html.contains("<b>&lt;login&gt;</b> <em>root cause</em> pending"))
    withExtendedLifetime((page, others)) {}
  }

  func testTheTimeEndsWithTheRecording() throws {
    let recorder = record()
    let running = Recorder()
    func time(_ recorder: Recorder) throws -> Double {
      try XCTUnwrap(Double(XCTUnwrap(recorder.html.firstMatch(of: /, ([\d.]+) ms<\/p>/)?.1)))
    }
    let (before, start) = (try (ended: time(recorder), running: time(running)), ContinuousClock.now)
    while ContinuousClock.now < start + .milliseconds(2) {}
    XCTAssertEqual(try time(recorder), before.ended)
    XCTAssertGreaterThan(try time(running), before.running + 1.9)
    running.end()
  }

  func testHandlersThatOverlapHaveTracksOfTheirOwn() throws {
    let recorder = Recorder()
    let outer = Promise.resolved(1).thenOn(.immediate) { _ in
      // The handler of `outer` settles `inner`. The wait runs the handler of `below` inside this handler.
      let inner = Promise(on: .immediate).named("inner")
      let below = inner.then { _ in }
      inner.fulfill(1)
      below.wait()
    }.named("outer")
    _ = try outer.get(timeout: 20)
    recorder.end()
    let records = recorder.records
    let inner = try XCTUnwrap(records.first { $0.name == "inner" })
    XCTAssertEqual(inner.settledDuring, records.first { $0.name == "outer" }?.number)
    XCTAssertTrue(recorder.html.contains(">immediate (2)</text>"))
  }

  func testTheTimeLineHasAScale() throws {
    let recorder = record()
    let html = recorder.html
    let marks = html.matches(of: /<g class="scale"><line x1="([\d.]+)".*>([\d.]+)( ms)?<\/text>/)
    let ticks = try marks.map { (x: try XCTUnwrap(Double($0.1)), time: try XCTUnwrap(Double($0.2))) }
    XCTAssertTrue(2...11 ~= ticks.count, "\(ticks)")
    let summary = try XCTUnwrap(html.firstMatch(of: /, ([\d.]+) ms<\/p>/)?.1)
    let end = try XCTUnwrap(Double(summary))
    let step = ticks[1].time - ticks[0].time
    XCTAssertEqual(ticks[0].time, 0)
    XCTAssertTrue(0..<step ~= end - ticks.last!.time, "\(ticks), \(end)")
    // The place of a bar on the scale matches the time at which the bar begins.
    let bars = /slice handler.*?<rect x="([\d.]+)".*<title>.*, ([\d.]+) to/
    let bar = try XCTUnwrap(html.firstMatch(of: bars))
    let (x, time) = (try XCTUnwrap(Double(bar.1)), try XCTUnwrap(Double(bar.2)))
    let place = ticks[0].x + time / step * (ticks[1].x - ticks[0].x)
    XCTAssertEqual(x, place, accuracy: 1 + 0.001 / step * (ticks[1].x - ticks[0].x))
  }
}
