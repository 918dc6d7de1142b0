// Programs in which a promise becomes unwanted, while another thread may add a consumer.

import DynamicPromise
import Scheduler

/// A promise with a cancel hook, and a follower of this promise.
private struct Pair {
  let target: Promise
  let adopter: Promise
  let resolver: Resolver

  init(_ world: World) {
    (target, resolver) = Promise.pending(on: .immediate)
    resolver.onCancel { _ in world.note("hook") }
    adopter = follower(of: target)
  }

  /// Expects that the target was cancelled, or that it can still be fulfilled.
  func expectOneOfBoth(_ other: Promise, _ world: World) {
    world.expect(adopter.isCancelled, "the adopter is cancelled")
    world.expect(world.count("hook") == (target.isCancelled ? 1 : 0), "the hook runs once")
    if target.isCancelled {
      world.expect(other.isCancelled, "a later consumer is cancelled too")
    } else {
      resolver.fulfill(1)
      world.expect(other.isFulfilled, "an earlier consumer receives the value")
    }
  }

  func expectCancelled(_ world: World) {
    world.expect(target.isCancelled && adopter.isCancelled, "the target is unwanted in every order")
    world.expect(world.count("hook") == 1, "the hook runs once")
  }
}

/// A program in two versions, in which a thread cancels the adopter of a pair.
private func pair(_ name: String, _ setUp: @escaping @Sendable (World, Pair) -> Void) -> [Program] {
  both(name) { world in
    let pair = Pair(world)
    world.thread("canceller") { pair.adopter.cancel() }
    setUp(world, pair)
  }
}

let withdrawingPrograms =
  pair("withdrawal against then") { world, pair in
    let child = Slot()
    world.thread("reader") { child.promise = pair.target.then { _ in 2 } }
    world.afterwards { pair.expectOneOfBoth(child.promise!, world) }
  }
  + pair("withdrawal against another adopter") { world, pair in
    let other = Promise(on: .immediate)
    world.thread("binder") { other.bind(pair.target) }
    world.afterwards { pair.expectOneOfBoth(other, world) }
  }
  + pair("withdrawal against settling") { world, pair in
    world.thread("settler") { pair.resolver.fulfill(1) }
    world.afterwards {
      world.expect(pair.target.isSettled && pair.adopter.isSettled, "the target and the adopter settle")
      world.expect(world.count("hook") == (pair.target.isCancelled ? 1 : 0), "the hook runs once")
      world.expect(!pair.target.isCancelled || pair.adopter.isCancelled, "only a withdrawal cancels")
    }
  }
  + both("withdrawal from a chain against cancel of its root") { world in
    let root = Promise(onCancel: { _ in world.note("hook") })
    let step = root.thenOn(.immediate) { _ in world.note("step") }
    let end = step.catchOn(.immediate) { _ in world.note("caught") }
    let adopter = follower(of: end)
    world.thread("canceller") { adopter.cancel(Failure.first) }
    world.thread("canceller of the root") { root.cancel(Failure.second) }
    world.afterwards {
      world.expect([root, step, end, adopter].allSatisfy(\.isCancelled), "all are cancelled")
      world.expect(world.events.sorted() == ["caught", "hook"], "the handler and the hook run once")
    }
  }
  + pair("withdrawal against cancel of the child that was the last to want it") { world, pair in
    let child = pair.target.then { _ in world.note("value") }
    world.thread("canceller of the child") { child.cancel() }
    world.afterwards { pair.expectCancelled(world) }
  }
  + pair("withdrawal against the release of the last adopter") { world, pair in
    let other = Keep(follower(of: pair.target))
    world.thread("dropper") { other.drop() }
    world.afterwards { pair.expectCancelled(world) }
  }
  + [
    Program("both branches of a fork are withdrawn from at once") { world in
      let root = Promise(onCancel: { _ in world.note("hook") })
      let adopters = (0..<2).map { number in
        let branch = root.thenOn(
          .immediate, { _ in world.note("value") }, { _ in world.note("caught \(number)") })
        let adopter = follower(of: branch)
        return adopter
      }
      for adopter in adopters { world.thread("canceller") { adopter.cancel() } }
      world.afterwards {
        world.expect(root.isCancelled && adopters.allSatisfy(\.isCancelled), "the root is unwanted")
        world.expect(world.events.sorted() == ["caught 0", "caught 1", "hook"], "handlers and hook run once")
      }
    },
    Program("withdrawal climbs while a consumer comes to each of two levels") { world in
      let root = Promise(onCancel: { _ in world.note("hook") })
      let middle = root.thenOn(.immediate) { _ in 1 }
      let adopter = follower(of: middle)
      let children = (Slot(), Slot())
      world.thread("canceller") { adopter.cancel() }
      world.thread("reader") { children.0.promise = middle.thenOn(.immediate) { _ in } }
      world.thread("reader of the root") { children.1.promise = root.thenOn(.immediate) { _ in } }
      world.afterwards {
        let (below, beside) = (children.0.promise!, children.1.promise!)
        world.expect(!root.isCancelled || middle.isCancelled, "the root cancels the middle")
        world.expect(world.count("hook") == (root.isCancelled ? 1 : 0), "the hook runs once")
        root.fulfill(1)
        world.expect(below.isFulfilled == middle.isFulfilled, "the child has the middle's outcome")
        world.expect(beside.isFulfilled == root.isFulfilled, "the child has the root's outcome")
      }
    },
  ]

/// Stores a promise that a thread has made.
final class Slot: @unchecked Sendable { var promise: Promise? }
