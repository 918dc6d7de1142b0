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
      ("typed value", { b, c in b.fulfilled().then { (_: Int) in use(c) } }),
      ("ignored value", { b, c in b.fulfilled().then { use(c) } }),
      ("any value, any result", { b, c in b.fulfilled().then { (_: Any) -> Any? in use(c, nil) } }),
      ("typed value, any result", { b, c in b.fulfilled().then { (_: Int) -> Any? in use(c, nil) } }),
      ("large captures", { b, c in b.fulfilled().then { [x = (c, 1, 2, c)] _ in use(x.3) } }),
      ("as a variable", { b, c in b.fulfilled().then(b.handler(c)) }),
      ("the same handler twice", { b, c in b.twice(b.handler(c)) }),
      ("while pending", { b, c in b.open().then { _ in use(c) } }),
      ("typed, while pending", { b, c in b.open().then { (_: Int) in use(c) } }),
      ("two handlers, value", { b, c in b.fulfilled().then({ _ in use(c) }, { _ in use(c) }) }),
      ("two handlers, reason", { b, c in b.rejected().then({ _ in use(c) }, { _ in use(c) }) }),
      ("two handlers, typed", { b, c in b.fulfilled().then({ (_: Int) in use(c) }, { _ in use(c) }) }),
      ("two, typed, reason", { b, c in b.rejected().then({ (_: Int) in use(c) }, { _ in use(c) }) }),
      ("two, the first captures", { b, c in b.fulfilled().then({ _ in use(c) }, { _ in }) }),
      ("two, the second captures", { b, c in b.rejected().then({ _ in }, { _ in use(c) }) }),
      ("two, as variables", { b, c in b.fulfilled().then(b.handler(c), b.rejecter(c)) }),
      ("two, as variables, reason", { b, c in b.rejected().then(b.handler(c), b.rejecter(c)) }),
      ("two, without the first", { b, c in b.rejected().then(b.noHandler(), b.rejecter(c)) }),
      ("two, without the second", { b, c in b.fulfilled().then(b.handler(c), b.noRejecter()) }),
      ("two, while pending", { b, c in b.open().then({ _ in use(c) }, { _ in use(c) }) }),
      ("catch", { b, c in b.rejected().catch { (_: any Error) in use(c) } }),
      ("typed catch", { b, c in b.rejected().catch { (_: Failure) in use(c) } }),
      ("ignoring catch", { b, c in b.rejected().catch { use(c) } }),
      ("catch as a variable", { b, c in b.rejected().catch(b.rejecter(c)) }),
      ("catch, any result", { b, c in b.rejected().catch { (_: any Error) -> Any? in use(c, nil) } }),
      ("finally, value", { b, c in b.fulfilled().finally { use(c) } }),
      ("finally, reason", { b, c in b.rejected().finally { use(c) } }),
      ("finally, while pending", { b, c in b.open().finally { use(c) } }),
      ("finallyOn", { b, c in b.rejected().finallyOn(b.context) { use(c) } }),
      ("finallyOn, at once", { b, c in b.fulfilled().finallyOn(.immediate) { use(c) } }),
      ("thenOn, any", { b, c in b.fulfilled().thenOn(b.context) { (_: Any) in use(c) } }),
      ("thenOn, typed", { b, c in b.fulfilled().thenOn(b.context) { (_: Int) in use(c) } }),
      ("thenOn, ignored", { b, c in b.fulfilled().thenOn(b.context) { use(c) } }),
      ("thenOn, at once", { b, c in b.fulfilled().thenOn(.immediate) { _ in use(c) } }),
      ("catchOn", { b, c in b.rejected().catchOn(b.context) { (_: any Error) in use(c) } }),
      ("catchOn, typed", { b, c in b.rejected().catchOn(b.context) { (_: Failure) in use(c) } }),
      ("catchOn, ignoring", { b, c in b.rejected().catchOn(.immediate) { use(c) } }),
      ("thenOn, two", { b, c in b.fulfilled().thenOn(b.context, { _ in use(c) }, { _ in use(c) }) }),
    ])
  }

  // Spec: L3.5, C9.3
  func testHandlersThatDidNotRunAreFreed() {
    check([
      ("passed by a reason", { b, c in b.rejected().then { (_: Any) in use(c) } }),
      ("typed, passed by", { b, c in b.rejected().then { (_: Int) in use(c) } }),
      ("ignoring, passed by", { b, c in b.rejected().then { use(c) } }),
      ("catch, passed by", { b, c in b.fulfilled().catch { (_: any Error) in use(c) } }),
      ("typed catch, passed by", { b, c in b.fulfilled().catch { (_: Failure) in use(c) } }),
      ("ignoring catch, passed by", { b, c in b.fulfilled().catch { use(c) } }),
      ("catch, passed by later", { b, c in b.open().catch { _ in use(c) } }),
      ("below a promise that is passed by", { b, c in b.open().catch { _ in }.catch { _ in use(c) } }),
      ("a value of another type", { b, c in b.fulfilled().then { (_: String) in use(c) } }),
      ("an error of another type", { b, c in b.rejected().catch { (_: Holding) in use(c) } }),
      ("cancelled", { b, c in b.open().then { _ in use(c) }.cancelled() }),
      ("typed, cancelled", { b, c in b.open().then { (_: Int) in use(c) }.cancelled() }),
      ("ignoring, cancelled", { b, c in b.open().then { use(c) }.cancelled() }),
      ("catch, cancelled", { b, c in b.open().catch { _ in use(c) }.cancelled() }),
      ("two handlers, cancelled", { b, c in b.open().then({ _ in use(c) }, { _ in use(c) }).cancelled() }),
      ("finally, cancelled", { b, c in b.open().finally { use(c) }.cancelled() }),
      ("finally, throws, cancelled", { b, c in b.open().finally { try fail(c) as Int }.cancelled() }),
      ("finally with a result, cancelled", { b, c in b.open().finally { c }.cancelled() }),
      ("finally, scheduled, cancelled", { b, c in b.fulfilled().finally { use(c) }.cancelled() }),
      ("two, scheduled, cancelled", { b, c in b.fulfilled().then(b.handler(c), b.rejecter(c)).cancelled() }),
      ("scheduled, cancelled", { b, c in b.fulfilled().then { _ in use(c) }.cancelled() }),
      ("catch, scheduled, cancelled", { b, c in b.rejected().catch { _ in use(c) }.cancelled() }),
      ("below a cancelled parent", { b, c in b.open().cancelled().then { _ in use(c) } }),
      ("settled by hand", { b, c in b.open().then { _ in use(c) }.fulfilled() }),
      ("catch, settled by hand", { b, c in b.open().catch { _ in use(c) }.fulfilled() }),
      ("two, settled by hand", { b, c in b.open().then(b.handler(c), b.rejecter(c)).fulfilled() }),
      ("finally, settled by hand", { b, c in b.open().finally { use(c) }.fulfilled() }),
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
      ("typed, pending", { b, c in b.fulfilled().then { [o = b.open()] (_: Int) in use(c, o) } }),
      ("ignoring, pending", { b, c in b.fulfilled().then { [o = b.open()] in use(c, o) } }),
      ("promise as Any", { b, c in b.fulfilled().then { [o = b.open()] _ in use(c, o as Any) } }),
      ("optional promise", { b, c in b.fulfilled().then { [o = b.open()] _ in use(c, Optional(o)) } }),
      ("cancelled promise", { b, c in b.fulfilled().then { [o = b.open().cancelled()] _ in use(c, o) } }),
      ("thenable", { b, c in b.fulfilled().then { _ in StructThenable { r, _ in r(use(c, 1)) } } }),
      ("catch, pending", { b, c in b.rejected().catch { [o = b.open()] _ in use(c, o) } }),
      ("finally, pending", { b, c in b.fulfilled().finally { [o = b.open()] in use(c, o) } }),
      ("finally, result", { b, c in b.fulfilled().finally { c } }),
      ("finally, result as Any", { b, c in b.rejected().finally { c as Any } }),
      ("finally, throws", { b, c in b.rejected().finally { try fail(c) as Int } }),
      ("finally, returns an error", { b, c in b.rejected().finally { use(c, Failure()) } }),
      ("two, pending", { b, c in b.rejected().then({ $0 }, { [o = b.open()] _ in use(c, o) }) }),
      ("two, throws", { b, c in b.fulfilled().then({ _ -> Int in try fail(c) }, { _ in use(c) }) }),
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
      ("reason after a reason", { b, c in b.rejected().refused(with: Holding(c)) }),
      ("error", { b, c in b.rejected().decided(with: Holding(c)) }),
      ("promise", { b, c in b.fulfilled().decided(with: Promise.resolved(c)) }),
      ("value after adoption", { b, c in b.open().decided(with: b.open()).fulfilled(with: c) }),
      ("reason after adoption", { b, c in b.open().decided(with: b.open()).refused(with: Holding(c)) }),
      ("value after cancellation", { b, c in b.open().cancelled().fulfilled(with: c) }),
      ("reason of a second cancellation", { b, c in b.open().cancelled().cancelled(with: Holding(c)) }),
      ("result after cancellation", { b, c in b.cancelledInside(c) }),
    ])
  }

  // Spec: L3.9
  func testOutcomesAreFreedWithTheirPromises() {
    check(
      [
        ("value", { b, c in b.open().fulfilled(with: c) }),
        ("value, resolved", { b, c in b.open().decided(with: c) }),
        ("reason", { b, c in b.open().refused(with: Holding(c)) }),
        ("cancellation", { b, c in b.open().cancelled(with: Holding(c)) }),
        ("result", { b, c in b.fulfilled().then { (_: Any) in c } }),
        ("result as Any", { b, c in b.fulfilled().then { (_: Int) -> Any in c } }),
        ("result, ignoring", { b, c in b.fulfilled().then { [c] in c } }),
        ("optional result", { b, c in b.fulfilled().then { (_: Any) -> Canary? in c } }),
        ("large result", { b, c in b.fulfilled().then { (_: Any) in (c, 1, 2, 3, c) } }),
        ("result passed on", { b, c in b.fulfilled().then { _ in c }.then { (v: Canary) in v }.then { $0 } }),
        ("thrown", { b, c in b.fulfilled().then { (_: Any) -> Int in throw Holding(c) } }),
        ("thrown, typed", { b, c in b.fulfilled().then { (_: Int) -> Int in throw Holding(c) } }),
        ("thrown, ignoring", { b, c in b.fulfilled().then { () -> Int in throw Holding(c) } }),
        ("returned error", { b, c in b.fulfilled().then { (_: Any) in Holding(c) } }),
        ("thrown by catch", { b, c in b.rejected().catch { (_: any Error) -> Int in throw Holding(c) } }),
        ("passed on", { b, c in b.open().refused(with: Holding(c)).then { _ in }.finally {} }),
        ("caught", { b, c in b.open().refused(with: Holding(c)).catch { _ in } }),
        ("of another type", { b, c in b.open().refused(with: Holding(c)).catch { (_: Failure) in } }),
        ("result of catch", { b, c in b.rejected().catch { (_: any Error) in c } }),
        ("result of typed catch", { b, c in b.rejected().catch { (_: Failure) in c } }),
        ("result of two", { b, c in b.rejected().then({ $0 }, { _ in c }) }),
        ("thrown by two", { b, c in b.fulfilled().then({ _ -> Int in throw Holding(c) }, { _ in 0 }) }),
        ("through finally", { b, c in b.open().fulfilled(with: c).finally {} }),
        ("through finally, a result", { b, c in b.open().fulfilled(with: c).finally { c } }),
        (
          "through finally, a promise",
          { b, c in b.open().fulfilled(with: c).finally { [o = b.fulfilled()] in o } }
        ),
        ("lost in finally", { b, c in b.open().fulfilled(with: c).finally { throw Failure() } }),
        ("reason lost in finally", { b, c in b.open().refused(with: Holding(c)).finally { Failure() } }),
        ("thrown by finally", { b, c in b.fulfilled().finally { throw Holding(c) } }),
        ("cancelled above, catch", { b, c in b.open().cancelled(with: Holding(c)).catch { _ in 0 } }),
        ("cancelled above, finally", { b, c in b.open().cancelled(with: Holding(c)).finally { 0 } }),
        ("cancelled above, thrown", { b, c in b.open().cancelled().finally { throw Holding(c) } }),
        ("adopted value", { b, c in b.fulfilled().then { [o = b.open().fulfilled(with: c)] _ in o } }),
        (
          "adopted reason", { b, c in b.fulfilled().then { [o = b.open().refused(with: Holding(c))] _ in o } }
        ),
        ("value adopted later", { b, c in b.fulfilled().then { [o = b.open().then { _ in c }] _ in o } }),
      ], whilePromisesStay: false)
  }
}
