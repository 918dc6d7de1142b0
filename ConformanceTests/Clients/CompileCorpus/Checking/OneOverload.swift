// A promise with one `then`, which gives the minimum cost of a chain.

import Dispatch

final class Promise: Sendable {
  @discardableResult
  func then<V, T>(_ onFulfilled: @escaping @Sendable (V) throws -> T) -> Promise { self }

  @discardableResult
  func thenOn<V, T>(
    _ context: some ExecutionContext, _ onFulfilled: @escaping @Sendable (V) throws -> T
  ) -> Promise { self }
}

protocol ExecutionContext: Sendable {}

extension DispatchQueue: ExecutionContext {}

extension ExecutionContext where Self == DispatchQueue {
  static var main: DispatchQueue { DispatchQueue.main }
}
