import OpenCombine
import PromisesAPlusSuite

/// OpenCombine's `Future`. `then` makes another `Future` that subscribes at once, because operators
/// are lazy and run once per subscriber.
struct CombineFutureAdapter: PromiseAdapter {
  typealias P = Future<Any, any Error>

  var capabilities: Capabilities { [.untypedValues, .absentHandlers, .adoption, .throwingHandlers] }

  func pending() -> PromisesAPlusSuite.Deferred<P> {
    let settle = Held()
    let future = P { settle.promise = $0 }
    return PromisesAPlusSuite.Deferred(
      promise: future, resolve: { settle.promise?(.success($0)) },
      fulfill: { settle.promise?(.success($0)) }, reject: { settle.promise?(.failure(error(for: $0))) })
  }

  func then(_ promise: P, _ onFulfilled: Handler?, _ onRejected: Handler?) -> P {
    P { settle in
      observe(promise) { outcome in
        do {
          let x: Any
          switch outcome {
          case .success(let value): x = try onFulfilled?(value) ?? value
          case .failure(let reason):
            guard let onRejected else { throw reason }
            x = try onRejected(reason)
          }
          if let future = x as? P { observe(future, settle) } else { settle(.success(x)) }
        } catch {
          settle(.failure(error))
        }
      }
    }
  }

  private func observe(_ future: P, _ report: @escaping (Result<Any, any Error>) -> Void) {
    future.subscribe(
      Subscribers.Sink(
        receiveCompletion: { if case .failure(let reason) = $0 { report(.failure(reason)) } },
        receiveValue: { report(.success($0)) }))
  }

  /// The conformance is unchecked, because `promise` is set before other threads see the object.
  private final class Held: @unchecked Sendable {
    var promise: P.Promise?
  }
}
