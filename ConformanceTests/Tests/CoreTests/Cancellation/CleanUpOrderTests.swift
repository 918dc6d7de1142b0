// Clean-up of a followed promise is scheduled before clean-up of its follower (C4.25).

import DynamicPromise
import XCTest

final class CleanUpOrderTests: XCTestCase {
  private let context = SteppedContext()

  /// Asserts the order of the clean-up for three pairs of outer and inner contexts.
  private func assertOrder(
    _ expected: [String], _ name: String = "", file: StaticString = #filePath, line: UInt = #line,
    _ program: (_ outer: any ExecutionContext, _ inner: any ExecutionContext, Log<String>) -> Void
  ) {
    let places: [(any ExecutionContext, any ExecutionContext)] = [
      (.immediate, .immediate), (context, context), (context, .immediate),
    ]
    for (outer, inner) in places {
      let log = Log<String>()
      program(outer, inner, log)
      context.drain()
      XCTAssertEqual(log.all, expected, "\(name) on \(outer), \(inner)", file: file, line: line)
    }
  }

  // Spec: C4.25
  func testAFollower() {
    for isBoundByHand in [false, true] {
      assertOrder(["inner", "outer"], "by hand: \(isBoundByHand)") { outerContext, innerContext, log in
        let inner = Promise(on: innerContext).then { $0 }.finally { log.append("inner") }
        let root = Promise.resolved(1, on: outerContext)
        let outer = isBoundByHand ? inner.follower(on: outerContext) : root.then { _ in inner }
        // The cancel passes through a step without a rejection handler.
        let end = outer.then { $0 }.finally { log.append("outer") }
        context.drain()
        XCTAssertTrue(end.withdraw())
      }
    }
  }

  // Spec: C4.25
  func testThroughSeveralFunctions() {
    assertOrder(["1", "2", "3", "4"]) { outerContext, innerContext, log in
      let root = Promise.resolved(0, on: outerContext)
      let first = Promise(on: innerContext).then { $0 }.finally { log.append("1") }
      let second = root.then { _ in first }.finally { log.append("2") }
      let third = root.then { _ in second }.then { $0 }.finally { log.append("3") }
      let fourth = root.then { _ in third }.catch { _ in log.append("4") }
      context.drain()
      fourth.parent?.cancel()
    }
  }

  /// In half of the runs, the second inner chain is long.
  // Spec: C4.25
  func testSeveralBesideEachOther() {
    for length in [0, 300] {
      assertOrder(["in 1", "in 2", "out 1", "out 2"], "\(length)") { outerContext, innerContext, log in
        let root = Promise.resolved(0, on: outerContext)
        for number in 1...2 {
          let start = Promise(on: innerContext)
          var inner = (length == 0 ? start.then { $0 } : start).finally { log.append("in \(number)") }
          for _ in 0..<length where number == 2 { inner = inner.then { $0 } }
          root.then { [inner] _ in inner }.finally { log.append("out \(number)") }
        }
        context.drain()
        root.cancel()
      }
    }
  }

  // Spec: C4.25
  func testFollowersOfTheCancelledPromise() {
    assertOrder(["1", "2", "3", "4"]) { outerContext, innerContext, log in
      let first = Promise(on: innerContext).then { $0 }.finally { log.append("1") }
      let root = Promise.resolved(0, on: innerContext)
      let second = root.then { _ in first }
      let (third, fourth) = (Promise(on: outerContext), Promise(on: outerContext))
      fourth.bind(third)
      third.bind(second)
      fourth.finally { log.append("4") }
      third.finally { log.append("3") }
      second.finally { log.append("2") }
      context.drain()
      second.cancel()
    }
  }

  /// Cancelling the root cancels both the follower and the followed promise.
  // Spec: C4.25
  func testBothInOneTree() {
    for isMadeBefore in [false, true] {
      for passesOn in [0, 1, 100] {
        assertOrder(["in", "out"], "\(isMadeBefore), \(passesOn)") { outerContext, innerContext, log in
          let root = Promise.resolved(0, on: outerContext)
          @Sendable func makeInner() -> Promise {
            var inner = root.thenOn(innerContext) { _ in Promise() }
            for _ in 0..<passesOn { inner = inner.thenOn(innerContext) { $0 } }
            return inner.finallyOn(innerContext) { log.append("in") }
          }
          let made = isMadeBefore ? makeInner() : nil
          root.then { _ in made ?? makeInner() }.finally { log.append("out") }
          self.context.drain()
          root.cancel()
        }
      }
    }
  }

  // Spec: C4.25
  func testANestInOneTree() {
    assertOrder(["1", "2", "3", "4"]) { outerContext, innerContext, log in
      let root = Promise.resolved(0, on: outerContext)
      @Sendable func step(_ number: Int) -> Promise {
        root.thenOn(number == 1 ? innerContext : outerContext) { _ in
          number == 1 ? Promise() : step(number - 1)
        }
        .finally { log.append("\(number)") }
      }
      _ = step(4)
      self.context.drain()
      root.cancel()
    }
  }

  /// Each step's handler returns a promise of another tree. That promise follows the next step, which is in
  /// the root's tree.
  // Spec: C4.25
  func testANestThatLeavesTheTreeAndComesBack() {
    assertOrder(["1", "around 1", "2", "around 2", "3"]) { outerContext, innerContext, log in
      let root = Promise.resolved(0, on: outerContext)
      @Sendable func step(_ number: Int) -> Promise {
        root.thenOn(innerContext) { _ in
          guard number > 1 else { return Promise() }
          return step(number - 1).follower(on: innerContext).then { $0 }
            .finally { log.append("around \(number - 1)") }
        }
        .finallyOn(innerContext) { log.append("\(number)") }
      }
      _ = step(3)
      self.context.drain()
      root.cancel()
    }
  }

  /// Two promises follow `end`, whose parent `middle` follows another promise.
  // Spec: C4.25
  func testSeveralFollowersInOneTree() {
    assertOrder(["in", "middle", "out 1", "out 2"]) { outerContext, innerContext, log in
      let root = Promise.resolved(0, on: outerContext)
      let middle = root.then { _ in
        root.thenOn(innerContext) { _ in Promise() }.finally { log.append("in") }
      }
      let end = middle.finally { log.append("middle") }
      for number in 1...2 { root.then { _ in end }.finally { log.append("out \(number)") } }
      self.context.drain()
      root.cancel()
    }
  }

  /// The clean-up of `inner` precedes the clean-up of `below`, because the parent of `below` follows
  /// `inner`. The order of the root's children makes no difference.
  // Spec: C4.25
  func testAFollowerBelowAFollower() {
    assertOrder(["in", "below", "top"]) { outerContext, innerContext, log in
      let (inner, root) = (Promise(on: innerContext), Promise(on: outerContext))
      let made = Log<Promise>()
      inner.bind(Promise())
      root.then { _ in made.all[0] }.finally { log.append("top") }
      let outer = root.then { _ in inner }
      let below = outer.then { $0 }
      below.bind(Promise())
      below.finallyOn(innerContext) { log.append("below") }
      inner.finally { log.append("in") }
      made.append(below)
      root.fulfill(0)
      self.context.drain()
      root.cancel()
    }
  }

  /// Either clean-up may be scheduled first, because two promises follow each other's children.
  // Spec: C4.25
  func testARingOfFollowersInOneTree() {
    let (log, below) = (Log<Int>(), Log<Promise>())
    let root = Promise(on: .immediate)
    let ring = (0..<2).map { number in root.then { _ in below.all[1 - number] } }
    for (number, promise) in ring.enumerated() {
      below.append(promise.then { $0 })
      promise.finally { log.append(number) }
    }
    root.fulfill(0)
    XCTAssertTrue(ring.allSatisfy(\.isPending))
    root.cancel()
    XCTAssertTrue(ring.allSatisfy(\.isCancelled))
    XCTAssertEqual(log.all.sorted(), [0, 1])
  }

  /// The cancel starts at the inner promise, and the outer promise settles as a result.
  // Spec: C4.25
  func testAllHandlersOfWhatIsCancelledComeFirst() {
    assertOrder(["in 1", "in 2", "middle", "out 1", "out 2"]) { outerContext, innerContext, log in
      let (inner, root) = (Promise(on: innerContext), Promise.resolved(0, on: outerContext))
      let middle = root.finally { inner }
      self.context.drain()
      let outer = middle.then { $0 }.follower(on: outerContext)
      for number in 1...2 {
        outer.finally { log.append("out \(number)") }
        inner.catch { _ in log.append("in \(number)") }
      }
      middle.catch { _ in log.append("middle") }
      inner.cancel()
    }
  }

  /// A handler below the follower is scheduled after all handlers of the inner promise.
  // Spec: C4.25
  func testAFollowerOfOneOfSeveralChildren() {
    assertOrder(["in 1", "in 2", "out"]) { outerContext, innerContext, log in
      let inner = Promise(on: innerContext)
      let outer = inner.then { $0 }.follower(on: outerContext)
      for number in 1...2 { inner.finally { log.append("in \(number)") } }
      outer.then { $0 }.catch { _ in log.append("out") }
      inner.cancel()
    }
  }

  /// The input `inner` decides the combinator. The combinator withdraws from the input `outer`, which follows
  /// `inner`.
  // Spec: C4.25
  func testADecidedCombinatorChangesNoOrder() {
    assertOrder(["in", "out"]) { outerContext, innerContext, log in
      let root = Promise.resolved(0, on: outerContext)
      let inner = root.thenOn(innerContext) { _ in Promise(on: innerContext) }
      let outer = root.then { _ in inner }
      self.context.drain()
      let all = Promise.all([inner, outer], cancellingInputs: true)
      inner.finallyOn(innerContext) { log.append("in") }
      outer.finally { log.append("out") }
      root.cancel()
      XCTAssertTrue(all.isRejected)
    }
  }

  /// Clean-up that is scheduled before `outer` withdraws from `inner` runs before the clean-up of `inner`.
  /// Such clean-up is below the last consumer of `outer`, or in a branch beside that consumer.
  // Spec: C4.25
  func testCleanUpThatHasBegunBefore() {
    for isLastConsumer in [true, false] {
      let (inner, outer) = (Promise(on: context), Promise(on: context))
      let (root, log) = (Promise.resolved(0, on: context), Log<String>())
      inner.catch { _ in log.append("in") }
      outer.bind(inner)
      if isLastConsumer {
        outer.cancelsWhenUnwanted()
        let child = outer.then { $0 }
        child.catch { _ in log.append("out") }
        child.cancel()
      } else {
        let branches = [outer.catch { _ in log.append("out") }, outer.then { $0 }]
        for branch in branches { root.then { _ in branch } }
        context.drain()
        root.cancel()
      }
      XCTAssertTrue(inner.isCancelled && outer.isCancelled)
      context.drain()
      XCTAssertEqual(log.all, ["out", "in"], "\(isLastConsumer)")
    }
  }

  // Spec: C4.25
  func testADecidedResultSchedulesItsHandlersFirst() {
    let log = Log<String>()
    let (winner, loser) = (Promise(on: context), Promise(on: context))
    let race = Promise.race([winner, loser], cancellingInputs: true)
    loser.catch { _ in log.append("loser") }
    race.then { log.append("race") }
    winner.then { log.append("winner") }
    winner.fulfill(1)
    context.drain()
    XCTAssertEqual(log.all, ["winner", "race", "loser"])
  }

  // Spec: C4.25, X6.5
  func testCallsInInnerCleanUp() {
    for outerContext in [context, AtOnce()] as [any ExecutionContext] {
      let log = Log<String>()
      let (inner, outer) = (Promise(on: AtOnce()), Promise(on: outerContext))
      let other = Promise(on: .immediate)
      outer.bind(inner)
      inner.catch { _ in
        log.append("in 1")
        other.fulfill(1)
      }
      inner.catch { _ in log.append("in 2") }
      outer.finally { log.append("out") }
      outer.cancel()
      context.drain()
      XCTAssertEqual(log.all, ["in 1", "in 2", "out"])
    }
  }

  /// The handler "B" is withdrawn after its parent has settled, and before the parent's handlers are
  /// scheduled.
  // Spec: C4.25, 2.2.6
  func testAWithdrawnHandlerKeepsItsPlaceBelowASettledPromise() {
    for queue in [context, .immediate] as [any ExecutionContext] {
      let log = Log<String>()
      let first = Promise(on: queue)
      first.catch { _ in log.append("first") }
      let promise = Promise.allSettled([first], on: queue)
      promise.then { log.append("A") }
      let branch = promise.then({ log.append("value") }, { _ in log.append("B") })
      promise.then { log.append("C") }
      let race = Promise.race([promise, branch], cancellingInputs: true)
      withExtendedLifetime(race) { _ = first.cancel() }
      context.drain()
      XCTAssertEqual(log.all, ["first", "A", "B", "C"])
    }
  }

  // Spec: A4.7
  func testInnerCleanUpMayWaitForOuterCleanUp() {
    let queue = DispatchQueue(label: "outer")
    for innerContext in [.immediate, AtOnce()] as [any ExecutionContext] {
      let (inner, outer) = (Promise(on: innerContext), Promise(on: queue))
      let (isDone, ran) = (Event(), Counter())
      outer.bind(inner)
      inner.catch { _ in
        isDone.wait("the outer clean-up")
        ran.increment()
      }
      outer.finally { isDone.signal() }
      outer.cancel()
      XCTAssertEqual(ran.value, 1)
    }
  }

  // Spec: C4.25, C8.3
  func testADeepNest() {
    let log = Log<Int>()
    var end = Promise(on: .immediate)
    let numbers = Array(0..<depthBeyondTheStack / 5)
    for number in numbers {
      end = end.follower().finally { log.append(number) }
    }
    onSmallStack { [end] in XCTAssertTrue(end.withdraw()) }
    XCTAssertTrue(log.all == numbers)
  }

  // Spec: C4.25
  func testInputsOfACombinator() {
    assertOrder(["inner", "outer"]) { outerContext, innerContext, log in
      let inner = Promise(on: innerContext).then { $0 }.finally { log.append("inner") }
      let all = Promise.all([inner], on: outerContext, cancellingInputs: true)
      all.finally { log.append("outer") }
      all.cancel()
    }
  }

  // Spec: C4.25
  func testSeveralHandlersOfEach() {
    assertOrder(["in 1", "in 2", "out 1", "out 2"]) { outerContext, innerContext, log in
      let inner = Promise(on: innerContext)
      let outer = inner.follower(on: outerContext)
      for number in 1...2 {
        outer.finally { log.append("out \(number)") }
        inner.catch { _ in log.append("in \(number)") }
      }
      outer.cancel()
    }
  }

  // Spec: C4.25
  func testWhatSettlesWithTheCancelledPromise() {
    assertOrder(["inner", "outer", "all", "finally"]) { outerContext, innerContext, log in
      let inner = Promise(on: innerContext)
      let outer = inner.follower(on: outerContext)
      let finally = Promise.resolved(1, on: outerContext).finally { outer }
      context.drain()
      let all = Promise.all([outer], on: outerContext)
      finally.catch { _ in log.append("finally") }
      all.catch { _ in log.append("all") }
      outer.finally { log.append("outer") }
      inner.finally { log.append("inner") }
      outer.cancel()
    }
  }

  // Spec: C4.25, C4.17
  func testTheReasonBelowAWithdrawnFollower() {
    let (first, second) = (Failure(), Failure())
    let (root, inner) = (Promise.resolved(0, on: context), Promise(on: context))
    let outer = root.then { _ in inner }
    let child = outer.then { $0 }
    let log = Log<Failure>()
    let withHandler = outer.catch { (error: Failure) in log.append(error) }
    let follower = root.then { _ in child }
    context.drain()
    child.withdraw(first)
    withHandler.withdraw(first)
    root.cancel(second)
    context.drain()
    XCTAssertTrue(try child.reason() as? Failure === second)
    XCTAssertEqual(log.all, [first])
    XCTAssertTrue(follower.isCancelled)
  }

  // Spec: C4.25, 2.2.6
  func testAnotherThreadRegistersHandlersMeanwhile() {
    let log = Log<String>()
    let outer = Promise(on: context)
    let inner = Promise(
      on: Observing(context: context) {
        let isDone = Event()
        Thread.detachNewThread {
          outer.finally { log.append("outer, late") }
          isDone.signal()
        }
        isDone.wait()
      })
    outer.bind(inner)
    outer.finally { log.append("outer") }
    inner.finally { log.append("inner") }
    outer.cancel()
    XCTAssertEqual(context.pendingJobs, 3)
    context.drain()
    XCTAssertEqual(log.all, ["inner", "outer", "outer, late"])
  }

  // Spec: C4.25, C3.2
  func testWhatIsBelowTheFollowerIsCancelledBeforeTheCallReturns() {
    let (inner, root) = (Promise(on: context), Promise.resolved(1, on: context))
    let outer = root.then { _ in inner }
    context.drain()
    let (step, byHand) = (outer.then { $0 }, outer.then { $0 })
    byHand.fulfill(2)
    let below = byHand.then { $0 }
    XCTAssertTrue(outer.cancel())
    assertCancelled([inner, outer, step, below])
    XCTAssertTrue(byHand.isFulfilled)
  }
}
