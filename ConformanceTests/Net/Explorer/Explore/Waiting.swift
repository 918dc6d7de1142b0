// Programs in which a thread checks for a deadlock and blocks, while what it waits for begins and ends.

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

/// Waits for the result in a block of the queue, which blocks other handlers of the queue. Notes the outcome.
private func wait(on queue: DispatchQueue, for result: Promise, _ world: World) {
  Promise.resolved(0, on: .immediate).thenOn(queue) { _ in
    do {
      world.note("\(try result.get())")
    } catch {
      world.note("\(error)")
    }
  }
}

let waitingPrograms = [
  Program("a blocking wait for a sequence against its steps", bound: 2) { world in
    let input = Promise(on: .immediate)
    wait(for: Promise.sequence([input, 1, 2] as [Any?]) { $0 }, [0, 1, 2], world)
    world.thread("settler") { input.fulfill(0) }
    world.afterwards { world.expect(world.events == ["got"], "the wait ends") }
  },
  Program("a blocking wait on a queue against the timer that ends it", bound: 2) { world in
    let (home, root) = (DispatchQueue(label: "home"), Promise(on: .immediate))
    wait(on: home, for: root.thenOn(home) { $0 }.setTimeout(1), world)
    world.afterwards {
      world.expect(world.events == ["timed out"], "the time limit ends the wait")
      root.cancel()
    }
  },
]
