// User code runs without a lock, and may use promises anywhere (X4, H10.6).

import DynamicPromise
import XCTest

/// A parent that foreign code can reach, and the action of that code.
private struct Scene: Sendable {
  let action: Poke
  let family = Family()
  let context: SteppedContext
  let parent: Promise

  init(_ action: Poke, on context: SteppedContext = SteppedContext(), parent: Promise? = nil) {
    (self.action, self.context) = (action, context)
    self.parent = parent ?? Promise(on: context)
    family.parent = self.parent
  }

  func act() { action.apply(to: family) }
}

extension Family {
  /// Expects the parent, the child, the promises that foreign code has added, and `others` to be settled.
  fileprivate func assertSettled(
    _ name: String, _ others: [Promise] = [], file: StaticString = #filePath, line: UInt = #line
  ) {
    for promise in [parent, child].compactMap({ $0 }) + others + added.all {
      XCTAssertTrue(promise.isSettled, name, file: file, line: line)
    }
  }
}

final class ReentrancyTests: XCTestCase {
  /// Calls `body` with each action, on a separate thread.
  private func forEachPoke(_ body: @escaping @Sendable (Poke) -> Void) {
    inTime { for action in Poke.allCases { body(action) } }
  }

  // Spec: X4.1, H10.6
  func testAHandlerMayUseItsParentAndItsChild() {
    forEachPoke { action in
      for isRejected in [false, true] {
        let scene = Scene(action)
        let parent = scene.parent
        let ran = Counter()
        let before = parent.then({ _ in ran.increment() }, { _ in ran.increment() })
        let child = parent.then({ _ in scene.act() }, { _ in scene.act() })
        scene.family.child = child
        let after = parent.then({ _ in ran.increment() }, { _ in ran.increment() })
        let below = child.then({ _ in ran.increment() }, { _ in ran.increment() })
        if isRejected { parent.reject(Failure()) } else { parent.fulfill(0) }
        scene.context.drain()
        scene.family.assertSettled("\(action)", [before, after, below])
        // A cancel of the settled parent withdraws the handlers that have not started yet.
        XCTAssertEqual(after.isCancelled, action == .cancelParent, "\(action)")
        XCTAssertEqual(ran.value, after.isCancelled ? 2 : 3, "\(action): each handler runs once")
        XCTAssertEqual(parent.isRejected, isRejected, "\(action): the first settlement wins")
      }
    }
  }

  // Spec: X4.2
  func testAContextMayUseThePromiseInExecute() {
    forEachPoke { action in
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
        XCTAssertGreaterThan(context.pokes.value, 0)
        family.assertSettled("\(action)", [second])
        XCTAssertTrue(parent.isFulfilled)
        // A handler is withdrawn if its child was cancelled, but runs if its child was resolved by hand.
        let withdrawn = [child, second].filter(\.isCancelled).count
        XCTAssertEqual(ran.value, 2 - withdrawn, "\(action)")
      }
    }
  }

  // Spec: X4.3
  func testTheDeinitOfACaptureMayUseThePromise() {
    let endings: [(String, @Sendable (_ parent: Promise, _ child: Promise, SteppedContext) -> Void)] = [
      ("the handler ran", { parent, _, _ in parent.fulfill(0) }),
      ("the other handler ran", { parent, _, _ in parent.reject(Failure()) }),
      ("the parent was cancelled", { parent, _, _ in parent.cancel() }),
      ("the child was cancelled", { _, child, _ in child.cancel() }),
      (
        "the job was dropped",
        { parent, _, context in
          parent.fulfill(0)
          context.dropAll()
        }
      ),
    ]
    forEachPoke { action in
      for (name, end) in endings {
        let scene = Scene(action)
        let died = Counter()
        let die: @Sendable () -> Void = {
          scene.act()
          died.increment()
        }
        scene.family.child = scene.parent.then { [canary = Canary(die)] _ in use(canary) }
        let sibling = scene.parent.finally {}
        end(scene.parent, scene.family.child!, scene.context)
        scene.context.drain()
        scene.parent.fulfill("ignored if the parent has settled")
        scene.context.drain()
        XCTAssertEqual(died.value, 1, "\(name), \(action)")
        scene.family.assertSettled("\(name), \(action)", [sibling])
      }
    }
  }

  // Spec: X4.4, C6.2
  func testACancelHookMayUseThePromise() {
    forEachPoke { action in
      let context = SteppedContext()
      let (parent, resolver) = Promise.pending(on: context)
      let scene = Scene(action, on: context, parent: parent)
      let heard = Counter()
      resolver.onCancel { _ in
        heard.increment()
        scene.act()
        resolver.onCancel { _ in heard.increment() }
      }
      scene.family.child = parent.catch { _ in 1 }
      let adopter = parent.follower(on: .shared)
      parent.cancel()
      context.drain()
      XCTAssertEqual(heard.value, 2, "\(action): the second hook runs at once")
      XCTAssertTrue(parent.isCancelled)
      XCTAssertTrue(adopter.isCancelled)
      scene.family.assertSettled("\(action)")
    }
  }

  // Spec: X4.4
  func testAnAbandonHookMayUsePromises() {
    forEachPoke { action in
      let scene = Scene(action)
      scene.family.child = scene.parent.then { _ in 1 }
      let abandoned = Counter()
      let resolver = {
        let (lost, resolver) = Promise.pending(on: scene.context)
        resolver.onAbandon {
          scene.act()
          // The resolver has no effect and does not retain the promise, which is being deallocated.
          resolver.fulfill(1)
          if resolver.isAbandoned { abandoned.increment() }
        }
        return withExtendedLifetime(lost) { resolver }
      }()
      XCTAssertTrue(resolver.isAbandoned)
      XCTAssertEqual(abandoned.value, 1, "\(action)")
      scene.parent.fulfill(0)
      scene.context.drain()
      scene.family.assertSettled("\(action)")
    }
  }

  // Spec: X4.5
  func testAThenableMayUseThePromiseThatItResolves() {
    forEachPoke { action in
      for place in PokingThenable.Place.allCases {
        let scene = Scene(action)
        let parent = scene.parent
        scene.family.child = parent.then({ $0 }, { $0 })
        parent.resolve(PokingThenable(family: scene.family, action: action, place: place))
        scene.context.drain()
        let name = "\(action) in \(place)"
        if action == .cancelParent && place != .after {
          XCTAssertTrue(parent.isCancelled, name)
        } else {
          XCTAssertEqual(parent.result.flatMap { try? $0.get() } as? String, "thenable", name)
        }
        scene.family.assertSettled(name)
      }
    }
  }
}
