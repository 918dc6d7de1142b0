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
  Program("two bind against fulfill", bound: 2) { world in
    let all = roots(3, world)
    world.thread("binder 0") { all[0].bind(all[1]) }
    world.thread("binder 1") { all[1].bind(all[2]) }
    world.thread("settler") { all[2].fulfill(1) }
    world.afterwards { expectEnds(3, world) }
  },
  Program("bind against bind of the same promise") { world in
    let all = roots(3, world)
    world.thread("binder 1") { all[0].bind(all[1]) }
    world.thread("binder 2") { all[0].bind(all[2]) }
    world.afterwards {
      all[1].fulfill(1)
      all[2].reject(Failure.first)
      world.expect(all[0].isSettled, "the first bind wins")
      expectEnds(3, world)
    }
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
  Program("bind against cancel of the adopted") { world in
    let all = roots(2, world)
    world.thread("binder") { all[0].bind(all[1]) }
    world.thread("canceller") { all[1].cancel() }
    world.afterwards { world.expect(all.allSatisfy(\.isCancelled), "the adopter is also cancelled") }
  },
  Program("an adopter moves on against its cancel") { world in
    let all = roots(3, world)
    all[0].bind(all[1])
    world.thread("binder") { all[1].bind(all[2]) }
    world.thread("canceller") { all[0].cancel() }
    world.afterwards {
      world.expect(all.allSatisfy(\.isCancelled), "all promises are cancelled")
    }
  },
  Program("an adopter moves on against the end's fulfill against cancel") { world in
    let all = roots(3, world)
    all[0].bind(all[1])
    world.thread("binder") { all[1].bind(all[2]) }
    world.thread("settler") { all[2].fulfill(1) }
    world.thread("canceller") { all[1].cancel() }
    world.afterwards {
      world.expect(all.allSatisfy(\.isSettled), "no promise hangs")
      expectEnds(3, world)
      // The cancel may happen after the end was fulfilled, while some followers are still pending.
      world.expect(!all[2].isCancelled || all.allSatisfy(\.isCancelled), "a cancel of the end cancels all")
      world.expect(all[2].isCancelled || all[2].isFulfilled, "the end is cancelled or fulfilled")
    }
  },
  Program("a second bind passes one that moves on") { world in
    let all = roots(4, world)
    all[0].bind(all[1])
    world.thread("binder 1") { all[1].bind(all[3]) }
    world.thread("binder 2") { all[2].bind(all[0]) }
    world.afterwards {
      all[3].fulfill(1)
      world.expect(all.allSatisfy(\.isFulfilled), "all follow the end")
    }
  },
  Program("adopters move on twice at once") { world in
    let all = roots(4, world)
    all[0].bind(all[1])
    world.thread("binder 1") { all[1].bind(all[2]) }
    world.thread("binder 2") { all[2].bind(all[3]) }
    world.afterwards {
      all[3].fulfill(1)
      world.expect(all.allSatisfy(\.isFulfilled), "all follow the end")
    }
  },
  Program("an adopter that others have moved past is freed against settling") { world in
    let (end, resolver) = Promise.pending(on: .immediate)
    let adopter = Promise()
    let intermediate = Promise()
    adopter.bind(intermediate)
    let kept = Keep(intermediate)
    world.thread("binder") {
      kept.value.bind(end)
      kept.drop()
    }
    world.thread("settler") { resolver.fulfill(1) }
    world.afterwards { world.expect(adopter.isFulfilled, "the adopter follows the end") }
  },
  Program("a represented adopter below a session against its cancel") { world in
    let session = Promise(on: .immediate)
    session.fulfill(1)
    let end = Promise(onCancel: { _ in world.note("end cancelled") })
    let request = session.then { _ in end }
    let adopter = Promise()
    let kept = Keep(request)
    world.thread("binder") {
      adopter.bind(kept.value)
      kept.drop()
    }
    world.thread("canceller") { session.cancel() }
    world.afterwards {
      world.expect(adopter.isCancelled && world.count("end cancelled") == 1, "the end is cancelled")
    }
  },
  Program("a represented adopter's parent is asked for") { world in
    let end = Promise(onCancel: { _ in world.note("end cancelled") })
    let root = Promise(on: .immediate)
    let request = root.then { _ in end }
    let adopter = Promise()
    root.fulfill(1)
    let holds = (Keep(request), Keep(request))
    world.thread("binder") {
      adopter.bind(holds.0.value)
      holds.0.drop()
    }
    world.thread("asker") {
      let parent = holds.1.value.parent
      holds.1.drop()
      cancel(parent, world)
    }
    world.afterwards {
      world.expect(
        (world.count("end cancelled") == 1) == (world.count("asked") == 1), "only the ancestor cancels it")
      world.expect(adopter.isCancelled == end.isCancelled, "the adopter has the outcome of the end")
      end.cancel()
    }
  },
  Program("a thenable's functions against each other against cancel") { world in
    let promise = Promise(on: .immediate)
    let other = Promise()
    let thenable = Deferred()
    promise.finally { world.note("end") }
    promise.resolve(thenable)
    let functions = thenable.functions
    world.thread("resolver") { functions.resolve?(other) }
    world.thread("rejecter") { functions.reject?(Failure.first) }
    world.thread("canceller") { promise.cancel(Failure.second) }
    world.afterwards {
      thenable.functions = (nil, nil)
      world.expect(promise.isRejected, "no promise hangs")
      world.expect(world.events == ["end"], "the promise ends once")
      other.cancel()
    }
  },
]
