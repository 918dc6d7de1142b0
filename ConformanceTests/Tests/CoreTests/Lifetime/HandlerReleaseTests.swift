// Handlers, outcomes and captures are freed when they can no longer be used (L3.5, L3.9). Each shape runs
// in a closure, because the optimizer could treat local objects as borrowed.

import DynamicPromise
import XCTest

final class HandlerReleaseTests: XCTestCase {
  /// Makes a promise whose handler or outcome retains the canary.
  private typealias Shape = (name: String, make: (Bench, Canary) -> Promise)

  private func check(_ shapes: [Shape], whilePromisesStay: Bool = true, onMain: Bool = false) {
    for (name, make) in shapes {
      let bench = Bench()
      // Each shape runs twice, because a cache may treat the first run differently.
      for _ in 0..<2 {
        bench.kept.append(make(bench, bench.alive.make()))
        bench.finish()
        if onMain { letMainQueueRun() }
      }
      XCTAssertTrue(bench.kept.allSatisfy(\.isSettled), name)
      if !whilePromisesStay {
        XCTAssertGreaterThan(bench.alive.count, 0, "\(name): the outcome does not retain the canary")
        bench.kept = []
      }
      XCTAssertEqual(bench.alive.count, 0, name)
      withExtendedLifetime(bench.kept) {}
    }
  }

  // Spec: L3.5
  func testHandlersThatRanAreFreed() {
    check([
      ("any value", { b, c in b.fulfilled().then { (_: Any) in use(c) } }),
      ("ignored value", { b, c in b.fulfilled().then { use(c) } }),
      ("while pending", { b, c in b.open().then { _ in use(c) } }),
      ("two handlers, value", { b, c in b.fulfilled().then({ _ in use(c) }, { _ in use(c) }) }),
      ("two handlers, reason", { b, c in b.rejected().then({ _ in use(c) }, { _ in use(c) }) }),
      ("two, while pending", { b, c in b.open().then({ _ in use(c) }, { _ in use(c) }) }),
      ("catch", { b, c in b.rejected().catch { (_: any Error) in use(c) } }),
      ("finally, value", { b, c in b.fulfilled().finally { use(c) } }),
      ("thenOn, at once", { b, c in b.fulfilled().thenOn(.immediate) { _ in use(c) } }),
    ])
  }

  // Spec: L3.5, C9.3
  func testHandlersThatDidNotRunAreFreed() {
    check([
      ("passed by a reason", { b, c in b.rejected().then { (_: Any) in use(c) } }),
      ("catch, passed by", { b, c in b.fulfilled().catch { (_: any Error) in use(c) } }),
      ("below a promise that is passed by", { b, c in b.open().catch { _ in }.catch { _ in use(c) } }),
      ("a value of another type", { b, c in b.fulfilled().then { (_: String) in use(c) } }),
      ("an error of another type", { b, c in b.rejected().catch { (_: Holding) in use(c) } }),
      ("cancelled", { b, c in b.open().then { _ in use(c) }.cancelled() }),
      ("catch, cancelled", { b, c in b.open().catch { _ in use(c) }.cancelled() }),
      ("two handlers, cancelled", { b, c in b.open().then({ _ in use(c) }, { _ in use(c) }).cancelled() }),
      ("finally, cancelled", { b, c in b.open().finally { use(c) }.cancelled() }),
      ("finally, scheduled, cancelled", { b, c in b.fulfilled().finally { use(c) }.cancelled() }),
      ("two, scheduled, cancelled", { b, c in b.fulfilled().then(b.handler(c), b.rejecter(c)).cancelled() }),
      ("scheduled, cancelled", { b, c in b.fulfilled().then { _ in use(c) }.cancelled() }),
      ("below a cancelled parent", { b, c in b.open().cancelled().then { _ in use(c) } }),
    ])
  }

  // Spec: L3.5
  func testHandlersAreFreedWhateverTheyReturn() {
    check([
      ("throws", { b, c in b.fulfilled().then { (_: Any) -> Int in try fail(c) } }),
      ("returns an error", { b, c in b.fulfilled().then { (_: Any) in use(c, Failure()) } }),
      ("fulfilled promise", { b, c in b.fulfilled().then { [o = b.fulfilled()] _ in use(c, o) } }),
      ("rejected promise", { b, c in b.fulfilled().then { [o = b.rejected()] _ in use(c, o) } }),
      ("pending promise", { b, c in b.fulfilled().then { [o = b.open()] _ in use(c, o) } }),
      ("cancelled promise", { b, c in b.fulfilled().then { [o = b.open().cancelled()] _ in use(c, o) } }),
      ("thenable", { b, c in b.fulfilled().then { _ in StructThenable { r, _ in r(use(c, 1)) } } }),
      ("finally, result", { b, c in b.fulfilled().finally { c } }),
      ("finally, throws", { b, c in b.rejected().finally { try fail(c) as Int } }),
      (
        "adopter, cancelled",
        { b, c in b.step(b.fulfilled().then { [o = b.open()] _ in use(c, o) }).cancelled() }
      ),
    ])
  }

  // Spec: L3.9
  func testIgnoredOutcomesAreFreed() {
    check([
      ("value", { b, c in b.fulfilled().fulfilled(with: c) }),
      ("resolution", { b, c in b.fulfilled().decided(with: c) }),
      ("reason", { b, c in b.fulfilled().refused(with: Holding(c)) }),
      ("promise", { b, c in b.fulfilled().decided(with: Promise.resolved(c)) }),
      ("value after adoption", { b, c in b.open().decided(with: b.open()).fulfilled(with: c) }),
      ("reason after adoption", { b, c in b.open().decided(with: b.open()).refused(with: Holding(c)) }),
      ("reason of a second cancellation", { b, c in b.open().cancelled().cancelled(with: Holding(c)) }),
      ("result after cancellation", { b, c in b.cancelledInside(c) }),
    ])
  }

  // Spec: L3.9
  func testOutcomesAreFreedWithTheirPromises() {
    check(
      [
        ("value", { b, c in b.open().fulfilled(with: c) }),
        ("reason", { b, c in b.open().refused(with: Holding(c)) }),
        ("cancellation", { b, c in b.open().cancelled(with: Holding(c)) }),
        ("result", { b, c in b.fulfilled().then { (_: Any) in c } }),
        ("thrown", { b, c in b.fulfilled().then { (_: Any) -> Int in throw Holding(c) } }),
        ("passed on", { b, c in b.open().refused(with: Holding(c)).then { _ in }.finally {} }),
        ("caught", { b, c in b.open().refused(with: Holding(c)).catch { _ in } }),
        ("through finally", { b, c in b.open().fulfilled(with: c).finally {} }),
        ("lost in finally", { b, c in b.open().fulfilled(with: c).finally { throw Failure() } }),
        ("thrown by finally", { b, c in b.fulfilled().finally { throw Holding(c) } }),
        ("cancelled above, catch", { b, c in b.open().cancelled(with: Holding(c)).catch { _ in 0 } }),
        ("adopted value", { b, c in b.fulfilled().then { [o = b.open().fulfilled(with: c)] _ in o } }),
        (
          "adopted reason", { b, c in b.fulfilled().then { [o = b.open().refused(with: Holding(c))] _ in o } }
        ),
      ], whilePromisesStay: false)
  }
}
