// Programs around steps that are added to settled promises, each below the last, while those above them go.

import DynamicPromise
import Scheduler

let steppingPrograms = [
  Program("a step in place against cancel of the root") { world in
    let root = Promise(on: .immediate)
    root.fulfill(1)
    let middle = root.then { _ in 2 }
    let holds = (Keep(root), Keep(middle))
    world.mustGo("root", root)
    world.mustGo("middle", middle)
    world.thread("adder") {
      let step = holds.1.value.then { _ in
        Scheduler.point()
        return Promise()
      }
      world.mustGo("step", step)
      step.then({ _ in }, { _ in world.note("told") })
      holds.1.drop()
    }
    world.thread("canceller") { holds.0.value.cancel() }
    world.afterwards {
      holds.0.value.cancel()
      world.expect(world.events == ["told"], "found below what is gone, once")
      holds.0.drop()
    }
  },
  Program("a step in place against another one of the same promise") { world in
    let root = Promise(on: .immediate)
    root.fulfill(1)
    world.mustGo("root", root)
    let holds = (Keep(root), Keep(root))
    for (name, hold) in [("first", holds.0), ("second", holds.1)] {
      world.thread(name) {
        world.mustGo(name, hold.value.then { _ in world.note(name) })
        hold.drop()
      }
    }
    world.afterwards { world.expect(world.count("first") == 1 && world.count("second") == 1, "each once") }
  },
  Program("a settled promise goes against a step of its heir against cancel from above") { world in
    let root = Promise(on: .immediate)
    root.fulfill(1)
    let middle = root.then { _ in 2 }
    let heir = middle.then { _ in 3 }
    for (name, promise) in [("root", root), ("middle", middle), ("heir", heir)] {
      world.mustGo(name, promise)
    }
    let holds = (Keep(root), Keep(middle), Keep(heir))
    world.thread("dropper") { holds.1.drop() }
    world.thread("adder") {
      let step = holds.2.value.then { _ in Promise() }
      step.then({ _ in }, { _ in world.note("told") })
    }
    world.thread("canceller") { holds.0.value.cancel() }
    world.afterwards {
      holds.0.value.cancel()
      world.expect(world.events == ["told"], "found below whatever is gone")
      world.expect(holds.2.value.parent === holds.0.value, "the way up leads past it")
      holds.0.drop()
      holds.2.drop()
    }
  },
  Program("three in a row go at once") { world in
    let root = Promise(on: .immediate)
    root.fulfill(1)
    let middle = root.then { _ in 2 }
    let heir = middle.then { _ in 3 }
    let last = heir.then { _ in 4 }
    for (name, promise) in [("root", root), ("middle", middle), ("heir", heir), ("last", last)] {
      world.mustGo(name, promise)
    }
    let holds = (Keep(root), Keep(middle), Keep(heir), Keep(last))
    world.thread("dropper 1") { holds.1.drop() }
    world.thread("dropper 2") { holds.2.drop() }
    world.thread("dropper 3") { holds.3.drop() }
    world.afterwards {
      holds.0.value.cancel()
      holds.0.drop()
    }
  },
  Program("the heir's heir asks for its parent while both above it go") { world in
    let root = Promise(on: .immediate)
    root.fulfill(1)
    let middle = root.then { _ in 2 }
    let heir = middle.then { _ in 3 }
    let last = heir.then { _ in 4 }
    for (name, promise) in [("root", root), ("middle", middle), ("heir", heir), ("last", last)] {
      world.mustGo(name, promise)
    }
    let holds = (Keep(root), Keep(middle), Keep(heir), Keep(last))
    world.thread("dropper 1") { holds.1.drop() }
    world.thread("dropper 2") { holds.2.drop() }
    world.thread("asker") {
      _ = holds.3.value.parent
      world.expect(holds.3.value.root === holds.0.value, "the root is held")
    }
    world.afterwards {
      world.expect(holds.3.value.parent === holds.0.value, "nothing between them")
      holds.0.drop()
      holds.3.drop()
    }
  },
  Program("a chain that nobody holds settles against a walk from above") { world in
    let root = Promise(on: .immediate)
    root.fulfill(1)
    let last = root.thenOn(DispatchQueue(label: "queue")) { _ in 1 }.then { _ in 2 }.then { _ in Promise() }
    last.then({ _ in }, { _ in world.note("told") })
    for (name, promise) in [("root", root), ("last", last)] { world.mustGo(name, promise) }
    let holds = (Keep(root), Keep(last))
    world.thread("canceller") { holds.0.value.cancel() }
    world.thread("dropper") { holds.1.drop() }
    world.afterwards {
      world.expect(world.events == ["told"], "found wherever it was")
      holds.0.drop()
    }
  },
]
