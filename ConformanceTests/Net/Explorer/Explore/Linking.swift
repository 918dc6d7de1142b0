// Programs in which followers or their targets are freed, and programs with promises that retain themselves.

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
  _ name: String, _ count: Int, bound: Int? = nil, dropping numbers: [Int],
  _ setUp: @escaping @Sendable (World, Row) -> Void
) -> [Program] {
  both(name, bound: bound) { world in
    let row = Row(count, world)
    for number in numbers {
      world.thread("dropper \(number)") { [hold = row.holds[number]] in hold.drop() }
    }
    setUp(world, row)
  }
}

let linkingPrograms =
  row("both ends of a link go", 4, dropping: [1, 2]) { world, row in
    world.afterwards { row.expectFulfilled() }
  }
  + row("both ends of a link go, and then comes a cancel", 4, dropping: [1, 2]) { world, row in
    world.afterwards {
      row.first.cancel()
      row.expectCancelled()
    }
  }
  + row("both ends of a link go against cancel", 4, dropping: [1, 2]) { world, row in
    world.thread("canceller") { row.first.cancel() }
    world.afterwards { row.expectCancelled() }
  }
  + row("three in the middle go", 5, bound: 2, dropping: [1, 2, 3]) { world, row in
    world.afterwards { row.expectFulfilled() }
  }
  + row("the middle goes against cancel", 3, dropping: [1]) { world, row in
    world.thread("canceller") { row.first.cancel() }
    world.afterwards { row.expectCancelled() }
  }
  + row("the middle goes against settling", 3, dropping: [1]) { world, row in
    world.thread("settler") { row.resolver.fulfill(1) }
    world.afterwards { row.expectFulfilled() }
  }
  + row("the middle goes against cancel against another adopter of it", 3, dropping: [1]) { world, row in
    let other = Promise(on: .immediate)
    let hold = Keep(row.holds[1].value)
    world.thread("canceller") { row.first.cancel() }
    world.thread("binder") {
      other.bind(hold.value)
      hold.drop()
    }
    world.afterwards {
      world.expect(row.first.isCancelled, "the first promise is cancelled")
      if !row.resolver.isCancelled { row.resolver.fulfill(1) }
      world.expect(other.isSettled, "the other adopter follows the end")
      world.expect(other.isCancelled == row.resolver.isCancelled, "the adopter is cancelled with the end")
    }
  }
  + row("the middle and the end go", 3, dropping: [1, 2]) { world, row in
    world.afterwards { row.expectFulfilled() }
  }
  + row("the middle and the first go", 3, dropping: [0, 1]) { world, row in
    row.holds[2].drop()
    world.afterwards { world.expect(row.world.events == ["abandoned"], "no promise waits") }
  }
  + row("the end keeps itself for the first against the first one that goes", 2, dropping: [0]) {
    world, row in
    row.holds[1].drop()
    world.thread("settler") { row.resolver.fulfill(1) }
    world.afterwards {
      world.expect(row.world.count("abandoned") == (row.resolver.isAbandoned ? 1 : 0), "the hook runs once")
    }
  }
  + row("the last adopter goes against the next one", 2, dropping: [0]) { world, row in
    let next = Promise(on: .immediate)
    world.thread("binder") {
      next.bind(row.holds[1].value)
      row.holds[1].drop()
    }
    world.afterwards {
      row.resolver.fulfill(1)
      world.expect(next.isFulfilled && world.events == [], "the promise is retained for the next adopter")
    }
  }
  + row("one adopter withdraws, the other one is released, and so is what they follow", 3, dropping: [1]) {
    world, row in
    let other = Keep(follower(of: row.holds[1].value))
    world.thread("dropper") { other.drop() }
    row.first.cancel()
    world.afterwards { row.expectCancelled() }
  }
  + row("the last adopter is cancelled against the last reference", 2, dropping: [1]) { world, row in
    world.thread("canceller") { row.first.cancel() }
    world.afterwards { row.expectCancelled() }
  }
  + [
    Program("a pending parent goes against cancel of its child") { world in
      let (parent, resolver) = Promise.pending(on: .immediate)
      resolver.onAbandon { world.note("abandoned") }
      let child = parent.then { _ in world.note("ran") }
      let kept = Keep(parent)
      world.thread("dropper") { kept.drop() }
      world.thread("canceller") { child.cancel() }
      world.afterwards {
        world.expect(child.isCancelled && resolver.isAbandoned, "no promise waits")
        world.expect(world.events == ["abandoned"], "the hook runs once")
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
    Program("a child is bound by hand against scheduling") { world in
      let parent = Promise(on: .immediate)
      let child = parent.then { _ in world.note("handler") }
      let other = Promise(on: .immediate)
      world.thread("settler") { parent.fulfill(1) }
      world.thread("binder") { child.bind(other) }
      world.afterwards {
        world.expect(world.events == ["handler"], "the handler runs exactly once")
        other.reject(Failure.first)
        world.expect(child.isSettled, "the child is settled")
      }
    },
    Program("more drivers on a stack than there may be, against cancel in the middle", bound: 1) { world in
      let row = (0..<20).map { _ in Promise(on: .immediate) }
      for (number, promise) in row.enumerated() {
        promise.finally { world.note("\(number)") }
        guard number + 1 < row.count else { continue }
        promise.catch { _ in row[number + 1].cancel() }
      }
      world.thread("canceller") { row[0].cancel() }
      world.thread("canceller of the middle") { row[18].cancel() }
      world.afterwards {
        world.expect(row.allSatisfy(\.isCancelled), "all promises are cancelled")
        world.expect(Set(world.events).count == 20 && world.events.count == 20, "each promise ends once")
      }
    },
    Program("so many late handlers that the pool takes over", bound: 2) { world in
      let promise = Promise(on: .immediate)
      let begun = Cell(0)
      let done = Cell(0)
      promise.then { _ in
        begun.bits = 2
        Scheduler.wait(for: done)
      }
      world.thread("settler") { promise.fulfill(1) }
      world.thread("reader") {
        Scheduler.wait(for: begun)
        for number in 0..<10 { promise.thenOn(Inline()) { _ in world.note("\(number)") } }
        done.bits = 2
      }
      world.afterwards {
        world.expect(world.events == (0..<10).map { "\($0)" }, "each handler runs once, in order")
      }
    },
  ]

/// A context that runs its jobs at once, and that the core does not recognize.
private struct Inline: ExecutionContext {
  func execute(_ job: @escaping @Sendable () -> Void) { job() }
}
