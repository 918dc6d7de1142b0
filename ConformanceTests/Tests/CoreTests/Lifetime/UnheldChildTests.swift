// Handlers of unretained promises on `.immediate`, which only the parent's list references. The tests check
// order, cancellation, lost rejections and releases.

import DynamicPromise
import XCTest

final class UnheldChildTests: LossTestCase {
  // Spec: A4.1
  func testDiscardedAndHeldHandlersRunInOrder() {
    let root = Promise(on: .immediate)
    let log = Log<String>()
    root.then { _ in log.append("1") }
    let held = root.then { _ in log.append("2") }
    root.then({ _ in log.append("3") }, { _ in log.append("never") })
    root.catch { _ in log.append("never") }
    root.then { _ in log.append("4") }.then { _ in log.append("below 4") }
    root.finally { log.append("5") }
    root.then { _ in
      log.append("6")
      root.then { _ in log.append("8") }
    }
    root.then { _ in log.append("7") }
    root.fulfill(1)
    XCTAssertEqual(log.all, ["1", "2", "3", "4", "5", "6", "7", "8", "below 4"])
    XCTAssertTrue(held.isFulfilled)
  }

  // Spec: C3.2, C9.1
  func testAHandlerThatCancelsItsPromiseWithdrawsThoseBehindIt() {
    let root = Promise(on: .immediate)
    let log = Log<String>()
    let inner = Promise(on: .immediate)
    inner.catch { _ in log.append("inner cancelled") }
    root.then { _ -> Promise in
      root.cancel()
      log.append("1")
      return inner
    }
    root.then { _ in log.append("never") }
    root.fulfill(1)
    XCTAssertEqual(log.all, ["1", "inner cancelled"])
    XCTAssertTrue(root.isFulfilled && inner.isCancelled)
  }

  // Spec: C4.1, C3.2, L1.1
  func testWhatADiscardedHandlerReturnedIsFoundFromAbove() {
    let root = Promise(on: .immediate)
    let inner = Promise(on: .immediate)
    let log = Log<String>()
    root.then { _ in inner }
    root.then { _ in log.append("next") }
    root.fulfill(1)
    XCTAssertEqual(log.all, ["next"])
    XCTAssertTrue(inner.isPending)
    root.cancel()
    XCTAssertTrue(inner.isCancelled)
  }

  // Spec: L5.4
  func testWhatDiscardedHandlersThrowOrReturnIsLostOnce() {
    expect(2, "thrown, returned") { failure, _ in
      let root = Promise(on: .immediate)
      root.then { _ in throw failure }
      root.then { _ -> Any in failure }
      root.then { _ -> Any? in nil }
      root.then { _ -> Any in [1] }
      root.fulfill(1)
    }
  }

  // Spec: C3.5, L5.5
  func testAnErrorThrownAfterACancellationIsNoLoss() {
    expect(0, "cancelled before it threw") { failure, _ in
      let root = Promise(on: .immediate)
      root.then { _ in
        root.cancel()
        throw failure
      }
      root.fulfill(1)
    }
  }

  // Spec: L3.5, L3.9
  func testCapturesAndResultsAreFreedBeforeTheNextHandlerRuns() {
    let aviary = LiveCount()
    let log = Log<Int>()
    let root = Promise(on: .immediate)
    for _ in 0..<3 {
      let captured = aviary.make()
      root.then { _ -> Any in
        log.append(aviary.count)
        use(captured)
        return [aviary.make()]
      }
    }
    root.fulfill(1)
    XCTAssertEqual(log.all, [3, 2, 1])
    XCTAssertEqual(aviary.count, 0)
  }

  // Spec: L3.9
  func testTheLastReferenceMayGoWhileTheHandlersRun() {
    let aviary = LiveCount()
    let log = Log<Int>()
    let box = Held([Promise(on: .immediate)])
    for number in 1...3 {
      box.promises[0].then { _ in
        box.promises = []
        log.append(number)
      }
    }
    box.promises[0].fulfill([aviary.make()])
    XCTAssertEqual(log.all, [1, 2, 3])
    XCTAssertEqual(aviary.count, 0, "the value is freed with the promise")
  }

  // Spec: A4.1
  func testOtherContextsTakeTheirTurnInBetween() {
    let context = SteppedContext()
    let root = Promise(on: .immediate)
    let log = Log<String>()
    root.then { _ in log.append("1") }
    root.thenOn(context) { _ in log.append("scheduled") }
    root.then { _ in log.append("2") }
    root.fulfill(1)
    XCTAssertEqual(log.all, ["1", "2"])
    context.drain()
    XCTAssertEqual(log.all, ["1", "2", "scheduled"])
  }
}
