// Programs in which combinators start and stop observing their inputs.

import DynamicPromise
import Scheduler

let combiningPrograms = [
  Program("all of two against their settling, one of them observed by another one, too") { world in
    let (first, second) = (Promise(on: .immediate), Promise(on: .immediate))
    Promise.all([first, second]).then { world.note("\($0 as! [Int])") }
    world.thread("settler of the first") { first.fulfill(1) }
    world.thread("settler of the second") { second.fulfill(2) }
    world.thread("other") { Promise.race([first]).then { world.note("other \($0)") } }
    world.afterwards {
      world.expect(world.events.sorted() == ["[1, 2]", "other 1"], "each combinator is fulfilled once")
    }
  },
  Program("waiting for a tree against its settling and a step that is added") { world in
    let root = Promise(on: .immediate)
    let (first, second) = (Deferred(), Deferred())
    let child = root.then { _ in first }
    root.finished().then { _ in world.note("whole") }
    world.thread("settler") { root.fulfill(1) }
    world.thread("adder") { root.then { _ in second }.then { $0 } }
    world.afterwards {
      first.functions.resolve?(1)
      world.expect(child.isSettled && world.events.isEmpty, "the added step is pending")
      second.functions.resolve?(2)
      world.expect(world.events == ["whole"], "the wait ends once")
    }
  },
]
