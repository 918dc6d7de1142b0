// Helpers for the tests of combinators.

import DynamicPromise

/// With this number of inputs, steps or levels, a recursion would overflow a small stack.
let manyInputs = min(depthBeyondTheStack, 200_000)

/// The combinators that wait for all their inputs, or for the first suitable input.
let combinators: [@Sendable (_ inputs: [Any], _ cancelsInputs: Bool) -> Promise] = [
  { Promise.all($0, cancellingInputs: $1) }, { Promise.allSettled($0, cancellingInputs: $1) },
  { Promise.any($0, cancellingInputs: $1) }, { Promise.race($0, cancellingInputs: $1) },
]

/// Passes a pending promise to `use`, and does not retain the promise.
final class Unretained: Sendable {
  let resolver: Resolver
  private let cancelled = Counter()
  private let abandoned = Counter()

  init(on context: any ExecutionContext = .immediate, _ use: (Promise) -> Void) {
    let promise: Promise
    (promise, resolver) = Promise.pending(on: context)
    resolver.onCancel { [cancelled] _ in cancelled.increment() }
    resolver.onAbandon { [abandoned] in abandoned.increment() }
    use(promise)
  }

  // These properties keep the resolver alive until they are read.
  var cancellations: Int { withExtendedLifetime(self) { cancelled.value } }
  var abandonments: Int { withExtendedLifetime(self) { abandoned.value } }
}

/// A clock that retains its jobs, even those of cancelled timers. A test runs each job once or several times.
struct KeepingClock: TimerContext {
  let delays = Log<Double>()
  let jobs = Log<@Sendable () -> Void>()

  func execute(_ job: @escaping @Sendable () -> Void) { job() }

  func schedule(after seconds: Double, _ job: @escaping @Sendable () -> Void) -> @Sendable () -> Void {
    delays.append(seconds)
    jobs.append(job)
    return {}
  }
}
