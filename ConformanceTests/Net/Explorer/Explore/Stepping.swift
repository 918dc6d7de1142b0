// Programs that add steps to settled promises, each step below the last, while promises above are freed.

import DynamicPromise
import Scheduler

/// A row of settled promises. The first is the root, and each other promise is the only child of its
/// predecessor. Each promise is retained until it is dropped.
private func settledRow(_ count: Int, _ world: World) -> [Keep<Promise>] {
  let root = Promise(on: .immediate)
  root.fulfill(0)
  var row = [root]
  for number in 1..<count { row.append(row[number - 1].then { _ in number }) }
  return row.map { Keep($0) }
}

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
  Program("a step in place ends against cancel of the root") { world in
    let row = settledRow(2, world)
    world.thread("adder") {
      let step = row[1].value.then { _ in
        Scheduler.point()
        return "done"
      }
      switch step.result {
      case .success(let value): world.note("\(value)")
      case .failure(let reason): world.note(reason is CancellationError ? "cancelled" : "\(reason)")
      case nil: world.note("pending")
      }
      row[1].drop()
    }
    world.thread("canceller") { cancel(row[0]) }
    world.afterwards {
      world.expect(world.events == ["done"] || world.events == ["cancelled"], "the outcome is permanent")
    }
  },
]
