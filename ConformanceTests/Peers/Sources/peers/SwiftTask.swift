import Foundation
import PromisesAPlusSuite

/// An unstructured `Task` whose value is awaited by other tasks: the nearest thing to a promise in Swift
/// Concurrency. It can not be settled from outside, so a pending one waits for a continuation, which resumes
/// once: that the first settlement wins is this adapter's doing.
struct TaskAdapter: PromiseAdapter {
  typealias P = Task<Sent, any Error>

  var capabilities: Capabilities { [.untypedValues, .absentHandlers, .adoption, .throwingHandlers] }

  func pending() -> Deferred<P> {
    let source = Source()
    let task = Task { try await source.value }
    return Deferred(
      promise: task, resolve: { source.settle(.success(Sent(value: $0))) },
      fulfill: { source.settle(.success(Sent(value: $0))) },
      reject: { source.settle(.failure(error(for: $0))) })
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

/// What a pending task waits for.
private final class Source: @unchecked Sendable {
  private let lock = NSLock()
  private var result: Result<Sent, any Error>?
  private var waiting: CheckedContinuation<Sent, any Error>?

  var value: Sent {
    get async throws {
      try await withCheckedThrowingContinuation { continuation in
        let settled = lock.withLock {
          if result == nil { waiting = continuation }
          return result
        }
        if let settled { continuation.resume(with: settled) }
      }
    }
  }

  func settle(_ new: Result<Sent, any Error>) {
    let resumed = lock.withLock { () -> CheckedContinuation<Sent, any Error>? in
      if result != nil { return nil }
      result = new
      defer { waiting = nil }
      return waiting
    }
    resumed?.resume(with: new)
  }
}
