// `firstly`, and PromiseKit's other ways to make a promise.

import Dispatch
public import DynamicPromise

/// Runs `body` at once, on the calling stack, and returns its promise. If `body` throws, the returned promise
/// is rejected. A result that is not a promise resolves a new promise, as `Promise.resolved` does.
public func firstly<T>(execute body: () throws -> T) -> Promise {
  do {
    let first = try body()
    return first as? Promise ?? .resolved(first)
  } catch {
    return .rejected(error)
  }
}

extension Promise {
  /// A promise that is fulfilled with `value`, even if `value` is an error or a promise.
  public static func value(_ value: Any?) -> Promise {
    let promise = Promise()
    promise.fulfill(value)
    return promise
  }

  /// A promise that is rejected with `error`.
  public convenience init(error: any Error) {
    self.init()
    reject(error)
  }
}

extension Resolver {
  /// Fulfills the promise with `value`, by a call like `seal(value)` in a `Guarantee`'s closure. Returns
  /// whether this call settled the promise.
  @discardableResult
  public func callAsFunction(_ value: Any?) -> Bool { fulfill(value) }

  /// Fulfills the promise with `()`. Returns whether this call settled the promise.
  @discardableResult
  public func fulfill_() -> Bool { fulfill(()) }

  /// Resolves the promise with the arguments of a callback of the form `(error?, value?)`. An error takes
  /// precedence over a value. Returns whether this call resolved the promise.
  @_disfavoredOverload
  @discardableResult
  public func resolve(_ error: (any Error)?, _ value: Any?) -> Bool { resolve(value, error) }
}

extension DispatchQueue {
  /// Runs `body` in a block of this queue, which is the default context of the promise and its descendants.
  /// The result of `body` resolves the promise; an error that it throws rejects the promise. On a concurrent
  /// queue the block is a barrier.
  public func async<T>(_: PMKNamespacer, execute body: @escaping @Sendable () throws -> T) -> Promise {
    .task(on: self, body)
  }
}
