// Programs in which a step is added or begins while a promise above it changes.

import DynamicPromise
import Scheduler

let steppingPrograms = [
  Program("a step in place against cancel of the root") { world in
    let root = Promise(on: .immediate)
    root.fulfill(1)
    let middle = root.then { _ in 2 }
    let holds = (Keep(root), Keep(middle))
    world.thread("adder") {
      let step = holds.1.value.then { _ in
        Scheduler.point()
        return Promise()
      }
      step.then({ _ in }, { _ in world.note("cancelled") })
      holds.1.drop()
    }
    world.thread("canceller") { holds.0.value.cancel() }
    world.afterwards {
      holds.0.value.cancel()
      world.expect(world.events == ["cancelled"], "the cancel skips the freed promise, once")
      holds.0.drop()
    }
  }
]
