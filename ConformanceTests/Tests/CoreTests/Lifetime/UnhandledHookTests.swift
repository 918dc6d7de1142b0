// The hook for lost rejections: when and where the hook runs, and for which promises.

import DynamicPromise
import XCTest

final class UnhandledHookTests: LossTestCase {
  // Spec: L5.4
  func testHeldRejectionIsReportedWhenItIsReleased() {
    let failure = Failure()
    var promise: Promise? = Promise.rejected(failure)
    var copy = promise
    XCTAssertTrue(
      promise?.isRejected == true && "\(promise!)".contains("rejected"), "reading the state changes nothing")
    promise = nil
    XCTAssertEqual(losses(of: failure).count, 0)
    XCTAssertNotNil(copy)
    copy = nil
    XCTAssertEqual(losses(of: failure).count, 1, "the hook runs on the releasing stack")
  }

  // Spec: L5.6
  func testHookIsCalled() throws {
    let failure = Failure("reported")
    let line: UInt = #line + 1
    do { _ = Promise { $0.reject(failure) } }
    let loss = try XCTUnwrap(losses(of: failure).first)
    XCTAssertFalse(loss.isCancellation)
    XCTAssertEqual(loss.origin, Promise.Origin(line: line))
    XCTAssertEqual(
      "\(loss)",
      "unhandled rejection: \(failure) (promise made at CoreTests/UnhandledHookTests.swift:\(line))")
    let other = Failure("of a child")
    do { Promise.rejected(failure).catchOn(.immediate) { _ in throw other } }
    let second = try XCTUnwrap(losses(of: other).first)
    XCTAssertNil(second.origin)
    XCTAssertEqual("\(second)", "unhandled rejection: \(other)")
    let before = losses.count
    do { _ = Promise { _ in } }
    let broken = losses.all.dropFirst(before).map { "\($0)" }.filter { $0.contains("UnhandledHookTests") }
    XCTAssertEqual(broken.count, 1)
    XCTAssertEqual(broken.first?.components(separatedBy: "made at").count, 2, "the origin appears once")
  }

  // Spec: L5.9
  func testALossNamesTheNearestKnownPlaceAbove() throws {
    let failure = Failure()
    let (root, resolver) = Promise.pending()
    let line = #line - 1
    let context = SteppedContext()
    do { root.thenOn(context) { _ in 1 }.thenOn(context) { _ in throw failure } }
    resolver.fulfill(0)
    context.drain()
    let loss = try XCTUnwrap(losses(of: failure).first)
    XCTAssertNil(loss.origin)
    let nearest = try XCTUnwrap(loss.nearest)
    XCTAssertEqual(nearest.origin?.line, line)
    let steps = nearest.steps == 1 ? "1 step" : "\(nearest.steps) steps"
    let place = "the promise made at CoreTests/UnhandledHookTests.swift:\(line)"
    XCTAssertEqual("\(loss)", "unhandled rejection: \(failure) (\(steps) below \(place))")
    withExtendedLifetime(root) {}
  }

  // Spec: L5.9
  func testALossNamesItsNameOrThatOfAnAncestor() throws {
    let failure = Failure()
    let root = Promise(on: .immediate)
    root.label = "login"
    let other = Failure("of the named one itself")
    do {
      let child = root.then { _ in throw other }
      child.label = "step"
      root.catch { _ in }.then { _ in throw failure }
    }
    root.fulfill(0)
    XCTAssertEqual("\(try XCTUnwrap(losses(of: other).first))", "unhandled rejection: \(other) (\"step\")")
    let loss = try XCTUnwrap(losses(of: failure).first)
    XCTAssertEqual(loss.nearest?.name, "login")
    XCTAssertNil(loss.name)
  }

  #if DEBUG
    // Spec: L5.9
    func testInDebugBuildsTheAncestorsMayBeFreed() throws {
      let failure = Failure()
      let line: Int
      do {
        let (known, last) = Self.chain(failure)
        line = known
        XCTAssertNil(last.parent, "all ancestors are deallocated")
      }
      let loss = try XCTUnwrap(losses(of: failure).first)
      XCTAssertEqual(loss.nearest?.origin?.line, line)
      XCTAssertEqual(loss.nearest?.steps, 3)
    }

    private static func chain(_ failure: Failure) -> (line: Int, last: Promise) {
      let (promise, resolver) = Promise.pending()
      let line = #line - 1
      let last = promise.thenOn(.immediate) { _ in throw failure }.thenOn(.immediate) { $0 }
        .thenOn(.immediate) { $0 }
      resolver.fulfill(0)
      return (line, last)
    }
  #endif

  // Spec: L5.6
  func testHookRunsOnTheReleasingStackWithNothingLocked() {
    let failure = Failure()
    let losses = losses
    inTime {
      let root = Promise.resolved(1, on: .immediate)
      let caller = ObjectIdentifier(Thread.current)
      let child = root.then { _ in 1 }
      Promise.onUnhandledRejection = { loss in
        guard loss.reason as? Failure === failure else { return }
        XCTAssertEqual(ObjectIdentifier(Thread.current), caller)
        // The hook can use the lost promise's tree and the hook property.
        XCTAssertTrue(child.root === root && child.parent === root)
        root.then { _ in child }.cancel()
        root.cancel()
        _ = Promise.onUnhandledRejection
        Promise.onUnhandledRejection = { losses.append($0) }
        losses.append(loss)
      }
      do { root.then { _ in throw failure } }
    }
    XCTAssertEqual(self.losses(of: failure).count, 1)
  }

  // Spec: L5.6
  func testAHookThatLosesOneEachTimeTakesABoundedStack() {
    let count = 1000
    let failure = Failure()
    let calls = Counter()
    let isNested = Counter()
    let mark = StackMark()
    Promise.onUnhandledRejection = { loss in
      guard loss.reason as? Failure === failure else { return }
      if mark.isSet { isNested.increment() }
      calls.increment()
      mark.during {
        if calls.value < count { _ = Promise.rejected(failure) }
      }
    }
    do { _ = Promise.rejected(failure) }
    XCTAssertEqual(calls.value, count)
    XCTAssertEqual(isNested.value, 0)
  }

  // Spec: L5.6
  func testHookIsReplacedAndSilenced() {
    let failure = Failure()
    let released = Counter()
    let others = Log<Promise.UnhandledRejection>()
    do {
      let canary = Canary {
        released.increment()
        _ = Promise.onUnhandledRejection  // No lock is held when the canary is released.
      }
      Promise.onUnhandledRejection = { loss in
        withExtendedLifetime(canary) {}
        others.append(loss)
      }
    }
    do { _ = Promise.rejected(failure) }
    XCTAssertEqual(others.all.filter { $0.reason as? Failure === failure }.count, 1)
    XCTAssertEqual(released.value, 0)
    Promise.onUnhandledRejection = nil
    XCTAssertNil(Promise.onUnhandledRejection)
    XCTAssertEqual(released.value, 1)
    do { _ = Promise.rejected(failure) }
    XCTAssertEqual(losses(of: failure).count, 0)
    XCTAssertEqual(others.all.filter { $0.reason as? Failure === failure }.count, 1)
  }

  /// Tests save and restore the hook. The hook must not get a wrapper each time.
  // Spec: L5.6
  func testAHookThatIsSavedAndRestoredOftenTakesABoundedStack() {
    let failure = Failure()
    for _ in 0..<manyInputs {
      let former = Promise.onUnhandledRejection
      Promise.onUnhandledRejection = former
    }
    onSmallStack { _ = Promise.rejected(failure) }
    XCTAssertEqual(losses(of: failure).count, 1)
  }

  // Spec: L5.7
  func testCancellationsAreReportedOnDemand() {
    XCTAssertFalse(Promise.reportsUnhandledCancellations)
    Promise.reportsUnhandledCancellations = true
    let failure = Failure()
    do {
      let root = Promise(on: .immediate)
      root.then { $0 }.then { $0 }
      root.cancel(failure)
    }
    let reported = losses(of: failure)
    XCTAssertEqual(reported.map(\.isCancellation), [true], "only the end of the chain is reported, once")
    Promise.reportsUnhandledCancellations = false
    do { Promise().cancel(failure) }
    XCTAssertEqual(losses(of: failure).count, 1)
  }

  // Spec: L5.8
  func testStandardHookWritesALineInDebugBuilds() throws {
    #if DEBUG
      let failure = Failure("for the standard hook")
      let pipe = Pipe()
      let saved = dup(2)
      dup2(pipe.fileHandleForWriting.fileDescriptor, 2)
      Promise.onUnhandledRejection = standardLossHook
      do { _ = Promise.rejected(failure) }
      dup2(saved, 2)
      close(saved)
      try pipe.fileHandleForWriting.close()
      let text = String(decoding: pipe.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
      XCTAssertTrue(text.contains("unhandled rejection: \(failure)\n"), text)
    #else
      XCTAssertNil(standardLossHook)
    #endif
  }

  /// A rejection races with the release of its promise. Either the rejection is reported once, or the promise
  /// is freed first.
  // Spec: L5.4
  func testRejectionRacesWithRelease() {
    race(lanes: 2, rounds: 2000) { round in
      let failure = Failure("\(round)")
      let (promise, resolver) = Promise.pending()
      let held = Hold(promise)
      let parts: [RaceTrack.Part] = [{ resolver.reject(failure) }, { held.drop() }]
      return (
        parts,
        { XCTAssertEqual(self.losses(of: failure).count, resolver.isAbandoned ? 0 : 1, "round \(round)") }
      )
    }
  }
}
