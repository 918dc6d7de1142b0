// Programs in which followers, their targets or pending parents are freed.

import DynamicPromise
import Scheduler

/// A row of promises. Each promise follows the next promise, and the last promise has a resolver.
private final class Row: @unchecked Sendable {
  let holds: [Keep<Promise>]
  let resolver: Resolver
  let world: World

  init(_ count: Int, _ world: World) {
    let (end, resolver) = Promise.pending(on: .immediate)
    resolver.onCancel { _ in world.note("hook") }
    resolver.onAbandon { world.note("abandoned") }
    var row = (1..<count).map { _ in Promise(on: .immediate) }
    row.append(end)
    for number in 1..<count { row[number - 1].bind(row[number]) }
    holds = row.map { Keep($0) }
    self.resolver = resolver
    self.world = world
  }

  var first: Promise { holds[0].value }

  func expectFulfilled() {
    resolver.fulfill(1)
    world.expect(first.isFulfilled, "the first promise follows the last")
    world.expect(world.events == [], "no promise is cancelled or abandoned")
  }

  func expectCancelled() {
    world.expect(first.isCancelled && resolver.isCancelled, "both ends are cancelled")
    world.expect(world.events == ["hook"], "the hook runs once")
  }
}

/// A program in two versions. Each of some promises of a row is released on a separate thread.
private func row(
  _ name: String, _ count: Int, dropping numbers: [Int],
  _ setUp: @escaping @Sendable (World, Row) -> Void
) -> [Program] {
  both(name) { world in
    let row = Row(count, world)
    for number in numbers {
      world.thread("dropper \(number)") { [hold = row.holds[number]] in hold.drop() }
    }
    setUp(world, row)
  }
}

let linkingPrograms =
  row("the middle goes against cancel", 3, dropping: [1]) { world, row in
    world.thread("canceller") { row.first.cancel() }
    world.afterwards { row.expectCancelled() }
  }
  + row("the middle goes against settling", 3, dropping: [1]) { world, row in
    world.thread("settler") { row.resolver.fulfill(1) }
    world.afterwards { row.expectFulfilled() }
  }
  + row("the last adopter is cancelled against the last reference", 2, dropping: [1]) { world, row in
    world.thread("canceller") { row.first.cancel() }
    world.afterwards { row.expectCancelled() }
  }
  + [
    Program("the middle goes against cancel and a wait for the end", bound: 2) { world in
      let context = ManualContext()
      let target = Promise(on: .immediate)
      let cleanUp = target.catchOn(context) { _ in world.note("clean-up") }
      let middle = Keep(follower(of: target))
      let first = follower(of: middle.value)
      world.thread("dropper") { middle.drop() }
      world.thread("canceller") {
        first.cancel()
        first.finished().then { _ in world.note("finished") }
      }
      world.afterwards {
        world.expect(target.isCancelled && cleanUp.isPending, "the target is cancelled")
        world.expect(world.events.isEmpty, "the clean-up is awaited")
        context.finish()
        world.expect(world.events == ["clean-up", "finished"], "the clean-up runs, then the wait ends")
      }
    },
    Program("a pending parent is freed against the release of its child") { world in
      let (parent, resolver) = Promise.pending(on: .immediate)
      let child = parent.then { _ in Promise() }
      let below = child.then { _ in world.note("below") }
      let holds = (Keep(parent), Keep(child))
      world.thread("settler") {
        resolver.fulfill(1)
        holds.0.drop()
      }
      world.thread("dropper") { holds.1.drop() }
      world.afterwards {
        world.expect(below.isPending, "the end of the chain waits")
        below.root.cancel()
        world.expect(below.isCancelled, "the end is cancelled")
      }
    },
  ]
