// Helpers for tests of freed handlers.

import DynamicPromise

/// Makes and retains the promises of a test, on a context that the test steps.
final class Bench: @unchecked Sendable {
  let context = SteppedContext()
  let alive = LiveCount()
  var kept: [Promise] = []

  func open() -> Promise {
    let promise = Promise(on: context)
    kept.append(promise)
    return promise
  }

  func fulfilled() -> Promise { open().fulfilled() }
  func rejected() -> Promise { open().refused(with: Failure()) }

  func handler(_ canary: Canary) -> (@Sendable (Any) throws -> Void)? { { _ in use(canary) } }
  func rejecter(_ canary: Canary) -> (@Sendable (any Error) throws -> Void)? { { _ in use(canary) } }

  func step(_ promise: Promise) -> Promise {
    context.drain()
    return promise
  }

  /// A promise that is already cancelled when its handler returns.
  func cancelledInside(_ canary: Canary) -> Promise {
    let own = Log<Promise>()
    let promise = fulfilled().then { _ in
      own.all[0].cancel()
      return canary
    }
    own.append(promise)
    return step(promise)
  }

  /// Runs all jobs and settles all promises.
  func finish() {
    context.drain()
    for promise in kept where promise.isPending { promise.fulfill(0) }
    context.drain()
  }
}

extension Promise {
  func fulfilled(with value: Any = 0) -> Promise {
    fulfill(value)
    return self
  }

  func refused(with reason: Any) -> Promise {
    reject(reason)
    return self
  }

  func decided(with x: Any) -> Promise {
    resolve(x)
    return self
  }

  func cancelled(with reason: Any = Failure()) -> Promise {
    cancel(reason)
    return self
  }
}

func use(_ canary: Canary) { withExtendedLifetime(canary) {} }

func use<T>(_ canary: Canary, _ result: T) -> T { withExtendedLifetime(canary) { result } }

func fail<T>(_ canary: Canary) throws -> T { throw use(canary, Failure()) }

/// An error that retains a canary.
struct Holding: Error {
  let canary: Canary
  init(_ canary: Canary) { self.canary = canary }
}
