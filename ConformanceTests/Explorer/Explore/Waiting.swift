// Programs in which a thread checks for a deadlock and blocks, while the steps of a series begin and end.

import DynamicPromise
import Scheduler

/// Waits for the result on a separate thread, and checks its numbers.
private func wait(for result: Promise, _ numbers: [Int], _ world: World) {
  world.thread("waiter") {
    do {
      world.expect(try result.get(as: [Int].self) == numbers, "the tasks' values, in order")
    } catch {
      world.expect(false, "the wait returns a value, but threw \(error)")
    }
    world.note("got")
  }
}

let waitingPrograms = [
  Program("a blocking wait for two lanes against the end of a step on each", bound: 1) { world in
    let inputs = (0..<2).map { _ in Promise(on: .immediate) }
    wait(for: Promise.map(inputs + [2], concurrency: 2) { $0 }, [0, 1, 2], world)
    for (number, input) in inputs.enumerated() {
      world.thread("settler \(number)") { input.fulfill(number) }
    }
    world.afterwards { world.expect(world.events == ["got"], "the wait ends") }
  },
  Program("a blocking wait for a sequence against its steps", bound: 2) { world in
    let input = Promise(on: .immediate)
    wait(for: Promise.sequence([input, 1, 2] as [Any?]) { $0 }, [0, 1, 2], world)
    world.thread("settler") { input.fulfill(0) }
    world.afterwards { world.expect(world.events == ["got"], "the wait ends") }
  },
]
