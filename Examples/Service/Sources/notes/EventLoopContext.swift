import DynamicPromise
import NIOCore

/// An event loop as an execution context: handlers run on the loop's thread, one at a time and in
/// order. Timers are timers of the loop.
struct EventLoopContext: WaitAwareContext, TimerContext {
  private let loop: any EventLoop

  init(_ loop: any EventLoop) { self.loop = loop }

  func execute(_ job: @escaping @Sendable () -> Void) { loop.execute(job) }

  /// Whether the caller is on the loop's own thread. A wait on this thread would never end.
  var isBlockedByCaller: Bool { loop.inEventLoop }

  /// Runs `job` with a timer of the loop. The returned function cancels the timer.
  func schedule(after seconds: Double, _ job: @escaping @Sendable () -> Void) -> @Sendable () -> Void {
    let timer = loop.scheduleTask(in: .nanoseconds(Int64(min(seconds, 1e9) * 1e9)), job)
    return { timer.cancel() }
  }
}

extension ExecutionContext where Self == EventLoopContext {
  /// The context of an event loop, as in `thenOn(.eventLoop(loop))`.
  static func eventLoop(_ loop: any EventLoop) -> EventLoopContext { EventLoopContext(loop) }
}

extension EventLoopFuture {
  /// A promise with the same outcome, whose default context is the loop. A future of SwiftNIO cannot be
  /// cancelled.
  func promise() -> Promise where Value: Sendable {
    let (promise, resolver) = Promise.pending(on: .eventLoop(eventLoop))
    whenComplete { resolver.resolve($0) }
    return promise
  }
}
