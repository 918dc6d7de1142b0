// All programs, and what they have in common.

import DynamicPromise
import Scheduler

let programs =
  settlingPrograms + cancellingPrograms + adoptingPrograms + releasingPrograms
  + combiningPrograms + steppingPrograms + leafPrograms + carryingPrograms

enum Failure: Error { case first, second, third }

/// Fulfills a promise and lets go of it.
func settle(_ promise: Keep<Promise>) {
  promise.value.fulfill(1)
  promise.drop()
}

/// Keeps the functions that it is given.
final class Deferred: Thenable, @unchecked Sendable {
  var functions: (resolve: (@Sendable (Any) -> Void)?, reject: (@Sendable (Any) -> Void)?) = (nil, nil)
  var then: ThenMethod? { { [self] in functions = ($0, $1) } }
}

/// A context that notes the hand-over and then uses a queue.
struct Recorder: ExecutionContext {
  let name: String
  let queue: DispatchQueue
  let world: World

  init(_ name: String, _ queue: DispatchQueue, _ world: World) {
    self.name = name
    self.queue = queue
    self.world = world
  }

  func execute(_ job: @escaping @Sendable () -> Void) {
    world.note("to \(name)")
    Scheduler.point()
    queue.execute(job)
  }
}

/// What is made once and for all is made here: a thread that is preempted while it makes it would block the others for
/// real, where the scheduler cannot see it.
func warmUp() {
  for promise in [
    Promise(), Promise(on: .main), Promise(on: DispatchQueue(label: "warm")), Promise(on: .immediate),
  ] {
    let end = Promise()
    promise.then { _ in Promise() }.finally {}
    end.bind(promise)
    promise.fulfill(1)
    promise.cancel()
    promise.resolve([Failure.first])
  }
  for cancels in [true, false] { Promise.all([Promise(), 1], cancellingInputs: cancels).cancel() }
  _ = Promise.race([Promise.resolved(1)])
  Scheduler.drain()
}
