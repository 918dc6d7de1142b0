// What the tests of combinators share.

import DynamicPromise

/// So many inputs, steps or levels that no recursion survives them on a small stack.
#if DEBUG
  let manyInputs = 20_000
#else
  let manyInputs = 200_000
#endif

/// A pending promise that nothing retains but what `use` makes of it.
final class Unretained: Sendable {
  let resolver: Resolver
  private let cancelled = Counter()
  private let abandoned = Counter()

  init(on context: any ExecutionContext = ImmediateContext(), _ use: (Promise) -> Void) {
    let promise: Promise
    (promise, resolver) = Promise.pending(on: context)
    resolver.onCancel { [cancelled] _ in cancelled.increment() }
    resolver.onAbandon { [abandoned] in abandoned.increment() }
    use(promise)
  }

  // The resolver lives as long as they are asked for.
  var cancellations: Int { withExtendedLifetime(self) { cancelled.value } }
  var abandonments: Int { withExtendedLifetime(self) { abandoned.value } }
}

/// A clock that keeps its jobs, also those of cancelled timers. A test runs them, once or more.
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
