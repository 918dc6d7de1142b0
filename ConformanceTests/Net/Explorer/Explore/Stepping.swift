// Programs in which a step is added or begins while a promise above it changes.

import DynamicPromise
import Scheduler

let steppingPrograms = [
  Program("a step of a sequence ends before it is entered", bound: 2) { world in
    let input = Promise(on: .immediate)
    let (inner, resolver) = Promise.pending(on: .immediate)
    let task = Keep(resolver)
    resolver.onCancel { _ in world.note("cancelled") }
    let result = Keep<Promise?>(nil)
    world.thread("beginner") {
      result.value = Promise.sequence([input, 2] as [Any?]) { (number: Any) -> Any? in
        number as? Int == 2 ? inner : 1
      }
    }
    world.thread("settler") { input.fulfill(1) }
    world.afterwards {
      result.value?.cancel()
      world.expect(world.events == ["cancelled"], "the running step is cancelled with the result")
      result.drop()
      task.drop()
    }
  },
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
  },
]
