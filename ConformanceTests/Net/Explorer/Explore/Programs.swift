// All programs, and their common helpers.

import DynamicPromise
import Scheduler

let programs =
  settlingPrograms + cancellingPrograms + markingPrograms + adoptingPrograms + circlingPrograms
  + releasingPrograms + combiningPrograms + waitingPrograms + steppingPrograms + withdrawingPrograms
  + linkingPrograms + endingPrograms

/// A program in two versions: each tree has its own lock, or all trees share one lock. The bound is for the
/// second version, in which more steps depend on each other.
func both(_ name: String, bound: Int? = nil, _ setUp: @escaping @Sendable (World) -> Void) -> [Program] {
  [
    Program(name, setUp),
    Program("\(name); one lock", bound: bound, sharesLocks: true, setUp),
  ]
}

enum Failure: Error { case first, second, third }

/// Fulfills a promise and releases it.
func settle(_ promise: Keep<Promise>) {
  promise.value.fulfill(1)
  promise.drop()
}

/// Cancels a promise and releases it.
func cancel(_ promise: Keep<Promise>) {
  promise.value.cancel()
  promise.drop()
}

/// A promise whose cancel hook notes "hook".
func task(_ world: World) -> Promise { task { world.note("hook") } }

/// A promise with this cancel hook.
func task(_ hook: @escaping @Sendable () -> Void) -> Promise {
  let (promise, resolver) = Promise.pending(on: .immediate)
  // The hook retains the resolver, because the promise would break if the resolver were released.
  resolver.onCancel { [resolver] _ in
    _ = resolver
    hook()
  }
  return promise
}

/// A pending promise that follows this promise.
func follower(of promise: Promise) -> Promise {
  let follower = Promise(on: .immediate)
  follower.bind(promise)
  return follower
}

/// Cancels the parent of a promise, if it exists.
func cancel(_ parent: Promise?, _ world: World) {
  guard let parent else { return }
  Scheduler.point()
  parent.cancel()
  world.note("asked")
}

/// A thenable that keeps its functions.
final class Deferred: Thenable, @unchecked Sendable {
  var functions: (resolve: (@Sendable (Any) -> Void)?, reject: (@Sendable (Any) -> Void)?) = (nil, nil)
  var then: ThenMethod? { { [self] in functions = ($0, $1) } }
}

/// A context that notes each job and then enqueues the job on a queue.
struct Recorder: ExecutionContext {
  let name: String
  let queue: DispatchQueue
  let world: World

  init(_ name: String, _ queue: DispatchQueue, _ world: World) {
    (self.name, self.queue, self.world) = (name, queue, world)
  }

  func execute(_ job: @escaping @Sendable () -> Void) {
    world.note("to \(name)")
    Scheduler.point()
    queue.execute(job)
  }
}

/// A context whose jobs are run or dropped by hand.
final class ManualContext: ExecutionContext, @unchecked Sendable {
  private let cell = Cell(0)
  private var jobs: [@Sendable () -> Void] = []

  func execute(_ job: @escaping @Sendable () -> Void) {
    cell.touch()
    jobs.append(job)
  }

  func run() {
    cell.touch()
    for job in jobs { job() }
  }

  func drop() {
    Scheduler.point()
    cell.touch()
    let dropped = jobs
    jobs = []
    withExtendedLifetime(dropped) {}
  }

  func finish() {
    run()
    drop()
  }
}

/// Creates all lazily created objects. Otherwise a thread could be preempted while it creates such an object,
/// and block the other threads without the scheduler's knowledge.
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
