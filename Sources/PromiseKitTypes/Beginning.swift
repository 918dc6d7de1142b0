// The beginning of a chain: `firstly`, `after`, `queue.async(.promise)`.

public import Dispatch
import DynamicPromise

/// Runs `body` at once, on the calling stack, and returns its promise. If `body` throws, the promise is
/// rejected.
public func firstly<U: Thenable>(execute body: () throws -> U) -> Promise<U.T> {
  do { return Promise(try body()) } catch { return Promise(error: error) }
}

/// Runs `body` at once, on the calling stack, and returns its guarantee.
public func firstly<T>(execute body: () -> Guarantee<T>) -> Guarantee<T> { body() }

/// Fulfilled after `seconds`.
public func after(seconds: Double) -> Guarantee<Void> { Guarantee(trusting: .delay(seconds)) }

/// Fulfilled after `interval`. With `.never` the guarantee stays pending.
public func after(_ interval: DispatchTimeInterval) -> Guarantee<Void> {
  let seconds =
    switch interval {
    case .seconds(let count): Double(count)
    case .milliseconds(let count): Double(count) / 1e3
    case .microseconds(let count): Double(count) / 1e6
    case .nanoseconds(let count): Double(count) / 1e9
    case .never: Double.infinity
    @unknown default: Double.infinity
    }
  return after(seconds: seconds)
}

extension DispatchQueue {
  /// Runs `body` in a block of this queue. The result of `body` fulfills the promise; an error that `body`
  /// throws rejects the promise. Swift treats the closure as `@Sendable`, as in every `async` call of a
  /// queue.
  public func async<T>(
    _: PMKNamespacer, group: DispatchGroup? = nil, qos: DispatchQoS = .default,
    flags: DispatchWorkItemFlags = [], execute body: @escaping () throws -> T,
    fileID: StaticString = #fileID, line: UInt = #line
  ) -> Promise<T> {
    let (promise, seal) = Promise<T>.pending(fileID: fileID, line: line)
    let body = Carried(body)
    async(group: group, qos: qos, flags: flags) {
      do { seal.fulfill(try body.value()) } catch { seal.reject(error) }
    }
    return promise
  }

  /// Runs `body`, which does not throw, in a block of this queue. The result of `body` fulfills the
  /// guarantee.
  @discardableResult
  public func async<T>(
    _: PMKNamespacer, group: DispatchGroup? = nil, qos: DispatchQoS = .default,
    flags: DispatchWorkItemFlags = [], execute body: @escaping () -> T,
    fileID: StaticString = #fileID, line: UInt = #line
  ) -> Guarantee<T> {
    let (guarantee, resolve) = Guarantee<T>.pending(fileID: fileID, line: line)
    let body = Carried(body)
    async(group: group, qos: qos, flags: flags) { resolve(body.value()) }
    return guarantee
  }
}
