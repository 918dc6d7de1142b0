import DynamicPromise
import XCTest

/// The awaited outcome did not occur in time, or another outcome occurred.
public struct UnexpectedOutcome: Error, CustomStringConvertible {
  /// The actual outcome.
  public let description: String

  init(_ description: String) { self.description = description }
}

extension XCTestCase {
  /// Waits until `promise` has settled, and serves the main queue meanwhile.
  public func outcome(of promise: Promise) throws -> Result<Any, any Error> {
    let settled = expectation(description: "settled")
    // Waits with an observer, which is no consumer, so that the wait does not prevent a withdrawal.
    promise.whenSettled { settled.fulfill() }
    wait(for: [settled], timeout: 20)
    guard let result = promise.result else { throw UnexpectedOutcome("still pending") }
    return result
  }

  /// Waits until `promise` is fulfilled, and expects a value of type `T`.
  public func value<T>(of promise: Promise, as type: T.Type = T.self) throws -> T {
    switch try outcome(of: promise) {
    case .success(let value as T): return value
    case .success(let value): throw UnexpectedOutcome("fulfilled with \(value), not a \(type)")
    case .failure(let reason): throw UnexpectedOutcome("rejected: \(reason)")
    }
  }

  /// Waits until `promise` is rejected, and expects an error of type `E`.
  public func reason<E: Error>(of promise: Promise, as type: E.Type = E.self) throws -> E {
    switch try outcome(of: promise) {
    case .success(let value): throw UnexpectedOutcome("fulfilled with \(value)")
    case .failure(let reason as E): return reason
    case .failure(let reason): throw UnexpectedOutcome("rejected with \(reason), not a \(type)")
    }
  }

  /// Serves the main queue until `condition` holds, for 20 seconds at most.
  public func waitUntil(_ condition: () -> Bool) {
    let deadline = Date(timeIntervalSinceNow: 20)
    while !condition(), Date() < deadline {
      _ = RunLoop.current.run(mode: .default, before: Date(timeIntervalSinceNow: 0.001))
    }
  }
}

/// A value that several threads can change, for the records of tests.
public final class Recorded<Value>: @unchecked Sendable {
  private let lock = NSLock()
  private var current: Value

  /// Starts with a value.
  public init(_ value: Value) { current = value }

  /// The current value.
  public var value: Value { lock.withLock { current } }

  /// Replaces the value.
  public func set(_ value: Value) { change { $0 = value } }

  /// Changes the value.
  public func change<R>(_ body: (inout Value) -> R) -> R { lock.withLock { body(&current) } }
}

extension Recorded where Value == Int {
  /// Adds one and returns the new count.
  @discardableResult
  public func increment() -> Int {
    change {
      $0 += 1
      return $0
    }
  }
}

extension Recorded where Value: RangeReplaceableCollection {
  /// Appends an element.
  public func append(_ element: Value.Element) { change { $0.append(element) } }
}

/// An error with a number, so that two errors can be distinguished.
public struct NumberedError: Error, Equatable {
  /// The number.
  public let number: Int

  /// An error with this number.
  public init(_ number: Int) { self.number = number }
}

extension Promise {
  /// A pending promise that, if it is cancelled, is not finished before its resolver is used or freed.
  public static func callingBack(on context: any ExecutionContext) -> (promise: Promise, resolver: Resolver) {
    let made = pending(on: context)
    made.resolver.alwaysCallsBack()
    return made
  }
}
