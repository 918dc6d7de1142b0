// Programs in which a cancel traverses the tree while the tree changes.

import DynamicPromise
import Scheduler

/// A tree of three promises. The leaf's handler returns a promise that only a cancellation ends.
private struct Tree {
  let root: Promise
  let middle: Promise
  let leaf: Promise
  let task: Promise

  init(on context: some ExecutionContext, _ world: World) {
    let task = Promise(onCancel: { _ in world.note("task cancelled") })
    let root = Promise(on: context)
    let middle = root.then { _ in 1 }
    (self.task, self.root, self.middle) = (task, root, middle)
    leaf = middle.then { _ in task }
  }
}

let cancellingPrograms = [
  Program("cancel against fulfill") { world in
    let (promise, resolver) = Promise.pending(on: .immediate)
    resolver.onCancel { _ in world.note("hook") }
    let child = promise.then { _ in world.note("value") }
    world.thread("settler") { resolver.fulfill(1) }
    world.thread("canceller") { promise.cancel() }
    world.thread("late hook") { resolver.onCancel { _ in world.note("late hook") } }
    world.afterwards {
      let isCancelled = promise.isCancelled
      world.expect(world.count("hook") == (isCancelled ? 1 : 0), "the hook runs after a cancel")
      world.expect(world.count("late hook") == (isCancelled ? 1 : 0), "a late hook runs after a cancel")
      world.expect(isCancelled ? world.count("value") == 0 : world.count("value") <= 1, "at most one value")
      world.expect(child.isSettled, "the child is settled")
    }
  },
  Program("then against cancel") { world in
    let promise = Promise(on: .immediate)
    world.thread("canceller") { promise.cancel(Failure.first) }
    world.thread("reader") {
      let caught = promise.catch { _ in world.note("caught") }
      let below = promise.then { _ in world.note("value") }
      withExtendedLifetime(below) {
        _ = caught.then({ _ in world.note("recovered") }, { _ in world.note("cancelled") })
      }
    }
    world.afterwards {
      world.expect(
        world.events == ["caught", "cancelled"], "a late handler runs like an early one")
    }
  },
  Program("cancel of a child against scheduling", bound: 2) { world in
    let parent = Promise()
    let child = parent.then { _ in world.note("ran") }
    let cleaned = parent.finally { world.note("cleaned") }
    world.thread("settler") { parent.fulfill(1) }
    world.thread("canceller") {
      child.cancel()
      cleaned.cancel()
    }
    world.afterwards {
      world.expect(world.count("cleaned") == 1, "the finally still runs, once")
      world.expect(world.count("ran") <= 1, "the handler runs at most once")
      world.expect(child.isSettled && cleaned.isSettled, "both children are settled")
      world.expect(child.isCancelled || world.count("ran") == 1, "the child is cancelled or its handler runs")
    }
  },
  Program("cancel of the root against settling, in place") { world in
    let tree = Tree(on: .immediate, world)
    world.thread("settler") { tree.root.fulfill(1) }
    world.thread("canceller") { tree.root.cancel() }
    world.afterwards {
      world.expect(tree.leaf.isCancelled, "the pending grandchild is never missed")
      world.expect(world.count("task cancelled") <= 1, "the task is cancelled at most once")
    }
  },
  Program("cancel of the root against the release of the middle") { world in
    let tree = Tree(on: .immediate, world)
    let (root, leaf) = (tree.root, tree.leaf)
    let middle = Keep(tree.middle)
    root.fulfill(1)
    world.thread("dropper") { middle.drop() }
    world.thread("canceller") { root.cancel() }
    world.afterwards {
      world.expect(leaf.isCancelled && world.count("task cancelled") == 1, "the cancel skips freed promises")
    }
  },
  Program("an unheld level goes while its child settles, cancel of the root", bound: 3) { world in
    let root = Promise(on: .immediate)
    let task = Promise()
    let gate = waiting(below: root, for: task, world)
    world.thread("settler") { gate.fulfill(1) }
    world.thread("canceller") { root.cancel() }
    world.afterwards {
      world.expect(world.count("leaf ended") == 1, "the pending descendant is never missed")
    }
  },
]

/// Makes three promises below `root`, without retaining them, and settles `root`. The first promise is
/// settled, the second waits for the returned resolver, and the third will wait for `task`.
private func waiting(below root: Promise, for task: Promise, _ world: World) -> Resolver {
  let (gate, opener) = Promise.pending(on: .immediate)
  let level = root.then { _ in 1 }
  let child = level.then { _ in gate }
  let leaf = child.then { _ in task }
  leaf.finally { world.note("leaf ended") }
  root.fulfill(1)
  return opener
}
