import Foundation
import PromisesAPlusSuite

/// A promise as half-hour tutorials build it: a state, a list of callbacks, and a lock. Handlers run on the
/// thread that settles the promise. The resolution procedure only adopts promises that handlers return.
final class TutorialPromise: @unchecked Sendable {
  private enum State {
    case pending
    case settled(Result<Any, any Error>)
  }

  private let lock = NSLock()
  private var state = State.pending
  private var callbacks: [(Result<Any, any Error>) -> Void] = []

  func settle(_ result: Result<Any, any Error>) {
    lock.lock()
    state = .settled(result)
    let waiting = callbacks
    callbacks = []
    lock.unlock()
    for callback in waiting { callback(result) }
  }

  func observe(_ callback: @escaping (Result<Any, any Error>) -> Void) {
    lock.lock()
    switch state {
    case .pending:
      callbacks.append(callback)
      lock.unlock()
    case .settled(let result):
      lock.unlock()
      callback(result)
    }
  }

  func then(
    _ onFulfilled: ((Any) throws -> Any)?, _ onRejected: ((any Error) throws -> Any)? = nil
  ) -> TutorialPromise {
    let next = TutorialPromise()
    observe { result in
      next.settle(with: { () throws -> Any in
        switch result {
        case .success(let value): try onFulfilled?(value) ?? value
        case .failure(let error): if let onRejected { try onRejected(error) } else { throw error }
        }
      })
    }
    return next
  }

  private func settle(with body: () throws -> Any) {
    do {
      let value = try body()
      if let promise = value as? TutorialPromise {
        promise.observe { self.settle($0) }
      } else {
        settle(.success(value))
      }
    } catch {
      settle(.failure(error))
    }
  }
}

struct TutorialAdapter: PromiseAdapter {
  var capabilities: Capabilities { [.untypedValues, .absentHandlers, .adoption, .throwingHandlers] }

  func pending() -> Deferred<TutorialPromise> {
    let promise = TutorialPromise()
    return Deferred(
      promise: promise, resolve: { promise.settle(.success($0)) }, fulfill: { promise.settle(.success($0)) },
      reject: { promise.settle(.failure(error(for: $0))) })
  }

  func then(_ promise: TutorialPromise, _ onFulfilled: Handler?, _ onRejected: Handler?) -> TutorialPromise {
    promise.then(onFulfilled, onRejected)
  }
}
