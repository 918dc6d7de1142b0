// A promise that crashes in the suite. A test runs this process and looks for the id of the case in its
// output.

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
  func pending() -> Deferred<CarelessPromise> {
    let promise = CarelessPromise()
    return Deferred(promise: promise, resolve: { promise.resolve($0) }, fulfill: { _ in }, reject: { _ in })
  }

  func then(_ promise: CarelessPromise, _ onFulfilled: Handler?, _ onRejected: Handler?) -> CarelessPromise {
    CarelessPromise()
  }
}

let cases = ConformanceSuite.cases(matching: "2.2.5") + ConformanceSuite.cases(matching: "2.3.1+ring-of-2")
print(ConformanceRun(cases: cases).run(CarelessAdapter()))
