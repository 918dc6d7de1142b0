// Programs around children that do not hold their parent, because the list or the job that holds the parent holds them both.

import DynamicPromise
import Scheduler

/// A chain of three below a pending root, of which nobody holds anything but what is asked for. The second one's handler returns
/// when somebody else was let run.
private func chain(_ world: World) -> (root: Keep<Promise>, first: Promise, second: Promise) {
  let root = Promise(on: .immediate)
  let first = root.then { _ in 1 }
  let second = first.then { _ in
    Scheduler.point()
    return 2
  }
  let third = second.then { _ in world.note("third") }
  for (name, promise) in [("root", root), ("first", first), ("second", second), ("third", third)] {
    world.mustGo(name, promise)
  }
  return (Keep(root), first, second)
}

/// A thread that makes `promise` follow another one, of which nobody else holds anything, by hand; that one is fulfilled in the end.
private func follow(
  _ world: World, _ promise: Keep<Promise>, and first: Keep<Promise>, _ check: @escaping () -> Void
) {
  let other = Promise(on: .immediate)
  world.mustGo("other", other)
  let holds = (Keep(other), Keep(other))
  world.thread("hand") {
    promise.value.bind(holds.0.value)
    promise.drop()
    holds.0.drop()
    first.drop()
  }
  world.afterwards {
    holds.1.value.fulfill(4)
    holds.1.drop()
    check()
  }
}

/// A chain that is settled against a cancel of its end, which is all that holds the middle once that has settled. Nobody must
/// touch the middle after that: a matter for Address Sanitizer.
private func cancelTheEnd(_ world: World, _ end: (Promise) -> Promise) {
  let root = Promise(on: .immediate)
  let middle = root.then { _ in
    Scheduler.point()
    return 1
  }
  let holds = (Keep(root), Keep(end(middle)))
  for (name, promise) in [("root", root), ("middle", middle), ("end", holds.1.value)] {
    world.mustGo(name, promise)
  }
  world.thread("settler") { settle(holds.0) }
  world.thread("canceller") {
    holds.1.value.cancel()
    world.expect(holds.1.value.isSettled, "settled")
    holds.1.drop()
  }
}

let carryingPrograms = [
  Program("a chain that nobody holds runs against a second child in its middle") { world in
    let (root, first, second) = chain(world)
    let holds = (Keep(first), Keep(second))
    world.thread("settler") { settle(root) }
    world.thread("adder") {
      holds.0.value.then { _ in world.note("beside second") }
      holds.0.drop()
      holds.1.value.then { _ in world.note("beside third") }
      holds.1.drop()
    }
    world.afterwards {
      world.expect(
        world.count("third") == 1 && world.count("beside second") == 1 && world.count("beside third") == 1,
        "each once")
    }
  },
  Program("a chain runs against cancel of its middle") { world in
    let (root, first, second) = chain(world)
    let holds = (Keep(first), Keep(second))
    world.thread("settler") { settle(root) }
    world.thread("canceller") {
      holds.1.value.cancel()
      holds.1.drop()
    }
    world.thread("dropper") { holds.0.drop() }
    world.afterwards { world.expect(world.count("third") <= 1, "once at most") }
  },
  Program("a chain of which only the end is held runs against cancel of its end") { world in
    cancelTheEnd(world) { $0.then { _ in 3 } }
  },
  Program("a chain of which only the end is held runs against cancel of its end on a queue") { world in
    cancelTheEnd(world) { $0.thenOn(DispatchQueue(label: "end")) { _ in 3 } }
  },
  Program("a chain runs against its middle settled by hand") { world in
    let (root, first, second) = chain(world)
    let holds = (Keep(first), Keep(second))
    world.thread("settler") { settle(root) }
    world.thread("hand") {
      holds.1.value.fulfill(3)
      holds.1.drop()
      holds.0.value.fulfill(3)
      holds.0.drop()
    }
    world.afterwards { world.expect(world.count("third") == 1, "once") }
  },
  Program("a chain runs against its middle following another promise by hand") { world in
    let (root, first, second) = chain(world)
    world.thread("settler") { settle(root) }
    follow(world, Keep(second), and: Keep(first)) { world.expect(world.count("third") == 1, "once") }
  },
  Program("the end of a chain asks for its parents while it runs") { world in
    let (root, first, second) = chain(world)
    let end = second.then { _ in 3 }
    let holds = (Keep(end), Keep(first))
    world.thread("settler") { settle(root) }
    world.thread("asker") {
      var promise: Promise? = holds.0.value
      while let current = promise { promise = current.parent }
      holds.0.drop()
    }
    world.thread("dropper") { holds.1.drop() }
    world.afterwards { world.expect(world.count("third") == 1, "once") }
  },
  Program("a chain runs against its end cancelled and replaced by another one") { world in
    let (root, first, second) = chain(world)
    let end = second.then { _ in world.note("end") }
    let holds = (Keep(first), Keep(second), Keep(end))
    world.mustGo("end", end)
    world.thread("settler") { settle(root) }
    world.thread("canceller") {
      holds.2.value.cancel()
      holds.2.drop()
      holds.0.drop()
      holds.1.value.then { _ in world.note("another") }
      holds.1.drop()
    }
    world.afterwards { world.expect(world.count("another") == 1 && world.count("third") == 1, "once") }
  },
  Program("a child is cancelled and another one added while the handler of their parent runs") { world in
    let root = Promise(on: .immediate)
    let parent = root.then { _ in 1 }.then { _ in
      Scheduler.point()
      return 2
    }
    let child = parent.then { _ in world.note("child") }
    for (name, promise) in [("root", root), ("parent", parent), ("child", child)] {
      world.mustGo(name, promise)
    }
    let holds = (Keep(root), Keep(parent), Keep(child))
    world.thread("settler") { settle(holds.0) }
    world.thread("canceller") {
      holds.2.value.cancel()
      holds.2.drop()
      holds.1.value.then { _ in world.note("another") }
      holds.1.drop()
    }
    world.afterwards { world.expect(world.count("another") == 1, "once") }
  },
  Program("a chain whose middle waits for a thenable, by hand or by its handler") { world in
    let root = Promise(on: .immediate)
    let thenables = (Deferred(), Deferred())
    let first = root.then { _ in 1 }
    let second = first.then { _ in thenables.0 }
    second.then { _ in world.note("third") }
    for (name, promise) in [("root", root), ("first", first), ("second", second)] {
      world.mustGo(name, promise)
    }
    let holds = (Keep(root), Keep(second))
    world.thread("settler") { settle(holds.0) }
    world.thread("hand") {
      holds.1.value.resolve(thenables.1)
      holds.1.drop()
    }
    world.afterwards {
      for thenable in [thenables.0, thenables.1] {
        thenable.functions.resolve?(3)
        thenable.functions = (nil, nil)
      }
      world.expect(world.count("third") == 1, "once")
    }
  },
  Program("the second of two children is cancelled while their parent waits") { world in
    let (root, first, second) = chain(world)
    let beside = second.then { _ in world.note("beside third") }
    world.mustGo("beside third", beside)
    let holds = (Keep(first), Keep(second), Keep(beside))
    world.thread("settler") { settle(root) }
    world.thread("canceller") {
      holds.2.value.cancel()
      holds.2.drop()
      holds.1.drop()
      holds.0.drop()
    }
    world.afterwards { world.expect(world.count("third") == 1, "once") }
  },
  Program("a child without handlers follows another promise by hand while its parent waits") { world in
    let (root, first, _) = chain(world)
    let parent = first.then { _ in 2 }
    let child = parent.then(nil as (@Sendable (Any) -> Any)?)
    let end = child.then { _ in world.note("end") }
    for (name, promise) in [("parent", parent), ("child", child), ("end", end)] {
      world.mustGo(name, promise)
    }
    world.thread("settler") { settle(root) }
    follow(world, Keep(child), and: Keep(first)) {
      world.expect(world.count("end") == 1 && world.count("third") == 1, "once")
    }
  },
]
