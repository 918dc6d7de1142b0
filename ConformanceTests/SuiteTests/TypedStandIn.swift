import Foundation

/// A promise of the statically typed kind: one type of value, reasons that are errors, no thenables.
///
/// Its handlers cannot be left out, and they return either a value or a promise of the same type.
final class TypedStandIn<Value>: @unchecked Sendable {
  enum Outcome: @unchecked Sendable {
    case success(Value)
    case failure(any Error)
  }

  private let lock = NSLock()
  private let worker: DispatchQueue
  private var outcome: Outcome?
  private var isResolved = false
  private var waiting: [@Sendable (Outcome) -> Void] = []

  init(on worker: DispatchQueue) {
    self.worker = worker
  }

  /// What a handler gives back.
  enum Next: @unchecked Sendable {
    case value(Value)
    case promise(TypedStandIn)
  }

  struct Cycle: Error {}

  func fulfill(_ value: Value) {
    resolve(.value(value))
  }

  func reject(_ error: any Error) {
    if claim() { settle(.failure(error)) }
  }

  func resolve(_ next: Next) {
    if claim() { follow(next) }
  }

  func then(
    _ onFulfilled: @escaping @Sendable (Value) throws -> Next,
    _ onRejected: @escaping @Sendable (any Error) throws -> Next
  ) -> TypedStandIn {
    let child = TypedStandIn(on: worker)
    whenSettled { outcome in
      do {
        switch outcome {
        case .success(let value): child.follow(try onFulfilled(value))
        case .failure(let error): child.follow(try onRejected(error))
        }
      } catch {
        child.settle(.failure(error))
      }
    }
    return child
  }

  private func claim() -> Bool {
    lock.withLock {
      defer { isResolved = true }
      return !isResolved
    }
  }

  private func follow(_ next: Next) {
    switch next {
    case .value(let value): settle(.success(value))
    case .promise(let other) where other === self: settle(.failure(Cycle()))
    case .promise(let other): other.whenSettled { self.settle($0) }
    }
  }

  private func settle(_ outcome: Outcome) {
    lock.withLock {
      self.outcome = outcome
      for job in waiting { worker.async { job(outcome) } }
      waiting = []
    }
  }

  private func whenSettled(_ job: @escaping @Sendable (Outcome) -> Void) {
    lock.withLock {
      guard let outcome else { return waiting.append(job) }
      worker.async { job(outcome) }
    }
  }
}
