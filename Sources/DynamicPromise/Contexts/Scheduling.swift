// Scheduling handlers on their contexts.

import Dispatch

extension ContextRef {
  /// Schedules the handlers of these children on the context, in order.
  func schedule(_ children: Turn.Batch, _ turn: Turn) {
    switch self {
    case .shared:
      WorkerPool.mine.add(children)
    case .queue(let queue):
      queue.async(flags: .barrier) { CurrentThread.within(self) { children.work() } }
    case .mainQueue:
      QueueMark.main.async { CurrentThread.within(self) { children.work() } }
    case .mainImmediate:
      ContextRef.mainQueue.schedule(children, turn)
    case .immediate:
      children.work()
    case .other:
      submit(children.first, turn)
      for child in children.rest { submit(child, turn) }
    }
  }

  /// Passes a child's handler to a foreign context. The context may drop the job, whose `deinit` then breaks
  /// the child, so the job is released outside the step.
  private func submit(_ child: Core, _ turn: Turn) {
    let job = Job(.handler(of: child), self)
    job.schedule()
    turn.release(job)
  }

  /// Schedules work that settles no promise.
  func schedule(_ work: Job.Work, _ turn: Turn) {
    let job = Job(work, self)
    if runsInPlace { turn.runInPlace(job) } else { turn.submit(.call { job.schedule() }) }
  }

  /// Passes a job to the context, as its `execute` does.
  func execute(_ job: @escaping @Sendable () -> Void) {
    switch self {
    case .shared: DefaultContext.queue.async { CurrentThread.within(self, job) }
    case .queue(let queue): queue.async(flags: .barrier) { CurrentThread.within(self, job) }
    case .mainQueue: QueueMark.main.async { CurrentThread.within(self, job) }
    case .immediate: job()
    case .mainImmediate: MainImmediateContext.isOnMainQueue ? job() : ContextRef.mainQueue.execute(job)
    case .other(let box): box.context.execute { CurrentThread.within(self, job) }
    }
  }
}

extension CurrentThread {
  /// Runs `body` as a part of a job on `context`. Jobs may nest: a handler may run the jobs of another
  /// context.
  static func within(_ context: ContextRef, _ body: () -> Void) {
    let outer = running
    running = context
    body()
    running = outer
  }
}

/// A job that runs once. It retains its promise and its context only until it has run.
final class Job: @unchecked Sendable {
  enum Work {
    /// A child's handler, with the hold of its job.
    case handler(of: Core)
    /// The body of a `finally` whose child, on which the job has a hold, was cancelled before the body began.
    case body(Handler, of: Core, any Error)
    case observer(@Sendable () -> Void)
  }

  private let lock = SpinLock()
  @exclusivity(unchecked) private var work: (Work, ContextRef)?

  init(_ work: Work, _ context: ContextRef) { self.work = (work, context) }

  private func take() -> (Work, ContextRef)? {
    lock.lock()
    let taken = work.take()
    lock.unlock()
    return taken
  }

  /// The context, until the job has run.
  private var context: ContextRef? {
    lock.lock()
    defer { lock.unlock() }
    return work?.1
  }

  /// Passes the job to its context.
  func schedule() {
    guard let context else { return }
    if case .other(let box) = context { box.context.execute(run) } else { context.execute(run) }
  }

  /// Runs the job; called by the context. If the context calls this method at once, inside `execute`, the job
  /// is treated like a handler in place.
  func run() {
    let turn = Turn.current
    if turn.isInside(.execute) { return turn.runInPlace(self) }
    guard let context, case .other = context, !turn.isInside(.draining) else {
      return turn.work { perform(turn) }
    }
    // Handlers in place below this one also run on the context; those of an outer handler do not.
    CurrentThread.within(context) { turn.work { perform(turn) } }
  }

  /// Runs the job, unless it has run.
  func perform(_ turn: Turn) {
    guard let (work, context) = take() else { return }
    guard case .other = context else { return perform(work, turn) }
    CurrentThread.within(context) { perform(work, turn) }
  }

  private func perform(_ work: Work, _ turn: Turn) {
    switch work {
    case .handler(let child): child.runHandler(turn)
    case .body(let handler, let promise, let reason):
      promise.lock.with { promise.side?.unfinished?.handlersThread = turn.thread.number }
      let run = Run(handler: handler, value: (), reason: reason)
      let result = run.result(turn)
      promise.endBody(waitingFor: result.promise, turn)
      turn.release(result)
    case .observer(let body):
      let outer = turn.enter(foreign: [])
      body()
      turn.leave(outer)
    }
  }

  /// Rejects the child, or ends the wait for the body, if the context has dropped the job.
  deinit {
    guard let (work, _) = take() else { return }
    let turn = Turn.current
    switch work {
    case .handler(let child): child.breakDropped(turn)
    case .body(_, let promise, _): promise.endBody(waitingFor: nil, turn)
    case .observer: break
    }
    turn.drain()
  }
}

extension Turn.Batch {
  /// Runs the handlers, one after the other.
  fileprivate func work() {
    let turn = Turn.current
    turn.work { first.runHandler(turn) }
    for child in rest { turn.work { child.runHandler(turn) } }
  }
}

// Called with nothing locked, and with a hold, which they drop.
extension Core {
  /// Ends the wait for the body of a cancelled `finally`, which has returned or was dropped. A promise that
  /// the body returned is part of this promise's unfinished work.
  fileprivate func endBody(waitingFor returned: Promise?, _ turn: Turn) {
    let lock = lock
    returned?.markObserved()
    let wait = lock.with {
      let wait = returned.map { _ in addUnfinishedWait(turn) }
      endUnfinishedWork(turn) { work in
        turn.release(work.body as Any)
        (work.body, work.handlersThread) = (nil, nil)
      }
      return wait
    }
    if let returned { wait?.start(at: returned.core, turn) }
    lock.with { drop(turn) }
  }

  /// Rejects this child, because the context has dropped its job and the handler can no longer run.
  fileprivate func breakDropped(_ turn: Turn) {
    let lock = lock
    lock.with {
      if phase == .handler {
        // If a cancel has scheduled the handler, the child is cancelled, as if the handler had thrown this
        // error.
        settle(reason: PromiseError.brokenAt(origin), byRequest: reasonToCleanUp != nil, turn)
      }
      drop(turn)
    }
  }
}
