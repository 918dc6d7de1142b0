// The basis of all operators: steps of the untyped promise with typed closures. The closures run on the same
// queues as in PromiseKit.

import Dispatch
import DynamicPromise

typealias Untyped = DynamicPromise.Promise

/// Wraps a closure for its queue, because PromiseKit's closures are not `@Sendable`. Each closure is called
/// at most once, on one queue: the main queue, or the queue that the caller passes. As with PromiseKit, the
/// caller is responsible for concurrent use of captured values.
struct Carried<Value>: @unchecked Sendable {
  let value: Value
  init(_ value: Value) { self.value = value }
}

/// A queue with PromiseKit's rule for barriers: a block is a barrier only if `flags` contains `.barrier`.
private struct Place: WaitAwareContext {
  let queue: DispatchQueue
  /// The raw value, because `DispatchWorkItemFlags` is not Sendable on every system.
  let flags: UInt
  func execute(_ job: @escaping @Sendable () -> Void) {
    queue.async(flags: DispatchWorkItemFlags(rawValue: flags), execute: job)
  }
  /// Whether the caller and the queue are the main queue. Dispatch does not tell whether another queue is
  /// serial.
  var isBlockedByCaller: Bool {
    queue.getSpecific(key: mainQueueKey.value) == true
      && DispatchQueue.getSpecific(key: mainQueueKey.value) == true
  }
}

/// Marks the main queue. A comparison cannot recognize the main queue, because on Linux each
/// `DispatchQueue.main` is a new object. The key is boxed, because it is not Sendable in Swift 6.0.
private let mainQueueKey = {
  let key = DispatchSpecificKey<Bool>()
  DispatchQueue.main.setSpecific(key: key, value: true)
  return Carried(key)
}()

/// A serial queue on `target`. Handlers on the main queue, also by way of another queue, block each other.
func serialQueue(on target: DispatchQueue?) -> DispatchQueue {
  let queue = DispatchQueue(label: "PromiseKitTypes.when", target: target)
  let isMain = target?.getSpecific(key: mainQueueKey.value) == true
  if isMain { queue.setSpecific(key: mainQueueKey.value, value: true) }
  return queue
}

/// The context for `queue`; `nil` means the stack that settles the promise. The main queue is not wrapped, so
/// that the deadlock check recognizes it.
func place(_ queue: DispatchQueue?, _ flags: DispatchWorkItemFlags?) -> any ExecutionContext {
  guard let queue else { return .immediate }
  if flags == nil, queue.getSpecific(key: mainQueueKey.value) == true { return queue }
  return Place(queue: queue, flags: flags?.rawValue ?? 0)
}

/// The value as a `T`.
func cast<T>(_ value: Any, to type: T.Type = T.self) throws -> T {
  guard let cast = value as? T else { throw PromiseError.mismatch(value, expected: T.self) }
  return cast
}

extension Untyped {
  /// A promise that is fulfilled with `value`, even if `value` is an error or a promise.
  static func plain<T>(_ value: T) -> Untyped {
    let promise = Untyped()
    promise.fulfill(.some(value))
    return promise
  }

  func step<T>(
    _ queue: DispatchQueue?, _ flags: DispatchWorkItemFlags?, _ body: @escaping (T) throws -> Untyped
  ) -> Untyped {
    let body = Carried(body)
    return thenOn(place(queue, flags)) { (value: Any) -> Untyped in try body.value(cast(value)) }
  }

  /// Calls `body` with the reason, on the queue, if `covers` returns `true`. Otherwise calls `pass` on the
  /// stack that settles the promise, because the outcome must not wait for a queue on which no handler runs.
  func rescue(
    _ queue: DispatchQueue?, _ flags: DispatchWorkItemFlags?, if covers: ((any Error) -> Bool)? = nil,
    else pass: @escaping (any Error) throws -> Untyped = { throw $0 },
    _ body: @escaping (any Error) throws -> Untyped
  ) -> Untyped {
    let (place, calls) = (place(queue, flags), Carried((covers: covers, pass: pass, body: body)))
    let asksFirst = queue != nil && covers != nil
    return catchOn(asksFirst ? .immediate : place) { (error: any Error) -> Untyped in
      let (covers, pass, body) = calls.value
      guard covers?(error) ?? true else { return try pass(error) }
      return asksFirst ? .task(on: place) { try calls.value.body(error) } : try body(error)
    }
  }

  func look<T>(
    _ queue: DispatchQueue?, _ flags: DispatchWorkItemFlags?, _ body: @escaping (Result<T>) -> Void
  ) -> Untyped {
    let body = Carried(body)
    return tapResult(on: place(queue, flags)) { body.value(Result($0)) }
  }
}
