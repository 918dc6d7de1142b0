import DynamicPromise
import DynamicPromiseFoundation
import Foundation

/// Runs the run loop of the calling thread until `promise` is settled; returns the value or throws the
/// reason. On the main thread, closures of the main queue run during the wait. For tests and tools.
@available(*, noasync, message: "runs a run loop; await promise.async()")
public func hang<T>(_ promise: Promise<T>) throws -> T {
  promise.untyped.runLoopWait()
  return try cast(promise.untyped.get())
}

/// Logs a `wait()` on the main thread, because no closure of the main queue runs during the wait.
func logWaiting() {
  if Thread.isMainThread { conf.logHandler(.waitOnMainThread) }
}
