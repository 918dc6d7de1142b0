// A promise that crashes in the suite. A test runs this process and looks for the id of the case, or for the
// seed of the program, in its output.

import Foundation
import PromisesAPlusSuite

/// Follows the promise that it is resolved with, without a check for cycles. In a ring of promises, the
/// search recurses until the stack overflows.
final class CarelessPromise: @unchecked Sendable {
  private let lock = NSRecursiveLock()
  private var next: CarelessPromise?

  func resolve(_ x: Any) { lock.withLock { next = x as? CarelessPromise }; lookForOutcome() }

  // The unlock after the recursive call keeps the optimizer from turning the recursion into a loop.
  private func lookForOutcome() { lock.withLock { next?.lookForOutcome() } }
}

struct CarelessAdapter: PromiseAdapter {
  enum Crash { case trap, signal, abortElsewhere }

  /// How `then` crashes.
  var crash: Crash?

  func pending() -> Deferred<CarelessPromise> {
    let promise = CarelessPromise()
    return Deferred(promise: promise, resolve: { promise.resolve($0) }, fulfill: { _ in }, reject: { _ in })
  }

  func then(_ promise: CarelessPromise, _ onFulfilled: Handler?, _ onRejected: Handler?) -> CarelessPromise {
    switch crash {
    case nil: return CarelessPromise()
    case .trap: fatalError("then is not implemented")
    case .signal: raise(SIGSEGV)
    case .abortElsewhere: Thread { abort() }.start()
    }
    while true { pause() }
  }

  func on(_ context: SteppedContext) -> CarelessAdapter? { self }
}

// The program of seed 2 resolves a promise with itself before it calls `then`.
switch CommandLine.arguments.dropFirst().first {
case "overflow": print(ProgramRun(count: 1, seed: 2).run(CarelessAdapter()))
case "trap": print(ProgramRun(count: 1, seed: 3).run(CarelessAdapter(crash: .trap)))
case "signal":
  // Removes the runtime's handler, which would let the thread continue.
  signal(SIGSEGV, SIG_DFL)
  print(ProgramRun(count: 1, seed: 3).run(CarelessAdapter(crash: .signal)))
case "abort-elsewhere": print(ProgramRun(count: 1, seed: 3).run(CarelessAdapter(crash: .abortElsewhere)))
case "trap-on-threads":
  print(ProgramRun(count: 1, seed: 3, threads: 3).run(CarelessAdapter(crash: .trap)))
case "progress":
  print(ConformanceRun(cases: ConformanceSuite.cases(matching: "2.2.5")).run(CarelessAdapter()))
default:
  let cases = ConformanceSuite.cases(matching: "2.2.5") + ConformanceSuite.cases(matching: "2.3.1+ring-of-2")
  print(ConformanceRun(cases: cases).run(CarelessAdapter()))
}
