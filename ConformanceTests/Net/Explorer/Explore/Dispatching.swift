// Programs with more promises than one critical section, or one call, processes. The programs' preemption
// bounds are small, because the steps of interest occur late in a long run.

import DynamicPromise
import Scheduler

/// The scheduled handlers in order, and the threads that scheduled them.
private final class Register: @unchecked Sendable {
  private let cell = Cell(0)
  private(set) var numbers: [Int] = []
  private var threads: [Int] = []

  func note(_ number: Int) {
    cell.touch()
    numbers.append(number)
    threads.append(Scheduler.current)
  }

  /// The number of handlers with these numbers that the thread has scheduled.
  func count(_ numbers: Range<Int>, by thread: Int) -> Int {
    zip(self.numbers, threads).count { numbers.contains($0) && $1 == thread }
  }
}

/// A context that records and retains each job.
private struct Registered: ExecutionContext {
  let number: Int
  let register: Register
  let manual: ManualContext

  func execute(_ job: @escaping @Sendable () -> Void) {
    register.note(number)
    manual.execute(job)
  }
}

extension Promise {
  /// Adds handlers whose numbers are recorded when they are scheduled.
  fileprivate func addHandlers(_ numbers: Range<Int>, _ register: Register, _ manual: ManualContext) {
    for number in numbers {
      thenOn(Registered(number: number, register: register, manual: manual)) { _ in }
    }
  }
}

let dispatchingPrograms = [
  Program("more handlers of another thread than one call schedules", bound: 2) { world in
    let root = Promise(on: .immediate)
    let (register, manual) = (Register(), ManualContext())
    root.addHandlers(0..<2, register, manual)
    world.thread("settler") { root.fulfill(1) }
    world.thread("reader") { root.addHandlers(2..<9, register, manual) }
    world.afterwards {
      world.expect(register.numbers == Array(0..<9), "each is scheduled once, in order: \(register.numbers)")
      manual.finish()
    }
  },
  Program("a handler in place adds some while another thread adds more than one call schedules", bound: 2) {
    world in
    let root = Promise(on: .immediate)
    root.fulfill(1)
    let (register, manual) = (Register(), ManualContext())
    let (own, others) = (10..<13, 0..<6)
    let (first, second) = (Slot(), Slot())
    world.thread("first") {
      first.promise = root.then { _ in
        Scheduler.point()
        root.addHandlers(own, register, manual)
        return Scheduler.current
      }
    }
    world.thread("second") {
      // The call is in a handler, so that only the thread's number shows that this is another thread.
      second.promise = Promise.resolved(1).thenOn(.immediate) { _ in
        root.addHandlers(others, register, manual)
        return Scheduler.current
      }
    }
    world.afterwards {
      let numbers = register.numbers
      world.expect(numbers.filter(own.contains) == Array(own), "own handlers in order: \(numbers)")
      world.expect(numbers.filter(others.contains) == Array(others), "other handlers in order: \(numbers)")
      // The second thread may also have run the handler of the first thread.
      if case .success(let thread as Int) = first.promise!.result,
        case .success(let other as Int) = second.promise!.result, thread != other
      {
        world.expect(register.count(others, by: thread) <= 3, "one call schedules at most 3: \(numbers)")
      }
      manual.finish()
    }
  },
  Program("an outcome passes more handlers than one section before a loser is cancelled", bound: 1) { world in
    let winner = Promise(on: .immediate)
    let passed = Slot()
    let loser = task { world.note(passed.promise!.isFulfilled ? "in time" : "too late") }
    let race = Promise.race([winner, loser], cancellingInputs: true)
    let manual = ManualContext()
    let handled = (0..<66).map { _ in race.thenOn(manual) { _ in world.note("ran") } }
    passed.promise = race.catch { _ in world.note("caught") }
    world.thread("winner") { winner.fulfill(1) }
    // A section begins with this handler. The cancel removes the handler from the list.
    let last = handled[64]
    world.thread("canceller") { last.cancel() }
    world.afterwards {
      manual.finish()
      world.expect(passed.promise!.isFulfilled, "the value is passed on")
      world.expect(world.count("ran") == (last.isCancelled ? 65 : 66), "each uncancelled handler runs once")
      world.expect(world.count("in time") == 1, "children without a handler settle first")
    }
  },
  Program(
    "the last consumer of a step that continues only while it is wanted leaves against its root's settling"
  ) {
    world in
    let root = task(world)
    let step = root.then { _ in world.note("step") }.cancelsWhenUnwanted()
    let end = step.then { _ in }
    let other = Slot()
    world.thread("canceller") { end.cancel() }
    world.thread("reader") { other.promise = root.then { _ in world.note("other") } }
    world.thread("settler") { root.fulfill(1) }
    world.afterwards {
      world.expect(root.isSettled && step.isSettled && end.isSettled, "all promises settle")
      world.expect(other.promise!.isFulfilled == root.isFulfilled, "the child has the root's outcome")
      world.expect(world.count("hook") == (root.isCancelled ? 1 : 0), "a cancel runs the hook once")
      world.expect(!root.isCancelled || step.isCancelled && end.isCancelled, "both steps are cancelled too")
      world.expect(end.isCancelled || step.isFulfilled, "the end is cancelled, or the step has run")
    }
  },
]
