// Nothing is locked while foreign code runs (X4): handlers, contexts, deinits, hooks and thenables use the
// very promises that are being worked on. What would deadlock runs on a thread of its own and is awaited
// with a deadline.

import Dispatch
import DynamicPromise
import XCTest

final class ReentrancyTests: XCTestCase {
  // Spec: X4.1
  func testHandlerMayUseItsParentAndItsChild() {
    inTime {
      for action in Poke.allCases {
        for isRejected in [false, true] {
          let context = SteppedContext()
          let (parent, resolver) = Promise.pending(on: context)
          let family = Family()
          family.parent = parent
          let ran = Counter()
          let before = parent.then({ _ in ran.increment() }, { _ in ran.increment() })
          family.child = parent.then(
            { _ -> Any in
              action.apply(to: family)
              return "value"
            },
            { _ -> Any in
              action.apply(to: family)
              return "recovered"
            })
          let after = parent.then({ _ in ran.increment() }, { _ in ran.increment() })
          let below = family.child!.then({ _ in ran.increment() }, { _ in ran.increment() })
          if isRejected { resolver.reject(Failure()) } else { resolver.fulfill(0) }
          context.drain()
          for promise in [parent, before, family.child!, after, below] {
            XCTAssertTrue(promise.isSettled, "\(action)")
          }
          XCTAssertTrue(family.added.all.allSatisfy { $0.isSettled }, "\(action)")
          // A cancellation of the settled parent withdraws the handlers that have not started yet.
          XCTAssertEqual(after.isCancelled, action == .cancelParent, "\(action)")
          XCTAssertEqual(ran.value, after.isCancelled ? 2 : 3, "\(action): each handler once")
          XCTAssertEqual(parent.isRejected, isRejected, "\(action): first settlement wins")
        }
      }
    }
  }

  // Spec: X4.1
  func testHandlerOfACancelledPromiseMayUseItsParentAndItsChild() {
    inTime {
      for action in Poke.allCases {
        let context = SteppedContext()
        let family = Family()
        let parent = Promise(on: context)
        family.parent = parent
        family.child = parent.catch { _ -> Any in
          action.apply(to: family)
          return "recovered"
        }
        parent.cancel()
        context.drain()
        XCTAssertTrue(family.child!.isSettled, "\(action)")
        XCTAssertTrue(family.added.all.allSatisfy { $0.isSettled }, "\(action)")
      }
    }
  }

  // Spec: X4.1, X3.3
  func testImmediateHandlerMayUseItsParentAndItsChild() {
    inTime {
      for action in Poke.allCases {
        let family = Family()
        let parent = Promise(on: .immediate)
        family.parent = parent
        let order = Log<Int>()
        parent.then { _ in order.append(0) }
        family.child = parent.then { _ -> Any in
          order.append(1)
          action.apply(to: family)
          return "value"
        }
        parent.then { _ in order.append(2) }
        parent.fulfill(0)
        XCTAssertTrue(family.child!.isSettled, "\(action)")
        XCTAssertTrue(family.added.all.allSatisfy { $0.isSettled }, "\(action)")
        XCTAssertEqual(order.all.prefix(2), [0, 1], "\(action)")
        // A handler that cancels the parent comes before its later sibling is run, which is then withdrawn.
        XCTAssertEqual(order.count, action == .cancelParent ? 2 : 3, "\(action)")
      }
    }
  }

  // Spec: X4.2
  func testContextMayUseThePromiseDuringExecute() {
    inTime {
      for action in Poke.allCases {
        for isSettledFirst in [false, true] {
          let family = Family()
          let context = PokingContext(family: family, action: action)
          let parent = Promise(on: context)
          family.parent = parent
          if isSettledFirst { parent.fulfill(0) }
          let ran = Counter()
          let child = parent.then { _ in ran.increment() }
          family.child = child
          let second = parent.then { _ in ran.increment() }
          if !isSettledFirst { parent.fulfill(0) }
          context.inner.drain()
          XCTAssertGreaterThan(context.inner.total, 0)
          for promise in [parent, child, second] { XCTAssertTrue(promise.isSettled, "\(action)") }
          XCTAssertTrue(family.added.all.allSatisfy { $0.isSettled }, "\(action)")
          XCTAssertTrue(parent.isFulfilled)
          // A handler is withdrawn if its child was cancelled meanwhile, else it runs; resolved by hand, too.
          let withdrawn = [child, second].filter(\.isCancelled).count
          XCTAssertEqual(ran.value, 2 - withdrawn, "\(action)")
        }
      }
    }
  }

  // Spec: X4.3
  func testDeinitOfAHandlersCaptureMayUseThePromise() {
    let endings: [(String, @Sendable (Family, SteppedContext) -> Void)] = [
      ("it ran", { family, _ in family.parent!.fulfill(0) }),
      ("the other one ran", { family, _ in family.parent!.reject(Failure()) }),
      ("the parent was cancelled", { family, _ in family.parent!.cancel() }),
      ("its child was cancelled", { family, _ in family.child!.cancel() }),
      (
        "its child was cancelled after it was scheduled",
        { family, _ in
          family.parent!.fulfill(0)
          family.child!.cancel()
        }
      ),
      (
        "its job was dropped",
        { family, context in
          family.parent!.fulfill(0)
          context.dropAll()
        }
      ),
      ("its parent adopted a settled one", { family, _ in family.parent!.bind(.resolved(1)) }),
    ]
    inTime {
      for (name, end) in endings {
        for action in Poke.allCases {
          let context = SteppedContext()
          let family = Family()
          let parent = Promise(on: context)
          family.parent = parent
          let died = Counter()
          do {
            let canary = Canary {
              action.apply(to: family)
              died.increment()
            }
            family.child = parent.then { _ in withExtendedLifetime(canary) {} }
          }
          let sibling = parent.finally {}
          end(family, context)
          context.drain()
          parent.fulfill("at last, where nothing else settled it")
          context.drain()
          XCTAssertEqual(died.value, 1, "\(name), \(action)")
          for promise in [parent, family.child!, sibling] + family.added.all {
            XCTAssertTrue(promise.isSettled, "\(name), \(action)")
          }
        }
      }
    }
  }

  // Spec: X4.3
  func testDeinitOfAValueMayUsePromises() {
    inTime {
      for action in Poke.allCases {
        let context = SteppedContext()
        let family = Family()
        let died = Counter()
        let makeValue: @Sendable () -> Canary = {
          Canary {
            action.apply(to: family)
            died.increment()
          }
        }
        let parent = Promise(on: context)
        family.parent = parent
        // The value's promise is released with its parent in reach, and a value that came too late is
        // dropped.
        do {
          let valued = parent.then { _ in makeValue() }
          family.child = parent.then { _ in 1 }
          parent.fulfill(0)
          context.drain()
          XCTAssertTrue(valued.isFulfilled)
          XCTAssertEqual(died.value, 0)
        }
        XCTAssertEqual(died.value, 1, "\(action)")
        do {
          let cancelled = Log<Promise>()
          let late = parent.then { _ -> Canary in
            cancelled.all[0].cancel()
            return makeValue()
          }
          cancelled.append(late)
          context.drain()
          XCTAssertTrue(late.isCancelled)
        }
        XCTAssertEqual(died.value, 2, "\(action)")
        parent.fulfill(makeValue())
        XCTAssertEqual(died.value, 3, "\(action)")
        context.drain()
        XCTAssertTrue(family.added.all.allSatisfy { $0.isSettled }, "\(action)")
      }
    }
  }

  // Spec: X4.4, C6.2
  func testCancelHandlerMayUseThePromise() {
    inTime {
      for action in Poke.allCases {
        let context = SteppedContext()
        let family = Family()
        let (parent, resolver) = Promise.pending(on: context)
        family.parent = parent
        let heard = Counter()
        resolver.onCancel { _ in
          heard.increment()
          action.apply(to: family)
          resolver.onCancel { _ in heard.increment() }
        }
        family.child = parent.catch { _ in 1 }
        let adopter = Promise()
        adopter.bind(parent)
        parent.cancel()
        context.drain()
        XCTAssertEqual(heard.value, 2, "\(action): the second at once")
        XCTAssertTrue(parent.isCancelled)
        XCTAssertTrue(adopter.isCancelled)
        for promise in [family.child!] + family.added.all { XCTAssertTrue(promise.isSettled, "\(action)") }
      }
    }
  }

  // Spec: X4.4
  func testAbandonHandlerMayUsePromises() {
    inTime {
      for action in Poke.allCases {
        let context = SteppedContext()
        let family = Family()
        family.parent = Promise(on: context)
        family.child = family.parent!.then { _ in 1 }
        let abandoned = Counter()
        let resolver: Resolver
        do {
          let lost: Promise
          (lost, resolver) = Promise.pending(on: context)
          resolver.onAbandon {
            action.apply(to: family)
            // The promise is going away: its resolver does nothing any more, and does not bring it back.
            resolver.fulfill(1)
            resolver.onCancel { _ in XCTFail("it was not cancelled") }
            if resolver.isAbandoned { abandoned.increment() }
          }
          // The release of a child releases its parent.
          let child = lost.then { _ in 1 }
          withExtendedLifetime(child) { XCTAssertEqual(abandoned.value, 0) }
          child.cancel()
        }
        XCTAssertEqual(abandoned.value, 1, "\(action)")
        family.parent!.fulfill(0)
        context.drain()
        for promise in [family.child!] + family.added.all { XCTAssertTrue(promise.isSettled, "\(action)") }
      }
    }
  }

  // Spec: X4.5
  func testThenableMayUseThePromiseItResolves() {
    inTime {
      for action in Poke.allCases {
        for place in PokingThenable.Place.allCases {
          let context = SteppedContext()
          let family = Family()
          let parent = Promise(on: context)
          family.parent = parent
          family.child = parent.then({ $0 }, { $0 })
          parent.resolve(PokingThenable(family: family, action: action, place: place))
          context.drain()
          let name = "\(action) in \(place)"
          if action == .cancelParent && place != .after {
            XCTAssertTrue(parent.isCancelled, name)
          } else {
            XCTAssertEqual(parent.result.flatMap { try? $0.get() } as? String, "thenable", name)
          }
          for promise in [family.child!] + family.added.all { XCTAssertTrue(promise.isSettled, name) }
        }
      }
    }
  }
}
