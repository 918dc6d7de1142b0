// Handlers that run inside the `then` that adds them, on `.immediate` and below a fulfilled promise. The
// tests check order, cancellation, parents and releases.

import DynamicPromise
import XCTest

final class StepInPlaceTests: XCTestCase {
  // Spec: C3.2, C3.5
  func testARootThatAHandlerCancelsReachesTheStepWhoseHandlerThatIs() throws {
    let root = Promise.resolved(1, on: .immediate)
    let failure = Failure()
    let step = root.then { value -> Int in
      root.cancel(failure)
      return value as! Int
    }
    XCTAssertTrue(step.isCancelled)
    XCTAssertTrue(try step.reason() as? Failure === failure)
    XCTAssertTrue(root.isFulfilled)
  }

  // Spec: A4.1
  func testWhatAHandlerAddsToItsOwnParentRunsAfterIt() {
    let root = Promise.resolved(1, on: .immediate)
    let log = Log<String>()
    root.then { _ in
      log.append("first begins")
      root.then { _ in log.append("second") }
      root.catch { _ in log.append("never") }
      root.then { _ in log.append("third") }
      log.append("first ends")
    }
    root.then { _ in log.append("fourth") }
    XCTAssertEqual(log.all, ["first begins", "first ends", "second", "third", "fourth"])
  }

  // Spec: 2.2.7.1, A4.1
  func testOneOfTwoHandlersRunsAsOneAloneWould() throws {
    let root = Promise.resolved(1, on: .immediate)
    let log = Log<String>()
    let failure = Failure()
    let step = root.then(
      { value -> Int in
        log.append("first begins")
        root.then({ _ in log.append("second") }, { _ in log.append("never") })
        log.append("first ends")
        return value as! Int + 1
      }, { _ -> Int in 0 })
    XCTAssertEqual(log.all, ["first begins", "first ends", "second"])
    XCTAssertEqual(try step.value(), 2)
    let thrown = root.then({ _ -> Int in throw failure }, { _ -> Int in 0 })
    XCTAssertTrue(try thrown.reason() as? Failure === failure)
  }

  // Spec: L3.6, L3.9, C3.2
  func testAStepThatIsPendingAfterTheCallHoldsItsParent() {
    assertAllFreed { census in
      let gate = Promise()
      var parent: Promise? = census.add(Promise(on: .immediate))
      parent!.fulfill(1)
      let step = census.add(parent!.then { _ in gate })
      XCTAssertTrue(step.isPending)
      XCTAssertTrue(step.parent === parent)
      parent = nil
      XCTAssertEqual(census.alive, 2)
      XCTAssertNotNil(step.parent)
      step.parent?.cancel()
      XCTAssertTrue(step.isCancelled && gate.isCancelled)
    }
  }

  // Spec: L3.6, L3.9
  func testAStepThatItsOwnHandlerResolvesWithAPendingPromiseHoldsItsParent() {
    for outcome in ["returns", "throws", "returns the same"] {
      assertAllFreed(outcome) { census in
        let (gate, own) = (Promise(), Held([]))
        var parent: Promise? = census.add(Promise(on: .immediate))
        let step = census.add(
          parent!.then { _ -> Any in
            own.promises[0].resolve(gate)
            if outcome == "throws" { throw Failure() }
            return outcome == "returns" ? 1 : gate
          })
        own.promises = [step]
        parent!.fulfill(1)
        XCTAssertTrue(step.isPending)
        parent = nil
        XCTAssertEqual(census.alive, 2, outcome)
        XCTAssertNotNil(step.parent, outcome)
        step.parent?.cancel()
        XCTAssertTrue(step.isCancelled && gate.isCancelled, outcome)
      }
    }
  }

  // Spec: L3.6
  func testAStepThatIsResolvedWhileItsTurnComesNeedNotHoldItsParent() {
    let (gate, follower) = (Promise(), Promise())
    let step = Held([])
    let log = Log<String>()
    // A promise that follows another and has followers retains no parent.
    assertAllFreed { census in
      let root = Promise(on: .immediate)
      let parent = census.add(root.then { _ in log.append("parent") })
      root.then { _ in
        step.promises[0].resolve(gate)
        follower.bind(step.promises[0])
      }
      step.promises = [parent.then { _ in log.append("displaced") }]
      root.fulfill(1)
    }
    XCTAssertEqual(log.all, ["parent", "displaced"])
    gate.fulfill(2)
    XCTAssertTrue(follower.isFulfilled && step.promises[0].isFulfilled)
  }

  // Spec: L3.6, L3.8, C3.3
  func testOfAChainBuiltStepByStepNothingIsLeftButItsEnds() {
    let census = Census()
    let root = Promise.resolved(0, on: .immediate)
    var last = root
    for _ in 0..<100 { last = census.add(last.then { $0 as! Int + 1 }) }
    XCTAssertEqual(try last.get() as? Int, 100)
    XCTAssertEqual(census.alive, 1)
    XCTAssertTrue(last.parent === root)
    let open = last.then { _ in Promise() }
    root.cancel()
    XCTAssertTrue(open.isCancelled)
  }

  // Spec: L3.6, L3.9
  func testAnyOrderInWhichSettledStepsGoLeavesTheWayUp() {
    // Tries every order of releasing three middle promises of a chain. A pending child is added at the end of
    // the chain, before, between or after the releases.
    for order in [[1, 2, 3], [1, 3, 2], [2, 1, 3], [2, 3, 1], [3, 1, 2], [3, 2, 1]] {
      for startsAt in 0...3 {
        assertAllFreed("\(order), \(startsAt)") { census in
          let root = census.add(Promise(on: .immediate))
          root.fulfill(0)
          var steps: [Promise?] = [root]
          for _ in 0..<3 { steps.append(census.add(steps.last!!.then { $0 })) }
          let end = census.add(steps[3]!.then { $0 })
          var open: Promise?
          for (turn, gone) in order.enumerated() {
            if turn == startsAt { open = census.add(end.then { _ in Promise() }) }
            steps[gone] = nil
          }
          open = open ?? census.add(end.then { _ in Promise() })
          XCTAssertTrue(end.parent === root, "\(order)")
          XCTAssertTrue(open!.parent === end)
          root.cancel()
          XCTAssertTrue(open!.isCancelled, "\(order), \(startsAt)")
        }
      }
    }
  }

  // Spec: L3.9
  func testAHandlersCapturesAndValuesGoWithTheStep() {
    let aviary = LiveCount()
    func run() {
      let root = Promise.resolved(aviary.make(), on: .immediate)
      let (first, second) = (aviary.make(), aviary.make())
      var last = root.then { value in withExtendedLifetime(first) { value } }
      last = last.then { (_: Canary) in withExtendedLifetime(second) { [second] } }
      last = last.then { withExtendedLifetime(first) {} }
      last = last.then { _ in throw Failure() }
      last.catch { _ in }
      last.then { _ in withExtendedLifetime(first) {} }
    }
    run()
    XCTAssertEqual(aviary.count, 0)
  }

  // Spec: 2.2.7
  func testAStepMayThrowRejectOrFollow() throws {
    let root = Promise.resolved(1, on: .immediate)
    let failure = Failure()
    XCTAssertTrue(try root.then { _ in throw failure }.reason() as? Failure === failure)
    XCTAssertTrue(try root.then { _ -> Any in failure }.reason() as? Failure === failure)
    XCTAssertTrue(try root.then { _ in Promise.rejected(failure) }.reason() as? Failure === failure)
    XCTAssertEqual(try root.then { _ in Promise.resolved(2) }.get() as? Int, 2)
    XCTAssertEqual(try root.then { _ -> Any in Promise.resolved(2) }.get() as? Int, 2)
  }
}
