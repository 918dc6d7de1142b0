// Programs with one settlement. They check the registration and order of handlers, and that each handler runs
// once.

import DynamicPromise
import Scheduler

let settlingPrograms = [
  Program("then against fulfill") { world in
    let (promise, resolver) = Promise.pending(on: .immediate)
    world.thread("settler") { resolver.fulfill(1) }
    world.thread("reader") {
      promise.then({ _ in world.note("value") }, { _ in world.note("reason") })
    }
    world.afterwards {
      world.expect(world.events == ["value"], "the handler runs once, with the value")
      world.expect(promise.isFulfilled, "the promise is settled")
    }
  },
  Program("two then against fulfill: order of scheduling", bound: 2) { world in
    let promise = Promise()
    let queue = DispatchQueue(label: "serial")
    promise.thenOn(Recorder("1", queue, world)) { _ in world.note("ran 1") }
    promise.thenOn(.immediate) { _ in world.note("in place 1") }
    world.thread("settler") { promise.fulfill(1) }
    world.thread("reader") {
      promise.thenOn(.immediate) { _ in world.note("in place 2") }
      promise.thenOn(Recorder("2", queue, world)) { _ in world.note("ran 2") }
      promise.thenOn(Recorder("3", queue, world)) { _ in world.note("ran 3") }
    }
    world.afterwards {
      let noted = { (start: String) in world.events.filter { $0.hasPrefix(start) } }
      world.expect(noted("to") == ["to 1", "to 2", "to 3"], "handlers are scheduled in the order of then")
      world.expect(noted("ran") == ["ran 1", "ran 2", "ran 3"], "each handler runs once, in order")
      world.expect(noted("in") == ["in place 1", "in place 2"], "handlers in place run once, in order")
    }
  },
  Program("fulfill against reject against cancel", bound: 3) { world in
    let (promise, resolver) = Promise.pending(on: .immediate)
    let child = promise.then({ _ in world.note("value") }, { _ in world.note("reason") })
    world.thread("1") {
      resolver.fulfill(1)
      world.expect(promise.isSettled, "the promise is settled when the call returns")
    }
    world.thread("2") {
      resolver.reject(Failure.first)
      world.expect(promise.isSettled, "the promise is settled when the call returns")
    }
    world.thread("3") {
      promise.cancel(Failure.second)
      world.expect(promise.isSettled, "the promise is settled when the call returns")
    }
    world.afterwards {
      world.expect(child.isSettled, "the child is settled")
      switch promise.result {
      case .success?:
        world.expect(world.events == ["value"] || world.events == [] && child.isCancelled, "after fulfill")
      case .failure(Failure.first)?:
        world.expect(world.events == ["reason"] || world.events == [] && child.isCancelled, "after reject")
      case .failure(Failure.second)?:
        world.expect(world.events == ["reason"] && child.isCancelled, "after cancel")
      default: world.expect(false, "the promise is settled")
      }
    }
  },
  Program("wait against fulfill", bound: 2) { world in
    let promise = Promise()
    world.thread("settler") { promise.fulfill(1) }
    world.thread("waiter") { if (try? promise.get()) as? Int == 1 { world.note("got") } }
    world.thread("impatient") { _ = try? promise.get(timeout: 1) }
    world.afterwards { world.expect(world.events == ["got"], "the wait ends") }
  },
]
