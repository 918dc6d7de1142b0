// Scheduling handlers on their contexts.

import Dispatch

extension ContextRef {
  /// Schedules the handlers of these children on the context: one, or several if it takes batches.
  func schedule(_ children: Effects.Batch, _ effects: Effects) {
    switch self {
    case .shared:
      WorkerPool.mine.add(children)
    case .queue(let box):
      box.queue.async(flags: .barrier) {
        children.work()
        // On Linux the system's queue may outlive its object, which `.current` needs to find the queue.
        withExtendedLifetime(box) {}
      }
    case .mainQueue:
      QueueMark.main.async {
        CurrentThread.within(Self.mainBox) { children.work() }
      }
    case .mainImmediate:
      ContextRef.mainQueue.schedule(children, effects)
    case .immediate:
      children.work()
    case .other(let box):
      Driver.submitContinuation(effects)
      box.context.execute(Job(children.first, box).run)
      for child in children.rest { box.context.execute(Job(child, box).run) }
    }
  }

  /// Runs the body of a `finally` whose child, `promise`, was cancelled before the body started.
  func runDetached(_ handler: Handler, of promise: Promise, _ reason: any Error) {
    let body = DetachedBody(handler, of: promise, reason)
    execute { body.run() }
  }

  /// Schedules a job that no promise depends on.
  func execute(_ job: @escaping @Sendable () -> Void) {
    switch self {
    case .shared: DefaultContext.queue.async(execute: job)
    case .queue(let box): box.queue.async(flags: .barrier, execute: job)
    case .mainQueue: QueueMark.main.async { CurrentThread.within(Self.mainBox, job) }
    case .immediate: job()
    case .mainImmediate: MainImmediateContext().execute(job)
    case .other(let box): box.context.execute { CurrentThread.within(box, job) }
    }
  }

  /// The main queue in a box, with which `within` records its running job.
  static let mainBox = Box(QueueMark.main)
}

extension CurrentThread {
  /// Runs part of a job of the context in `box`. Jobs may nest: a handler of one context may drain another
  /// context by hand.
  static func within(_ box: ContextRef.Box, _ body: () -> Void) {
    let outer = running
    running = box
    body()
    running = outer
  }
}

/// The job for a context of another type. It runs once; if it is dropped before, its promise is broken.
private final class Job: @unchecked Sendable {
  private let lock = SpinLock()
  /// Retained until the first run only. A retained job must not retain its promise, or a cycle would form.
  private var child: Promise?
  private var box: ContextRef.Box?

  init(_ child: Promise, _ box: ContextRef.Box) {
    self.child = child
    self.box = box
  }

  func run() {
    guard let (child, box) = take(), let box else { return }
    CurrentThread.within(box) { Driver.work(child) }
  }

  private func take() -> (Promise, ContextRef.Box?)? {
    lock.lock()
    let taken = child.take()
    let box = box.take()
    lock.unlock()
    return taken.map { ($0, box) }
  }

  deinit { take()?.0.breakDropped() }
}

/// The body of a `finally` that no outcome depends on. It runs once; what it returns is part of the promise's
/// unfinished work.
private final class DetachedBody: Sendable {
  private let handler: Guarded<Handler?>
  private let promise: Promise
  private let reason: any Error

  init(_ handler: Handler, of promise: Promise, _ reason: any Error) {
    self.handler = Guarded(handler)
    self.promise = promise
    self.reason = reason
  }

  func run() {
    guard let handler = handler.with({ $0.take() }) else { return }
    let thread = CurrentThread.id
    promise.lock.with { promise.side?.unfinished?.handlersThread = thread }
    end(waitingFor: (try? handler.call(.rejected(reason)))?.promise)
  }

  private func end(waitingFor returned: Promise?) {
    let effects = Effects.begin()
    promise.lock.lock()
    let wait = returned.map { _ in promise.leaveWait() }
    promise.endWork(effects) { work in
      work.bodies -= 1
      work.handlersThread = nil
    }
    promise.lock.unlock()
    if let returned { wait?.start(at: returned, effects) }
    Driver.perform(effects)
  }

  deinit { if handler.with({ $0.take() }) != nil { end(waitingFor: nil) } }
}

extension Effects.Batch {
  /// Runs the handlers, one after the other.
  fileprivate func work() {
    Driver.work(first)
    for child in rest { Driver.work(child) }
  }
}

extension Promise {
  /// The context has dropped this child's job, so the handler can no longer run.
  fileprivate func breakDropped() {
    let effects = Effects.begin()
    lock.lock()
    let displaced = side?.detachedChild
    let child = displaced.flatMap { if case .handler = $0.state { $0 } else { nil } } ?? self
    if case .handler = child.state {
      // Clean-up below a cancel that can no longer run is treated like a handler that failed with that
      // error.
      let isCancelling = child.reasonToCleanUp != nil
      child.settle(
        .rejected(PromiseError.brokenAt(child.side?.origin)), byRequest: isCancelling, effects)
    }
    lock.unlock()
    Driver.perform(effects)
    withExtendedLifetime(displaced) {}
  }
}
