// Handlers of rejections, and of every outcome. A rejection that `policy` does not cover is passed on at
// once, on the stack that settles the promise. A promise that was cancelled itself (`untyped.cancel()`) stays
// cancelled, regardless of its handler's result.

public import Dispatch
public import DynamicPromise

/// The end of a chain; the result of `catch`.
public final class PMKFinalizer: Sendable {
  /// Settles when the handler has returned, or when no rejection has to be handled.
  public let untyped: DynamicPromise.Promise

  init(_ untyped: DynamicPromise.Promise) { self.untyped = untyped }

  /// Calls `body` on `queue` when the chain has ended with any outcome.
  public func finally(
    on queue: DispatchQueue? = conf.Q.return, flags: DispatchWorkItemFlags? = nil,
    _ body: @escaping () -> Void
  ) {
    let body = Carried(body)
    untyped.ignoreErrors().finallyOn(place(queue, flags)) { body.value() }.ignoreErrors()
  }
}

extension CatchMixin {
  /// Calls `body` with the reason, on `queue`, if `policy` covers the reason. The chain ends with this call,
  /// even if `body` is not called.
  @discardableResult
  public func `catch`(
    on queue: DispatchQueue? = conf.Q.return, flags: DispatchWorkItemFlags? = nil,
    policy: CatchPolicy = conf.catchPolicy, _ body: @escaping (any Error) -> Void
  ) -> PMKFinalizer {
    PMKFinalizer(
      untyped.rescue(queue, flags, if: policy.covers, else: { _ in .plain(()) }) { .plain(body($0)) })
  }

  /// Calls `body` with the reason, on `queue`, if the reason is an `E` that `policy` covers. Any other reason
  /// is passed on to the next `catch`.
  public func `catch`<E: Error>(
    only: E.Type, on queue: DispatchQueue? = conf.Q.return, flags: DispatchWorkItemFlags? = nil,
    policy: CatchPolicy = conf.catchPolicy, _ body: @escaping (E) -> Void
  ) -> Promise<Void> {
    let body = forAny(body)
    return Promise<Void>(
      trusting: asVoid().untyped.rescue(queue, flags, if: policy.covers(E.self)) { .plain(try body($0)) })
  }

  /// Calls `body` with the reason, on `queue`, if `policy` covers the reason; the new promise follows the
  /// promise that `body` returns. An error that `body` throws rejects the new promise.
  public func recover<U: Thenable>(
    on queue: DispatchQueue? = conf.Q.map, flags: DispatchWorkItemFlags? = nil,
    policy: CatchPolicy = conf.catchPolicy, _ body: @escaping (any Error) throws -> U
  ) -> Promise<T> where U.T == T {
    Promise(trusting: untyped.rescue(queue, flags, if: policy.covers) { try body($0).untyped })
  }

  /// Calls `body` with the reason, on `queue`, if the reason is an `E` that `policy` covers; the new promise
  /// follows the promise that `body` returns. Any other reason is passed on.
  public func recover<U: Thenable, E: Error>(
    only: E.Type, on queue: DispatchQueue? = conf.Q.map, flags: DispatchWorkItemFlags? = nil,
    policy: CatchPolicy = conf.catchPolicy, _ body: @escaping (E) throws -> U
  ) -> Promise<T> where U.T == T {
    let body = forAny(body)
    return Promise(
      trusting: untyped.rescue(queue, flags, if: policy.covers(E.self)) { try body($0).untyped })
  }

  /// Calls `body` with the reason, on `queue`, even for a cancellation. The new guarantee follows the
  /// guarantee that `body` returns.
  @discardableResult
  public func recover(
    on queue: DispatchQueue? = conf.Q.map, flags: DispatchWorkItemFlags? = nil,
    _ body: @escaping (any Error) -> Guarantee<T>
  ) -> Guarantee<T> { Guarantee(trusting: untyped.rescue(queue, flags) { body($0).untyped }) }

  /// Calls `body` on `queue` when the promise settles with any outcome, and passes the outcome on.
  public func ensure(
    on queue: DispatchQueue? = conf.Q.return, flags: DispatchWorkItemFlags? = nil,
    _ body: @escaping () -> Void
  ) -> Promise<T> {
    let body = Carried(body)
    return Promise(trusting: untyped.finallyOn(place(queue, flags)) { body.value() })
  }

  /// Calls `body` on `queue` when the promise settles with any outcome. The outcome is passed on when the
  /// guarantee that `body` returns is fulfilled.
  public func ensureThen(
    on queue: DispatchQueue? = conf.Q.return, flags: DispatchWorkItemFlags? = nil,
    _ body: @escaping () -> Guarantee<Void>
  ) -> Promise<T> {
    let body = Carried(body)
    return Promise(trusting: untyped.finallyOn(place(queue, flags)) { body.value().untyped })
  }

  /// Ends a chain that has no rejection handler. Calls `conf.logHandler` with a rejection that
  /// `conf.catchPolicy` covers.
  @discardableResult
  public func cauterize() -> PMKFinalizer { self.catch { conf.logHandler(.cauterized($0)) } }
}

extension CatchMixin where T == Void {
  /// Calls `body` with the reason, on `queue`, even for a cancellation. Fulfilled when `body` has returned.
  @discardableResult
  public func recover(
    on queue: DispatchQueue? = conf.Q.map, flags: DispatchWorkItemFlags? = nil,
    _ body: @escaping (any Error) -> Void
  ) -> Guarantee<Void> { Guarantee(trusting: untyped.rescue(queue, flags) { .plain(body($0)) }) }

  /// Calls `body` with the reason, on `queue`, if `policy` covers the reason. The new promise is fulfilled
  /// when `body` has returned, or rejected if `body` throws.
  public func recover(
    on queue: DispatchQueue? = conf.Q.map, flags: DispatchWorkItemFlags? = nil,
    policy: CatchPolicy = conf.catchPolicy, _ body: @escaping (any Error) throws -> Void
  ) -> Promise<Void> {
    Promise(trusting: untyped.rescue(queue, flags, if: policy.covers) { .plain(try body($0)) })
  }
}

/// Converts a handler of one type of error to a handler of any error, which rethrows other errors.
private func forAny<E: Error, R>(_ body: @escaping (E) throws -> R) -> (any Error) throws -> R {
  { error in
    guard let error = error as? E else { throw error }
    return try body(error)
  }
}
