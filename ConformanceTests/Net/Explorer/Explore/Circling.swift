// Programs with promises that follow one another in a ring.

import DynamicPromise
import Scheduler

private func isCycle(_ promise: Promise) -> Bool {
  if case .failure(PromiseError.cycle)? = promise.result { true } else { false }
}

let circlingPrograms =
  both("two binders close a ring", bound: 3) { world in
    let ring = (0..<3).map { _ in Promise(on: .immediate) }
    ring[0].bind(ring[1])
    world.thread("binder 1") { ring[1].bind(ring[2]) }
    world.thread("binder 2") { ring[2].bind(ring[0]) }
    world.afterwards { world.expect(ring.allSatisfy(isCycle), "a cycle is found in every order") }
  }
  + [
    Program("a ring is closed while an unheld member is freed", bound: 3) { world in
      let (first, last) = (Promise(on: .immediate), Promise(on: .immediate))
      let middle = Keep(Promise(on: .immediate))
      first.bind(middle.value)
      middle.value.bind(last)
      world.thread("dropper") { middle.drop() }
      world.thread("binder") { last.bind(first) }
      world.afterwards { world.expect(isCycle(first) && isCycle(last), "a cycle is found in every order") }
    }
  ]
