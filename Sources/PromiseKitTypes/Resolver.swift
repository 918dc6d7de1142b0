public import DynamicPromise

/// Settles a promise; the first call counts. If the last reference is released before any call, the promise
/// is rejected with `PromiseError.broken`, or stays pending if `conf.lostPromisesStayPending`.
public final class Resolver<T>: Sendable {
  /// The untyped resolver, which can also observe a cancel: `seal.untyped.onCancel { ... }`.
  public let untyped: DynamicPromise.Resolver

  private let loss: LogEvent

  init(_ untyped: DynamicPromise.Resolver, _ loss: LogEvent) { (self.untyped, self.loss) = (untyped, loss) }

  deinit {
    guard untyped.promise?.isPending == true else { return }
    let conf = conf
    guard conf.lostPromisesStayPending else { return }
    // The untyped resolver lives as long as the pending promise, which therefore does not break.
    untyped.onAbandon { [untyped] in withExtendedLifetime(untyped) {} }
    conf.logHandler(loss)
  }

  /// Fulfills with `value`.
  public func fulfill(_ value: T) { untyped.fulfill(.some(value)) }

  /// Rejects with `error`.
  public func reject(_ error: any Error) { untyped.reject(error) }

  /// Settles with an outcome.
  public func resolve(_ result: Result<T>) {
    switch result {
    case .fulfilled(let value): fulfill(value)
    case .rejected(let error): reject(error)
    }
  }

  /// Settles with an outcome.
  public func resolve<E: Error>(_ result: Swift.Result<T, E>) {
    do { fulfill(try result.get()) } catch { reject(error) }
  }

  /// For callbacks: rejects with the error, if any, otherwise fulfills with the value. Without either,
  /// rejects with `PMKError.invalidCallingConvention`.
  public func resolve(_ value: T?, _ error: (any Error)?) {
    if let error { return reject(error) }
    if let value { fulfill(value) } else { reject(PMKError.invalidCallingConvention) }
  }

  /// For callbacks that always have a value: rejects with the error, if any, otherwise fulfills.
  public func resolve(_ value: T, _ error: (any Error)?) {
    if let error { reject(error) } else { fulfill(value) }
  }

  /// For callbacks with the error first: rejects with the error, if any, otherwise fulfills with the value.
  public func resolve(_ error: (any Error)?, _ value: T?) { resolve(value, error) }
}

extension Resolver where T == Void {
  /// Fulfills with `()`.
  public func fulfill_() { fulfill(()) }

  /// For callbacks with an error alone: fulfills if the error is `nil`, otherwise rejects.
  public func resolve(_ error: (any Error)?) { resolve((), error) }
}
