import PromisesAPlusSuite

/// An unstructured `Task` whose value other tasks await: the nearest equivalent of a promise in Swift
/// Concurrency.
///
/// A pending task waits for the first element of a stream, because a task cannot be settled from outside. The
/// adapter, not the task, lets the first settlement win.
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
