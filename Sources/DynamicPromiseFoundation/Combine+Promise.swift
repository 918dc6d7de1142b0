// Apple systems only. Elsewhere this file is compiled and tested with OpenCombine in Combine's place
// (`ConformanceTests/CombineTests`).

#if canImport(Combine)
  import Combine
  import DynamicPromise

  extension DynamicPromise.Future {
    /// The outcome as a publisher: one value and the end, or the failure. The publisher neither starts nor
    /// cancels anything. Each subscriber gets the same outcome, on the stack that settles the promise; a
    /// subscriber that cancels gets nothing more.
    public final var publisher: AnyPublisher<Any, any Error> {
      Deferred {
        Combine.Future<Any, any Error> { settle in
          let settle = Handed(settle)
          self.thenOn(
            .immediate, { settle.value(.success($0)) },
            { (reason: any Error) in settle.value(.failure(reason)) })
        }
      }
      .eraseToAnyPublisher()
    }
  }

  extension Publisher {
    /// A promise for the first value. A failure rejects it; an end without a value rejects it with
    /// `PromiseError.broken`. Subscribes at once. The subscription is cancelled when the promise is
    /// cancelled, or freed because nobody waits for it.
    public func firstPromise(on context: (any ExecutionContext)? = .inherited) -> Promise {
      let (promise, resolver) = Promise.pending(on: context)
      let subscription = Handed(
        first().sink { completion in
          if case .failure(let error) = completion {
            resolver.reject(error)
          } else {
            resolver.reject(PromiseError.broken)
          }
        } receiveValue: {
          resolver.fulfill($0)
        })
      // A subscription ends when nobody holds it: these closures hold it until the promise has settled.
      resolver.onCancel { _ in subscription.value.cancel() }
      resolver.onAbandon { subscription.value.cancel() }
      return promise
    }
  }
#endif
