// Programs with promises that follow one another.

import DynamicPromise
import Scheduler

/// Pending promises. Each notes its end in a `finally`, which runs even after a cancellation.
private func roots(_ count: Int, _ world: World) -> [Promise] {
  (0..<count).map { number in
    let promise = Promise(on: .immediate)
    promise.finally { world.note("end \(number)") }
    return promise
  }
}

/// Checks that each promise of `roots` has ended once.
private func expectEnds(_ count: Int, _ world: World) {
  world.expect(world.events.sorted() == (0..<count).map { "end \($0)" }, "each promise ends once")
}

private func isCycle(_ promise: Promise) -> Bool {
  if case .failure(PromiseError.cycle)? = promise.result { true } else { false }
}

/// Each promise follows the next promise, and the last promise follows the first promise.
private func circle(_ name: String, _ count: Int, bound: Int) -> Program {
  Program(name, bound: bound) { world in
    let all = roots(count, world)
    for number in 0..<count {
      world.thread("binder \(number)") { all[number].bind(all[(number + 1) % count]) }
    }
    world.afterwards {
      world.expect(all.allSatisfy(isCycle), "a cycle is found in every order")
      expectEnds(count, world)
    }
  }
}

let adoptingPrograms = [
  Program("bind against fulfill") { world in
    let all = roots(2, world)
    world.thread("binder") { all[0].bind(all[1]) }
    world.thread("settler") { all[1].fulfill(1) }
    world.afterwards { expectEnds(2, world) }
  },
  circle("two bind each other", 2, bound: 3),
  circle("three bind in a circle", 3, bound: 2),
  Program("two bind each other against cancel", bound: 2) { world in
    let all = roots(2, world)
    world.thread("binder 0") { all[0].bind(all[1]) }
    world.thread("binder 1") { all[1].bind(all[0]) }
    world.thread("canceller") { all[0].cancel(Failure.first) }
    world.afterwards {
      world.expect(all.allSatisfy(\.isSettled), "no promise hangs")
      expectEnds(2, world)
      // The promise that found the cycle may have settled before the cancel visited that promise.
      world.expect(all.allSatisfy { $0.isCancelled || isCycle($0) }, "each is cancelled or finds a cycle")
      // K17.11: one has followed the other, and the other was cancelled before its bind and has withdrawn.
      // They wait for each other, are never finished, and retain each other, each with its unfinished work.
      if all.allSatisfy({ !$0.finished(on: .immediate).isSettled }) { world.expectLeft(4) }
    }
  },
  Program("bind against cancel of the adopter") { world in
    let all = roots(2, world)
    world.thread("binder") { all[0].bind(all[1]) }
    world.thread("canceller") { all[0].cancel() }
    world.afterwards {
      world.expect(all.allSatisfy(\.isCancelled), "all are cancelled in every order")
    }
  },
]
