// Programs in which the last reference to a promise is released.

import DynamicPromise
import Scheduler

let releasingPrograms = [
  Program("last reference of an open promise against its settling, a child waits") { world in
    let promise = Promise(on: .immediate)
    promise.then { _ in world.note("value") }
    let (first, second) = (Keep(promise), Keep(promise))
    world.thread("dropper") { first.drop() }
    world.thread("settler") { settle(second) }
    world.afterwards { world.expect(world.events == ["value"], "the handler runs once") }
  },
  Program("the handle and the follower of a promise go at once") { world in
    let (target, resolver) = Promise.pending(on: .immediate)
    resolver.onAbandon { world.note("abandoned") }
    let holds = [Keep(target), Keep(follower(of: target))]
    for hold in holds { world.thread("dropper") { hold.drop() } }
    world.afterwards {
      world.expect(resolver.isAbandoned && world.events == ["abandoned"], "the last hold frees the promise")
    }
  },
  Program("the handle of a child goes while its job ends") { world in
    let parent = Promise(on: .immediate)
    let child = Keep(parent.thenOn(DispatchQueue(label: "queue")) { _ in world.note("value") })
    world.thread("settler") { parent.fulfill(1) }
    world.thread("dropper") { child.drop() }
    world.afterwards { world.expect(world.events == ["value"], "the handler runs once") }
  },
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
]
