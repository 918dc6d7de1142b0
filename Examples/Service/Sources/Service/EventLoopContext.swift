import DynamicPromise
import NIOCore

/// An event loop as an execution context: handlers run on its thread, one at a time and in order, with the
/// loop's timers.
public struct EventLoopContext: WaitAwareContext, TimerContext {
  private let loop: any EventLoop

  /// Handlers on this loop.
  public init(_ loop: any EventLoop) { self.loop = loop }

  /// Schedules `job` on the loop.
  public func execute(_ job: @escaping @Sendable () -> Void) { loop.execute(job) }

  /// A wait on the loop's own thread would wait for itself.
  public var isBlockedByCaller: Bool { loop.inEventLoop }

  /// A timer of the loop.
  public func schedule(after seconds: Double, _ job: @escaping @Sendable () -> Void) -> @Sendable () -> Void {
    let timer = loop.scheduleTask(in: .nanoseconds(Int64(min(seconds, 1e9) * 1e9)), job)
    return { timer.cancel() }
  }

  /// The loop's clock.
  public var currentTime: Double { Double(loop.now.uptimeNanoseconds) * 1e-9 }
}

extension ExecutionContext where Self == EventLoopContext {
  /// `thenOn(.eventLoop(loop))`.
  public static func eventLoop(_ loop: any EventLoop) -> EventLoopContext { EventLoopContext(loop) }
}

extension EventLoopFuture {
  /// The same outcome as a promise with the loop as its default context. A future of SwiftNIO cannot be
  /// cancelled.
  public func promise() -> Promise where Value: Sendable {
    let (promise, resolver) = Promise.pending(on: .eventLoop(eventLoop))
    whenComplete { outcome in
      switch outcome {
      case .success(let value): resolver.fulfill(value)
      case .failure(let error): resolver.reject(error)
      }
    }
    return promise
  }
}
