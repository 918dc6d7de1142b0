// Apple systems only. Elsewhere this file is compiled and tested with OpenCombine
// (`ConformanceTests/CombineTests`).

#if canImport(Combine)
  import Combine
  import DynamicPromise

  extension DynamicPromise.Promise {
    /// The outcome as a publisher: one value and a completion, or a failure. The publisher neither starts nor
    /// cancels work. Each subscriber receives the same outcome, on the stack that settles the promise. A
    /// subscriber that cancels receives nothing more.
    public final var publisher: AnyPublisher<Any, any Error> {
      Deferred {
        Combine.Future<Any, any Error> { settle in
          let settle = UncheckedBox(settle)
          self.thenOn(
            .immediate, { settle.value(.success($0)) },
            { (reason: any Error) in settle.value(.failure(reason)) })
        }
      }
      .eraseToAnyPublisher()
    }
  }

  extension Publisher {
    /// A promise for the first value. A failure rejects the promise; a completion without a value rejects the
    /// promise with `PromiseError.broken`. The call subscribes at once. The subscription is cancelled when
    /// the promise is cancelled or abandoned. The promise's origin is the line of the call.
    public func firstPromise(
      on context: (any ExecutionContext)? = nil, fileID: StaticString = #fileID, line: UInt = #line
    ) -> Promise {
      let (promise, resolver) = Promise.pending(on: context, fileID: fileID, line: line)
      let subscription = UncheckedBox(
        first().sink { completion in
          if case .failure(let error) = completion {
            resolver.reject(error)
          } else {
            resolver.reject(PromiseError.broken)
          }
        } receiveValue: {
          resolver.fulfill($0)
        })
      // These closures retain the subscription until the promise has settled, because a release ends a
      // subscription.
      resolver.onCancel { _ in subscription.value.cancel() }
      resolver.onAbandon { subscription.value.cancel() }
      return promise
    }
  }
#endif
