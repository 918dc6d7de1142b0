// Programs with marks on settled promises. A cancel, or a wait for a tree, finds pending descendants through
// the marks. Another thread follows the same marks at the same time.

import DynamicPromise
import Scheduler

/// A settled promise, its settled child, and a pending grandchild with a clean-up.
private struct Marked {
  let top: Promise
  let pending: Promise
  let cleanUp: Promise
  let context = ManualContext()
  private let middle: Promise

  init(_ world: World) {
    top = Promise(on: .immediate)
    middle = top.then { _ in 1 }
    pending = middle.then { _ in Promise() }
    cleanUp = pending.catchOn(context) { _ in world.note("clean-up") }
    top.fulfill(1)
  }

  /// Adds a wait for the tree, which notes its end.
  func wait(_ world: World) { top.finished().then { _ in world.note("whole") } }

  func expectWaited(_ world: World) {
    world.expect(world.events.isEmpty && cleanUp.isPending, "the clean-up is awaited")
    context.finish()
    world.expect(world.events == ["clean-up", "whole"], "the clean-up runs, then the wait ends")
  }
}

let markingPrograms = [
  Program("cancel against cancel, what is pending is two levels below", bound: 2) { world in
    let tree = Marked(world)
    for name in ["first", "second"] {
      world.thread(name) {
        tree.top.cancel()
        world.expect(tree.pending.isCancelled, "cancelled before the \(name) call returns")
      }
    }
    world.afterwards {
      tree.context.finish()
      world.expect(world.events == ["clean-up"] && tree.cleanUp.isSettled, "the clean-up runs once")
    }
  },
  Program("cancel against waiting for the tree, with a clean-up below", bound: 2) { world in
    let tree = Marked(world)
    world.thread("canceller") { tree.top.cancel() }
    world.thread("waiter") { tree.wait(world) }
    world.afterwards { tree.expectWaited(world) }
  },
]
