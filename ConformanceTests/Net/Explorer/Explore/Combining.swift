// Programs in which combinators start and stop observing their inputs.

import DynamicPromise
import Scheduler

let combiningPrograms = [
  Program("all of two against their settling, one of them observed by another one, too") { world in
    let (first, second) = (Promise(on: .immediate), Promise(on: .immediate))
    Promise.all([first, second]).then { world.note("\($0 as! [Int])") }
    world.thread("settler of the first") { first.fulfill(1) }
    world.thread("settler of the second") { second.fulfill(2) }
    world.thread("other") {
      Promise.race([first]).then { world.note("other \($0)") }
    }
    world.afterwards {
      world.expect(world.events.sorted() == ["[1, 2]", "other 1"], "each combinator is fulfilled once")
    }
  },
  Program("all of one input twice against its settling") { world in
    let input = Promise(on: .immediate)
    world.thread("settler") { input.fulfill(1) }
    world.thread("reader") {
      Promise.all([input, input]).then { world.note("\($0 as! [Int])") }
    }
    world.afterwards { world.expect(world.events == ["[1, 1]"], "the input counts twice") }
  },
  Program("a race is decided against another observer of the loser against its settling", bound: 2) { world in
    let (loser, winner) = (Promise(on: .immediate), Promise(on: .immediate))
    let race = Promise.race([loser, winner])
    race.then { world.note("race \($0)") }
    world.thread("winner") { winner.fulfill(1) }
    world.thread("loser") { loser.fulfill(2) }
    world.thread("other") {
      Promise.all([loser, winner]).then { world.note("other \($0 as! [Int])") }
    }
    world.afterwards {
      world.expect(world.count("race 1") + world.count("race 2") == 1, "the race is decided once")
      world.expect(world.count("other [2, 1]") == 1, "a later combinator has both values")
    }
  },
  Program("the last reference to a result against its inputs and another one's end") { world in
    let (input, resolver) = Promise.pending(on: .immediate)
    let task = Keep(resolver)
    let dropped = Keep(Promise.all([input, Promise()]))
    let cancelled = Promise.race([input], cancellingInputs: true)
    world.thread("dropper") { dropped.drop() }
    world.thread("canceller") { cancelled.cancel() }
    world.thread("settler") { task.value.fulfill(1) }
    world.afterwards {
      world.expect(input.isSettled, "the input is settled or cancelled")
      world.expect(cancelled.isSettled, "the race is decided or cancelled")
      task.drop()
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
  Program("waiting for a tree begins while it is settled and released") { world in
    let root = Keep(Promise(on: .immediate))
    let child = Keep(root.value.then { $0 })
    world.thread("settler") { settle(root) }
    world.thread("waiter") {
      let whole = child.value.finished()
      whole.then { _ in world.note("whole") }
      child.drop()
    }
    world.afterwards { world.expect(world.events == ["whole"], "the wait ends once") }
  },
  Program("the result of waiting for a tree is cancelled against the settling") { world in
    let root = Promise(on: .immediate)
    let child = root.then { $0 }
    let whole = Keep(root.finished())
    world.thread("settler") { root.fulfill(1) }
    world.thread("canceller") { cancel(whole) }
    world.afterwards { world.expect(child.isFulfilled, "the tree continues") }
  },
  Program("the last reference to a pending promise against waiting for its tree") { world in
    let root = Keep(Promise(on: .immediate))
    let held = Keep(root.value)
    root.value.finished().then { _ in world.note("whole") }
    world.thread("dropper") { root.drop() }
    world.thread("waiter") {
      let late = held.value.finished()
      late.then { _ in world.note("late") }
      held.drop()
    }
    world.afterwards {
      world.expect(world.events.sorted() == ["late", "whole"], "both waits end")
    }
  },
]
