// Programs in which the last reference to a promise is released.

import DynamicPromise
import Scheduler

/// A child whose job waits in a context, and the context.
private func scheduled(_ world: World) -> (child: Promise, manual: ManualContext) {
  let (parent, manual) = (Promise(), ManualContext())
  let child = parent.thenOn(manual) { _ in world.note("ran") }
  parent.fulfill(1)
  return (child, manual)
}

let releasingPrograms = [
  Program("last reference against fulfill against broken") { world in
    let (promise, resolver) = Promise.pending()
    let kept = Keep(promise)
    let task = Keep(resolver)
    resolver.onAbandon { world.note("abandoned") }
    world.thread("dropper") { kept.drop() }
    world.thread("settler") { task.value.fulfill(1) }
    world.afterwards {
      let wasAbandoned = task.value.isAbandoned
      world.expect(world.count("abandoned") == (wasAbandoned ? 1 : 0), "the hook runs once")
      task.drop()
    }
  },
  Program("last reference against cancel against fulfill") { world in
    let (promise, resolver) = Promise.pending(on: .immediate)
    resolver.onCancel { _ in world.note("cancelled") }
    resolver.onAbandon { world.note("abandoned") }
    let first = Keep(promise)
    let second = Keep(promise)
    world.thread("dropper") { first.drop() }
    world.thread("canceller") { cancel(second) }
    world.thread("settler") { resolver.fulfill(1) }
    world.afterwards {
      world.expect(world.count("abandoned") == 0, "the promise was resolved first")
      world.expect(world.count("cancelled") == (resolver.isCancelled ? 1 : 0), "a cancel runs the hook")
    }
  },
  Program("last reference to a chain against the end of its task") { world in
    let (promise, resolver) = Promise.pending(on: .immediate)
    let task = Keep(resolver)
    let chain = Keep(promise.then { _ in world.note("value") })
    chain.value.then({ _ in }, { _ in world.note("broken") })
    let root = Keep(promise)
    world.thread("dropper of the root") { root.drop() }
    world.thread("dropper of the chain") { chain.drop() }
    world.thread("dropper of the task") { task.drop() }
    world.afterwards {
      world.expect(world.events == ["broken"], "the end of the task settles the promise")
    }
  },
  Program("the release of the parent against the child's settling") { world in
    let (gate, opener) = Promise.pending()
    let root = Promise(on: .immediate)
    let child = root.then { _ in gate }
    let below = child.then { _ in Promise() }
    root.fulfill(1)
    let kept = Keep(root)
    world.thread("dropper") { kept.drop() }
    world.thread("settler") { opener.fulfill(1) }
    world.thread("asker") { _ = below.root }
    world.afterwards {
      world.expect(child.isFulfilled && below.isPending, "only the child is settled")
      world.expect(below.parent === child && child.parent == nil, "the path up ends at the child")
      child.cancel()
      world.expect(below.isCancelled, "the child is cancelled")
    }
  },
  Program("a job dropped against cancel of its child") { world in
    let (child, manual) = scheduled(world)
    world.thread("dropper") { manual.drop() }
    world.thread("canceller") { child.cancel() }
    world.afterwards {
      world.expect(child.isRejected && world.events == [], "the child is rejected, and no handler runs")
    }
  },
  Program("two pending branches are released at once") { world in
    let task = Promise(onCancel: nil, onAbandon: { world.note("abandoned") })
    // Only the branches' ends retain the branches and their ancestors, because cancelled children do not
    // wait.
    let holds = (0..<2).map { number in
      let branch = Promise(on: .immediate)
      let end = branch.then { _ in task }
      branch.fulfill(1)
      return Keep(end)
    }
    let top = Keep(task)
    for (number, hold) in holds.enumerated() { world.thread("dropper \(number)") { hold.drop() } }
    world.thread("canceller") { cancel(top) }
    world.afterwards { world.expect(world.count("abandoned") == 0, "no promise is abandoned") }
  },
]
