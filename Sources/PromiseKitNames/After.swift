public import Dispatch
public import DynamicPromise

/// Fulfilled with `()` after `seconds`, like `Promise.delay`.
public func after(seconds: Double) -> Promise { .delay(seconds) }

/// Fulfilled with `()` after `interval`. With `.never` the promise stays pending.
public func after(_ interval: DispatchTimeInterval) -> Promise { .delay(interval.seconds) }

extension DispatchTimeInterval {
  fileprivate var seconds: Double {
    switch self {
    case .seconds(let count): Double(count)
    case .milliseconds(let count): Double(count) / 1e3
    case .microseconds(let count): Double(count) / 1e6
    case .nanoseconds(let count): Double(count) / 1e9
    case .never: .infinity
    @unknown default: .infinity
    }
  }
}
