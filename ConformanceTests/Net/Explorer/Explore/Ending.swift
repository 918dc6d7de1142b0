// Programs in which a combinator, a series or a wait for a tree ends. Another thread registers entries that
// the end has to remove, or begins the next step.

import DynamicPromise
import Scheduler

/// Whether the promise has no consumer. If so, cancelling a new follower also cancels the promise.
private func hasNoConsumer(_ promise: Promise) -> Bool {
  follower(of: promise).cancel()
  return promise.isCancelled
}

/// A sequence whose first input settles on a separate thread. The sequence then waits for the second input.
private func sequence(_ world: World) -> (second: Promise, result: Keep<Promise>) {
  let (first, second) = (Promise(on: .immediate), Promise(on: .immediate))
  let result = Keep(Promise.sequence([first, second] as [Any?]) { (_: Any) -> Any? in 1 })
  world.thread("settler of the input") { first.fulfill(1) }
  return (second, result)
}

let endingPrograms = [
  Program("the next step of a sequence is entered against cancel") { world in
    let (second, result) = sequence(world)
    world.thread("canceller") { cancel(result) }
    world.afterwards {
      world.expect(second.isSettled || hasNoConsumer(second), "the waiting step is unused")
    }
  },
  Program("a consumer comes while a withdrawal climbs a long chain") { world in
    let task = Promise(on: .immediate)
    var row = [task]
    for number in 1...20 { row.append(row[number - 1].then { $0 }) }
    let (middle, end) = (row[10], row[20])
    row = []
    world.thread("withdrawer") { end.withdraw() }
    world.thread("consumer") { middle.then { _ in } }
    world.afterwards {
      world.expect(end.isCancelled, "the cancel climbs to the last promise without other consumers")
      world.expect(task.isCancelled == middle.isCancelled, "the cancel begins at one place")
      task.cancel()
    }
  },
  Program("a withdrawal climbs a long chain against the settling of its root", bound: 2) { world in
    let root = Promise(on: .immediate)
    var row = [root]
    for number in 1...20 { row.append(row[number - 1].then { $0 }) }
    let end = row[20]
    row = []
    world.thread("withdrawer") { if end.withdraw() { world.note("withdrawn") } }
    world.thread("settler") { root.fulfill(1) }
    world.afterwards {
      world.expect(end.isSettled, "the end settles")
      world.expect(end.isCancelled == (world.count("withdrawn") == 1), "what was withdrawn is cancelled")
    }
  },
  Program("children leave while a wait for the tree reads them", bound: 2) { world in
    let top = Promise(on: .immediate)
    top.fulfill(1)
    let tasks = (0..<20).map { _ in Promise(on: .immediate) }
    let children = tasks.map { task in top.then { _ in task } }
    world.thread("reader") {
      let whole = top.finished()
      whole.then { _ in
        world.expect(children.allSatisfy(\.isSettled), "every child is awaited")
        world.note("whole")
      }
    }
    world.thread("settler") { for number in [6, 7, 15] { tasks[number].fulfill(1) } }
    world.afterwards {
      for task in tasks { task.fulfill(1) }
      world.expect(world.count("whole") == 1, "the wait for the tree ends once")
    }
  },
  Program("a child is freed, and leaves its children to a parent that is being cancelled", bound: 2) {
    world in
    let top = Promise.resolved(1, on: .immediate)
    let tasks = (0..<20).map { _ in Promise(on: .immediate) }
    var children: [Promise?] = tasks.map { _ in top.then { 1 } }
    let below = zip(children, tasks).map { child, task in child!.then { 1 }.then { _ in task } }
    world.thread("canceller") { top.cancel() }
    world.thread("releaser") { for number in [6, 7, 15] { children[number] = nil } }
    world.afterwards { world.expect(below.allSatisfy(\.isSettled), "every promise below is cancelled") }
  },
]
