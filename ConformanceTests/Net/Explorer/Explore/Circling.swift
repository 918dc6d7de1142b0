// Programs with promises that follow one another in a ring. The ring is closed while one of its members is
// freed.

import DynamicPromise
import Scheduler

/// Each of the first `linked` promises follows the next promise. Only the dropper retains the second promise.
private final class Ring: @unchecked Sendable {
  private let promises: [Promise]
  private let second: Keep<Promise>
  private let world: World

  init(_ count: Int, linked: Int, _ world: World) {
    let promises = (0..<count).map { _ in Promise(on: .immediate) }
    for number in 0..<linked { promises[number].bind(promises[number + 1]) }
    second = Keep(promises[1])
    self.promises = [promises[0]] + promises[2...]
    self.world = world
  }

  /// The promise with this number.
  subscript(number: Int) -> Promise {
    switch number {
    case 0: promises[0]
    case 1: second.value
    default: promises[number - 1]
    }
  }

  func dropper() { world.thread("dropper") { [second] in second.drop() } }

  func binder(_ number: Int, to next: Int) {
    world.thread("binder \(number)") { [self] in self[number].bind(self[next]) }
  }

  func expectCycle() {
    world.expect(
      promises.allSatisfy { if case .failure(PromiseError.cycle)? = $0.result { true } else { false } },
      "a cycle is found in every order")
  }
}

let circlingPrograms =
  both("two binders close a ring", bound: 3) { world in
    let ring = Ring(3, linked: 1, world)
    ring.binder(1, to: 2)
    ring.binder(2, to: 0)
    world.afterwards { ring.expectCycle() }
  }
  + [
    Program("a ring is closed while an unheld member is freed", bound: 3) { world in
      let ring = Ring(3, linked: 2, world)
      ring.dropper()
      ring.binder(2, to: 0)
      world.afterwards { ring.expectCycle() }
    },
    Program("two binders close a ring while an unheld member is freed", bound: 2) { world in
      let ring = Ring(4, linked: 2, world)
      ring.dropper()
      ring.binder(2, to: 3)
      ring.binder(3, to: 0)
      world.afterwards { ring.expectCycle() }
    },
  ]
