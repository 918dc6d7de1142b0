// Programs around handlers whose promises nobody holds, and around references that do not hold.

import DynamicPromise
import Scheduler

let leafPrograms = [
  Program("a discarded handler starts against cancel of its promise") { world in
    let (root, inner) = (Promise(on: .immediate), Promise(on: .immediate))
    for (name, promise) in [("root", root), ("inner", inner)] { world.mustGo(name, promise) }
    let holds = (Keep(root), Keep(root), Keep(inner))
    root.then { _ in
      world.note("ran")
      Scheduler.point()
      return holds.2.value
    }
    inner.catch { _ in world.note("told") }
    world.thread("settler") { settle(holds.0) }
    world.thread("canceller") { holds.1.value.cancel() }
    world.afterwards {
      holds.1.value.cancel()
      world.expect(
        world.events.isEmpty || world.events == ["ran", "told"], "withdrawn, or followed and found, once")
      holds.2.value.fulfill(2)
      holds.1.drop()
      holds.2.drop()
    }
  },
  Program("a discarded handler ends against cancel of its promise") { world in
    let root = Promise(on: .immediate)
    world.mustGo("root", root)
    let holds = (Keep(root), Keep(root))
    for number in 1...2 {
      root.then { _ in
        world.note("ran \(number)")
        return number
      }
    }
    world.thread("settler") { settle(holds.0) }
    world.thread("canceller") {
      holds.1.value.cancel()
      holds.1.drop()
    }
    world.afterwards {
      world.expect(world.count("ran 1") <= 1 && world.count("ran 2") <= 1, "once at most")
      world.expect(world.count("ran 1") >= world.count("ran 2"), "in order")
    }
  },
  Program("discarded handlers against one that is added while they run") { world in
    let root = Promise(on: .immediate)
    world.mustGo("root", root)
    let holds = (Keep(root), Keep(root))
    for number in 1...2 {
      root.then { _ in
        Scheduler.point()
        world.note("\(number)")
      }
    }
    world.thread("settler") { settle(holds.0) }
    world.thread("adder") {
      holds.1.value.then { _ in world.note("3") }
      holds.1.drop()
    }
    world.afterwards { world.expect(world.events == ["1", "2", "3"], "in order, each once") }
  },
  Program("a discarded handler throws against a walk from above") { world in
    let above = Promise(on: .immediate)
    let root = above.then { _ in 1 }
    for (name, promise) in [("above", above), ("root", root)] { world.mustGo(name, promise) }
    let holds = (Keep(above), Keep(above))
    root.then { _ in
      world.note("ran")
      Scheduler.point()
      throw CancellationError()
    }
    root.then({ _ in world.note("next") }, { _ in world.note("told") })
    world.thread("settler") { settle(holds.0) }
    world.thread("canceller") {
      holds.1.value.cancel()
      holds.1.drop()
    }
    world.afterwards {
      world.expect(
        world.events == ["told"] || world.events == ["ran", "next"] || world.events == ["ran"],
        "one outcome for both")
    }
  },
  Program("a promise that only a weak reference tells of is left against who takes it up again") { world in
    let root = Promise(on: .immediate)
    world.mustGo("root", root)
    let hold = Keep(root)
    let first = root.then { _ in 1 }
    let weak = Weak(first)
    first.then { _ in
      Scheduler.point()
      return 2
    }
    .then { _ in Promise() }.then({ _ in }, { _ in world.note("told") })
    world.thread("settler") { hold.value.fulfill(1) }
    world.thread("asker") {
      Scheduler.point()
      guard let again = weak.promise else { return world.note("late") }
      world.note("in time")
      Scheduler.point()
      again.then { _ in world.note("ran") }
    }
    world.afterwards {
      hold.value.cancel()
      world.expect(world.count("ran") == world.count("in time"), "what was added runs")
      world.expect(world.count("told") == 1, "found from above, once")
      hold.drop()
    }
  },
]

private final class Weak: @unchecked Sendable {
  weak var promise: Promise?
  init(_ promise: Promise) { self.promise = promise }
}
