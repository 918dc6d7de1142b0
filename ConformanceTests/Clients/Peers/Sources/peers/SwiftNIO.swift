import NIOCore
import NIOPosix
import PromisesAPlusSuite

/// A value as Sendable, which an `EventLoopFuture` requires. The suite uses a value on one thread at a time.
struct Sent: @unchecked Sendable {
  let value: Any
}

/// SwiftNIO's `EventLoopFuture`, chained by its own operators. Reasons are errors, and thenables are not
/// supported.
struct EventLoopFutureAdapter: PromiseAdapter {
  typealias P = EventLoopFuture<Sent>

  var capabilities: Capabilities {
    [.untypedValues, .absentHandlers, .adoption, .throwingHandlers, .resolve]
  }
  let loop: any EventLoop

  func pending() -> Deferred<P> {
    let promise = loop.makePromise(of: Sent.self)
    return Deferred(
      promise: promise.futureResult,
      resolve: { x in
        if let future = x as? P { promise.completeWith(future) } else { promise.succeed(Sent(value: x)) }
      },
      fulfill: { promise.succeed(Sent(value: $0)) },
      reject: { promise.fail(error(for: $0)) })
  }

  func then(_ promise: P, _ onFulfilled: Handler?, _ onRejected: Handler?) -> P {
    switch (onFulfilled, onRejected) {
    case (let onFulfilled?, nil):
      promise.flatMap { value in next { try onFulfilled(value.value) } }
    case (nil, let onRejected?):
      promise.flatMapError { reason in next { try onRejected(reason) } }
    case (let onFulfilled?, let onRejected?):
      promise.map { Result<Sent, any Error>.success($0) }.flatMapErrorThrowing { .failure($0) }
        .flatMap { (outcome: Result<Sent, any Error>) in
          switch outcome {
          case .success(let value): next { try onFulfilled(value.value) }
          case .failure(let reason): next { try onRejected(reason) }
          }
        }
    case (nil, nil): promise.map { $0 }
    }
  }

  /// `always` is used as `finally`. The callback of `always` returns nothing and cannot throw, and no promise
  /// waits for it.
  var combinators: Combinators<P> {
    var mine = Combinators<P>()
    mine.all = { inputs in
      P.whenAllSucceed(futures(inputs), on: loop).map { Sent(value: $0.map(\.value)) }
    }
    mine.allSettled = { inputs in
      P.whenAllComplete(futures(inputs), on: loop).map { results in
        Sent(value: results.map { $0.map(\.value) })
      }
    }
    mine.finally = { future, callback in future.always { _ in _ = try? callback() } }
    mine.withResolvers = { pending() }
    mine.takesAnything = false
    return mine
  }

  private func futures(_ inputs: [Any]) -> [P] { inputs.compactMap { $0 as? P } }

  private func next(_ body: () throws -> Any) -> P {
    do {
      let x = try body()
      return x as? P ?? loop.makeSucceededFuture(Sent(value: x))
    } catch {
      return loop.makeFailedFuture(error)
    }
  }
}
