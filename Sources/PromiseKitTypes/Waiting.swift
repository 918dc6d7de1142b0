import DynamicPromise
import DynamicPromiseFoundation
import Foundation

/// Runs the run loop of the calling thread until `promise` is settled; returns the value or throws the
/// reason. On the main thread the main queue is served meanwhile. For tests and tools.
@available(*, noasync, message: "runs a run loop; await promise.async()")
public func hang<T>(_ promise: Promise<T>) throws -> T {
  promise.untyped.runLoopWait()
  return try cast(promise.untyped.get())
}

/// Logs a `wait()` on the main thread, which runs no closure of the main queue meanwhile.
func logWaiting() {
  if Thread.isMainThread { conf.logHandler(.waitOnMainThread) }
}
