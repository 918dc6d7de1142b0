// The timeline in the trace event format.

import Dispatch
import DynamicPromise
import DynamicPromiseDiagnostics
import DynamicPromiseTesting
import Foundation
import TestSupport
import XCTest

final class TraceTests: XCTestCase {
  private struct Failure: Error {}

  private typealias Event = [String: Any]

  private let context = TestContext()

  /// Handlers on three contexts, an adoption, a cancellation, and names that have to be escaped.
  private func record() -> Recorder {
    let root = Promise(on: context)
    let recorder = Recorder(of: root)
    root.named("log \"in\" \\ <é>\n")
    let user = root.then { _ in "Ann" }.named("user")
    let shown = user.thenOn(.immediate) { [context] _ in Promise.resolved(1, on: context).then { $0 } }.named(
      "shown")
    let failed = user.thenOn(.serial("disk")) { _ in throw Failure() }.named("saved")
    user.then { _ in 1 }.named("cancelled").cancel()
    let all = Promise.all([shown, user])
    let done = expectation(description: "on both contexts")
    done.expectedFulfillmentCount = 2
    let last = all.thenOn(.immediate) { _ in done.fulfill() }.named("last")
    let saved = user.thenOn(.serial("disk")) { _ in done.fulfill() }
    root.fulfill(())
    context.drain()
    wait(for: [done], timeout: 20)
    _ = try? last.get(timeout: 20)
    for promise in [saved, failed] { _ = try? promise.get(timeout: 20) }
    recorder.end()
    return recorder
  }

  private func events(_ recorder: Recorder) throws -> [Event] {
    try TraceFormat.events(recorder.trace)
  }

  /// The slice around an event, on the same track.
  private func slice(around event: Event, _ slices: [Event]) -> Event? {
    slices.first {
      $0["tid"] as? Int == event["tid"] as? Int && time($0) <= time(event)
        && time(event) <= time($0) + time($0, "dur")
    }
  }

  private func time(_ event: Event, _ key: String = "ts") -> Double { event[key] as? Double ?? .nan }

  func testEveryEventHasWhatItsPhaseAsksFor() throws {
    XCTAssertEqual(TraceFormat.faults(in: try events(record())), [])
  }

  func testEveryPromiseHasALife() throws {
    let recorder = record()
    let events = try events(recorder)
    func lives(_ phase: String) -> [String: Event] {
      let own = events.filter { $0["ph"] as? String == phase && $0["cat"] as? String == "promise" }
      return Dictionary(uniqueKeysWithValues: own.map { ($0["id"] as? String ?? "", $0) })
    }
    let (begins, ends) = (lives("b"), lives("e"))
    XCTAssertEqual(begins.count, recorder.records.count)
    for record in recorder.records {
      let begin = try XCTUnwrap(begins["\(record.number)"], "\(record)")
      XCTAssertEqual(begin["name"] as? String, record.name)
      XCTAssertEqual(time(begin), record.made / .microseconds(1), accuracy: 0.001)
      let details = try XCTUnwrap(begin["args"] as? Event)
      XCTAssertEqual(details["parent"] as? Int, record.parent)
      XCTAssertEqual(details["follows"] as? Int, record.follows)
      XCTAssertEqual(details["combinator"] as? String, record.combinator)
      let end = try XCTUnwrap(ends["\(record.number)"], "\(record)")
      XCTAssertEqual(time(end), try XCTUnwrap(record.settled) / .microseconds(1), accuracy: 0.001)
      XCTAssertEqual((end["args"] as? Event)?["outcome"] as? String, "\(record.state)")
    }
  }

  func testATrackForEachContextAndASliceForEachHandler() throws {
    let recorder = record()
    let events = try events(recorder)
    var tracks: [Int: String] = [:]
    for event in events where event["name"] as? String == "thread_name" {
      tracks[try XCTUnwrap(event["tid"] as? Int)] = (event["args"] as? Event)?["name"] as? String
    }
    XCTAssertTrue(
      Set(tracks.values).isSuperset(of: ["TestContext", "immediate", "disk", "settled outside of contexts"]))
    let slices = events.filter { $0["ph"] as? String == "X" && $0["cat"] as? String == "handler" }
    XCTAssertEqual(slices.count, recorder.records.count { $0.handlerBegan != nil })
    let saved = try XCTUnwrap(slices.first { $0["name"] as? String == "saved" })
    // Two queues have this name. If their handlers overlap, one queue has a second track.
    let track = try XCTUnwrap(tracks[try XCTUnwrap(saved["tid"] as? Int)])
    XCTAssertTrue(["disk", "disk (2)"].contains(track), track)
    let details = try XCTUnwrap(saved["args"] as? Event)
    XCTAssertEqual(details["outcome"] as? String, "rejected")
    XCTAssertEqual(details["label"] as? String, "saved")
    let record = try XCTUnwrap(recorder.records.first { $0.name == "saved" })
    XCTAssertEqual(details["origin"] as? String, record.origin.map { "\($0)" })
    XCTAssertEqual(time(saved), try XCTUnwrap(record.handlerBegan) / .microseconds(1), accuracy: 0.001)
    let length = try XCTUnwrap(record.handlerEnded) - XCTUnwrap(record.handlerBegan)
    XCTAssertEqual(time(saved, "dur"), max(length / .microseconds(1), 0.1), accuracy: 0.001)
    // Viewers require that the slices of a track do not overlap.
    let all = events.filter { $0["ph"] as? String == "X" }
    for (_, own) in Dictionary(grouping: all, by: { $0["tid"] as? Int }) {
      let sorted = own.sorted { time($0) < time($1) }
      for (left, right) in zip(sorted, sorted.dropFirst()) {
        XCTAssertLessThanOrEqual(time(left) + time(left, "dur"), time(right) + 0.0001)
      }
    }
  }

  /// A cancel has a mark, whether it begins outside or in a handler, before or after the parent settles. A
  /// child that is cancelled with its parent has no mark.
  func testAMarkWhereACancelBegan() throws {
    let root = Promise(on: context)
    let recorder = Recorder(of: root)
    let early = root.then { _ in 1 }.named("early")
    let child = early.then { _ in 2 }.named("below early")
    let late = root.then { _ in 3 }.named("late")
    let other = Promise(on: context).named("other")
    root.then { _ in other.cancel() }.named("handler")
    root.then { _ in other }.named("follower")
    early.cancel()
    root.fulfill(())
    late.cancel()
    context.drain()
    recorder.end()
    XCTAssertTrue(child.isCancelled)
    let events = try events(recorder)
    let marks = events.filter { $0["ph"] as? String == "i" }
    XCTAssertEqual(
      Set(marks.compactMap { $0["name"] as? String }),
      ["early cancelled", "late cancelled", "other cancelled"])
    XCTAssertEqual(marks.count, 3)
    let slices = events.filter { $0["ph"] as? String == "X" }
    let homes = try marks.map { try XCTUnwrap(slice(around: $0, slices)?["name"] as? String, "\($0)") }
    XCTAssertEqual(Set(homes), ["early cancelled", "late cancelled", "handler"])
  }

  func testAnArrowConnectsASettlementToEachHandlerItScheduled() throws {
    let recorder = record()
    let events = try events(recorder)
    let slices = events.filter { $0["ph"] as? String == "X" }
    var names: [String: [String]] = [:]
    let ends = events.filter { $0["ph"] as? String == "f" }
    for end in ends {
      let start = try XCTUnwrap(
        events.first { $0["ph"] as? String == "s" && $0["id"] as? Int == end["id"] as? Int })
      XCTAssertLessThanOrEqual(time(start), time(end))
      let from = try XCTUnwrap(slice(around: start, slices)?["name"] as? String)
      let to = try XCTUnwrap(slice(around: end, slices)?["name"] as? String)
      names[to, default: []].append(from)
    }
    XCTAssertEqual(names["user"], ["log \"in\" \\ <é>\n fulfilled"])
    XCTAssertEqual(names["shown"], ["user"])
    XCTAssertEqual(names["saved"], ["user"])
    // The adopted chain's handler settled the last input of the combinator.
    let adopted = try XCTUnwrap(recorder.records.first { $0.name == "shown" }?.follows)
    XCTAssertEqual(names["last"], ["#\(adopted)"])
    XCTAssertEqual(ends.count, recorder.records.count { $0.handlerBegan != nil })
  }

  func testHandlersThatOverlapHaveTracksOfTheirOwn() throws {
    let recorder = Recorder()
    let both = DispatchSemaphore(value: 0)
    let root = Promise.resolved(1)
    let first = root.then { _ in both.signal() }
    let second = root.then { _ in XCTAssertEqual(both.wait(timeout: .now() + 20), .success) }
    let third = root.thenOn(.immediate) { _ in
      // The handler of `outer` settles `inner`, which schedules the handler of `below inner`.
      let inner = Promise(on: .immediate).named("inner")
      let below = inner.then { _ in }.named("below inner")
      inner.fulfill(1)
      // The wait runs the thread's remaining jobs inside this handler.
      below.wait()
    }.named("outer")
    for promise in [first, second, third] { _ = try promise.get(timeout: 20) }
    recorder.end()
    let records = recorder.records
    let inner = try XCTUnwrap(records.first { $0.name == "inner" })
    XCTAssertEqual(inner.settledDuring, records.first { $0.name == "outer" }?.number)
    let lanes = try events(recorder).compactMap { ($0["args"] as? Event)?["name"] as? String }
    XCTAssertTrue(lanes.contains("immediate (2)"), "\(lanes)")
  }

  func testNothingIsATrace() throws {
    let promise = Promise()
    let recorder = Recorder(of: promise)
    XCTAssertEqual(try events(recorder).map { $0["ph"] as? String }, ["M", "b"])
    XCTAssertTrue(
      recorder.html.contains("<p>1 promises, <span class=\"pending\">1 pending</span>, 0.000 ms</p>"))
    let slices = recorder.html.matches(of: /<g class="(track|slice \w+)"/).map(\.1)
    XCTAssertEqual(slices, ["slice pending"], "there are no tracks")
    withExtendedLifetime(promise) {}
  }
}
