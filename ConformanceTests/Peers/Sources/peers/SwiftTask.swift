import PromisesAPlusSuite

/// An unstructured `Task` whose value is awaited by other tasks: the nearest thing to a promise in Swift
/// Concurrency. It can not be settled from outside, so a pending one waits for the first element of a stream:
/// that the first settlement wins is this adapter's doing.
struct TaskAdapter: PromiseAdapter {
  typealias P = Task<Sent, any Error>

  var capabilities: Capabilities { [.untypedValues, .absentHandlers, .adoption, .throwingHandlers] }

  func pending() -> Deferred<P> {
    let (values, source) = AsyncThrowingStream.makeStream(of: Sent.self)
    let task = Task {
      for try await value in values { return value }
      throw CancellationError()
    }
    return Deferred(
      promise: task, resolve: { source.yield(Sent(value: $0)) }, fulfill: { source.yield(Sent(value: $0)) },
      reject: { source.finish(throwing: error(for: $0)) })
  }

  func then(_ promise: P, _ onFulfilled: Handler?, _ onRejected: Handler?) -> P {
    Task {
      let x: Any
      switch await promise.result {
      case .success(let value):
        guard let onFulfilled else { return value }
        x = try onFulfilled(value.value)
      case .failure(let reason):
        guard let onRejected else { throw reason }
        x = try onRejected(reason)
      }
      if let task = x as? P { return try await task.value }
      return Sent(value: x)
    }
  }
}
