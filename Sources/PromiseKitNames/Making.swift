// Beginnings: `firstly`, and the ways in which PromiseKit makes a promise.

import Dispatch
public import DynamicPromise

/// Runs `body` at once, on the calling stack, and returns its promise. What it throws is a rejection; a value
/// that is no promise is resolved as by `Promise.resolved`.
public func firstly<T>(execute body: () throws -> T) -> Promise {
  do {
    let first = try body()
    return first as? Promise ?? .resolved(first)
  } catch {
    return .rejected(error)
  }
}

extension Promise {
  /// A promise that is fulfilled with `value`, as it is.
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
  /// Fulfills: `seal(value)`, as in a `Guarantee`'s closure. Says whether that has won.
  @discardableResult
  public func callAsFunction(_ value: Any?) -> Bool { fulfill(value) }

  /// Fulfills with `()`. Says whether that has won.
  @discardableResult
  public func fulfill_() -> Bool { fulfill(()) }

  /// For callbacks of the shape `(error?, value?)`: the error counts, if there is one. Says whether that has
  /// won.
  @_disfavoredOverload
  @discardableResult
  public func resolve(_ error: (any Error)?, _ value: Any?) -> Bool { resolve(value, error) }

  /// Takes over an outcome. Says whether that has won.
  @discardableResult
  public func resolve<T>(_ result: Result<T, any Error>) -> Bool {
    switch result {
    case .success(let value): fulfill(value)
    case .failure(let error): reject(error)
    }
  }
}

extension DispatchQueue {
  /// Runs `body` in a block of this queue. What it returns resolves the promise, whose descendants have this
  /// queue for a default context; what it throws rejects it, and need not be caught as in PromiseKit. On a
  /// concurrent queue the block is a barrier.
  public func async<T>(_: PMKNamespacer, execute body: @escaping @Sendable () throws -> T) -> Promise {
    .task(on: self, body)
  }
}
