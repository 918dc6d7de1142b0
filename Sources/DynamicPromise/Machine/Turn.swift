// The pending work of a thread.
//
// A transition changes fields with a tree locked. Work that needs the lock to be free is added to the turn of
// the thread: a change in another tree, a handler to schedule, a hook to call, a reference to release. The
// call that made the transition then drains the turn. A turn is a work queue, so chains of any length do not
// recurse.
//
//     lane          contents                                                  drained
//     garbage       references to release                                     first of all, the newest first
//     steps         observers to notify, cancels and outcomes to pass on      in order
//     late          promises that may have lost their last consumer           after all outcomes are known
//     jobs          handlers for contexts, threads and tasks to wake          before hooks, which may block
//     withdrawn     promises that withdrew, and whose handlers wait           last in, first out
//     calls         closures of users: hooks                                  one at a time
//     inPlace       handlers in place, and jobs that a context runs at once   by the outermost call only
//     continuation  the next handler of a chain on a worker                   by a worker, if no job waits
//
// NESTING. A handler, hook or `deinit` may call into promises while `drain` is on the stack. The nested call
// also drains the lanes, but leaves handlers to the outermost call, hooks to a hook or `deinit` that runs,
// releases to a release that runs, and jobs, with promises that withdrew, to an `execute` that runs. So no
// stack grows with the number of promises. A blocking wait first drains all lanes. If many waits are nested,
// another thread does, or the main thread's outer frames. The system's timer thread runs no foreign code.

/// The pending work of the current thread. Never store a turn: each thread has its own.
struct Turn {
  /// A change that is made when the lock is free. Each core here has a hold.
  enum Step {
    /// Notify the observers of a settled promise.
    case notify(ObserverList, Core)
    /// Remove a follower from its target. If the follower was cancelled or is unwanted, it withdraws.
    case leave(Adoption)
    /// Make the followers of a promise follow its target instead.
    case skip(ObserverList, Core)
    /// Schedule the handlers of a settled promise; only this stack does so.
    case dispatch(Core)
    /// Cancel the children of a settled promise.
    case cancel(Core, any Error)
  }

  /// Work for a context.
  enum Submission {
    /// Schedule the handlers of these children.
    case handlers(Batch, ContextRef)
    /// Go on with the handlers of a promise, after those that were submitted before.
    case dispatch(Core)
    /// Wake a thread or a task that waits for an outcome, or pass other work to a context.
    case call(() -> Void)
  }

  /// One or more children.
  struct Batch {
    let first: Core
    var rest: [Core] = []
  }

  /// A handler in place, or a job that its context has run at once.
  enum Handling {
    /// A child's handler, and the promise whose late handlers in place run afterwards.
    case child(Core, before: Core?)
    case job(Job)
    /// Run the handlers of a promise that were registered while these ran in place.
    case dispatch(Core)
  }

  /// The lanes of a thread.
  struct Lanes {
    /// The number of items in all lanes but `garbage`.
    var count = 0
    var steps = FIFO<Step>()
    /// Each promise with the last one that the previous slice of a climb gave up.
    var late = FIFO<(Core, Core?)>()
    var jobs = FIFO<Submission>()
    var withdrawn: [Core] = []
    var calls = FIFO<() -> Void>()
    var inPlace = FIFO<Handling>()
    var continuation: Core?
    var garbage: [Any] = []

    /// What is on the stack.
    var frames: Frames = []
    /// The number of waits on the stack that run handlers.
    var waits = 0
    /// The time of the worker that runs on this thread.
    var workerTime = WorkerTime()
    /// The number of late handlers (`isLate`) that the outermost call has scheduled.
    var lateHandlers = 0
  }

  struct Frames: OptionSet {
    let rawValue: UInt8
    /// A call drains the lanes.
    static let draining = Frames(rawValue: 1)
    /// A step is performed: neither foreign code nor the `deinit` of a promise runs, except a `getter`.
    static let step = Frames(rawValue: 2)
    /// A hook, or another closure of a user, runs.
    static let call = Frames(rawValue: 4)
    /// A reference is being released.
    static let release = Frames(rawValue: 8)
    /// A job is being passed to a context; no handler, hook or release has begun since then.
    static let execute = Frames(rawValue: 16)
    /// A worker of the private context runs; no foreign code has begun since then.
    static let worker = Frames(rawValue: 32)
    /// A user's `isCancelled` is read in a step. Its calls drain nothing.
    static let getter = Frames(rawValue: 64)
    /// A timer of the system fires, and other timers wait for this call; or many waits are nested. Another
    /// thread runs handlers and hooks.
    static let elsewhere = Frames(rawValue: 128)

    /// The outer frames that do not count inside foreign code.
    fileprivate static let ended: Frames = [.step, .execute, .worker]
  }

  let thread: CurrentThread

  @inline(__always) static var current: Turn { Turn(thread: .current) }

  @inline(__always)
  private var lanes: Lanes {
    _read { yield thread.lanes }
    nonmutating _modify { yield &thread.lanes }
  }

  // MARK: Adding

  func add(_ step: consuming Step) {
    lanes.count += 1
    lanes.steps.append(step)
  }

  /// Adds a promise, which gets a hold, whose demand is considered when all outcomes are known.
  func considerLater(_ core: Core, after child: Core? = nil) {
    core.hold()
    child?.hold()
    lanes.count += 1
    lanes.late.append((core, child))
  }

  func submit(_ job: consuming Submission) {
    lanes.count += 1
    lanes.jobs.append(job)
  }

  /// Adds a promise with a hold whose handlers are scheduled after the clean-up that its withdrawal causes.
  func addWithdrawn(_ core: Core) {
    lanes.count += 1
    lanes.withdrawn.append(core)
  }

  /// Adds a closure of a user.
  func call(_ body: @escaping () -> Void) {
    lanes.count += 1
    lanes.calls.append(body)
  }

  /// Adds a child, with the hold of its job, whose handler runs in place. `parent` has a hold.
  @inline(__always)
  func runInPlace(_ child: Core, before parent: Core? = nil) {
    lanes.count += 1
    lanes.inPlace.append(.child(child, before: parent))
  }

  /// Adds a promise with a hold, whose late handlers in place run after those that are here now.
  func dispatchInPlace(_ core: Core) {
    lanes.count += 1
    lanes.inPlace.append(.dispatch(core))
  }

  func runInPlace(_ job: Job) {
    lanes.count += 1
    lanes.inPlace.append(.job(job))
  }

  /// Offers the child's handler to this worker as its next job.
  func continueInPlace(with child: Core) {
    lanes.count += 1
    lanes.continuation = child
  }

  /// Releases a reference when the lock is free. A `deinit` that runs then may call into promises.
  @inline(__always) func release(_ thing: consuming Any) { lanes.garbage.append(thing) }

  /// Releases a handler that is not called. Without its kind, it fits into an `Any`.
  func release(_ handler: Handler) {
    struct Captures {
      let call: Handler.Call
      let context: ContextRef?
    }
    lanes.garbage.append(Captures(call: handler.call, context: handler.context))
  }

  /// Releases a value before the pending work, unless an outer frame releases.
  @inline(__always)
  func releaseAtOnce(_ value: consuming Any) {
    if lanes.frames.contains(.release) { return lanes.garbage.append(consume value) }
    let outer = enter(foreign: [.draining, .release])
    _ = consume value
    leave(outer)
    drain()
  }

  // MARK: Queries

  /// Whether foreign code, or the `deinit` of a promise, may run now. For assertions.
  var isOutsideStep: Bool { !lanes.frames.contains(.step) || lanes.frames.contains(.getter) }

  /// Whether a handler can be scheduled now, because no step is waiting.
  @inline(__always) var isIdle: Bool { lanes.steps.isEmpty && lanes.late.isEmpty && lanes.withdrawn.isEmpty }

  /// Whether handlers wait to be submitted to their contexts.
  @inline(__always) var hasSubmissions: Bool { !lanes.jobs.isEmpty }

  /// Whether a handler for the private context may continue on this stack.
  @inline(__always) var takesContinuation: Bool {
    lanes.frames.contains(.worker) && lanes.continuation == nil
  }

  func isInside(_ frame: Frames) -> Bool { lanes.frames.contains(frame) }

  /// Counts a late handler. Returns whether there are more than one call may schedule.
  func countLate() -> Bool {
    lanes.lateHandlers += 1
    return lanes.lateHandlers > Limits.lateHandlers
  }

  /// The time of the worker that runs on this thread.
  @inline(__always) var workerTime: WorkerTime {
    _read { yield lanes.workerTime }
    nonmutating _modify { yield &lanes.workerTime }
  }

  // MARK: Draining

  /// Drains the lanes, except items that must not nest.
  @inline(__always)
  func drain() {
    assert(isOutsideStep, "foreign code has run inside a step")
    if lanes.frames.contains(.step) { return }
    if lanes.count == 0 {
      if lanes.garbage.isEmpty { return }
      releaseAll()
      // A `deinit` may have left hooks to this call.
      if lanes.count == 0 { return }
    }
    drainLanes()
  }

  private func drainLanes() {
    let outer = enter(.draining)
    drainLanes(below: outer)
    leave(outer)
  }

  /// Runs a job that a context has called, then drains the lanes.
  func work(isWorker: Bool = false, _ job: () -> Void) {
    // Inside a handler, hook or `deinit`, which runs a run loop or another context's jobs. The job runs
    // before the handlers in place that wait, because one of them may run the context's next job.
    let former = lanes.frames.contains(.draining) ? beginWait() : nil
    let outer = enter(isWorker ? [.draining, .worker] : .draining)
    job()
    drainLanes(below: outer)
    leave(outer)
    if let former { endWait(former) }
  }

  /// Runs the job of a timer of the system, in which the timer's promise settles.
  func fireTimer(_ job: () -> Void) {
    let outer = enter(.elsewhere)
    job()
    leave(outer)
  }

  /// Lets another thread take the lanes over and drain them.
  @inline(never)
  private func drainElsewhere() {
    let (frames, waits) = (lanes.frames, lanes.waits)
    lanes.waits = 0
    let moved = Guarded<Lanes?>(lanes)
    lanes = Lanes()
    (lanes.frames, lanes.waits) = (frames, waits)
    SystemClock.handlerQueue.async {
      let turn = Turn.current
      guard let lanes = moved.with({ $0.take() }) else { return }
      turn.lanes = lanes
      turn.lanes.frames = []
      CurrentThread.within(.shared) { turn.drainLanes() }
    }
  }

  /// Calls a hook that was registered after its event, in a frame like that of any other hook.
  func callAtOnce(_ hook: () -> Void) {
    let outer = enter(.draining)
    let frame = enter(foreign: .call)
    hook()
    leave(frame)
    if !outer.contains(.step) { drainLanes(below: outer) }
    leave(outer)
  }

  /// Does all pending work before a blocking wait, including work that nested calls leave to outer frames.
  /// The outer frames then find no work.
  func drainBeforeWaiting() {
    let former = beginWait()
    drainLanes()
    endWait(former)
  }

  /// Ends the outer frames until `endWait`. If many waits are nested, another thread runs the handlers and
  /// hooks that are left, so the stack does not grow with the number of waits.
  private func beginWait() -> Frames {
    let frames = lanes.frames
    lanes.waits += 1
    if lanes.waits <= Limits.nestedWaits {
      lanes.frames = []
    } else {
      // The main thread leaves them to the outer frames, because they may belong there.
      lanes.frames = MainImmediateContext.isOnMainQueue ? [.draining, .call] : .elsewhere
    }
    return frames
  }

  private func endWait(_ former: Frames) {
    lanes.waits -= 1
    lanes.frames = former
  }

  /// Runs `body`, which waits on this thread, perhaps by running its run loop. What the run loop triggers
  /// runs as if no handler ran below it.
  func wait<Result>(_ body: () -> Result) -> Result {
    drainBeforeWaiting()
    let frames = lanes.frames
    lanes.frames = []
    defer { lanes.frames = frames }
    return body()
  }

  private func drainLanes(below outer: Frames) {
    let isNested = outer.contains(.draining)
    let leavesCalls = isNested && !outer.isDisjoint(with: [.call, .release])
    let schedules = !outer.contains(.execute)
    while true {
      if !lanes.garbage.isEmpty { releaseAll() }
      if lanes.count == 0 { break }
      if let step = lanes.steps.popFirst() {
        lanes.count -= 1
        perform(step)
      } else if let (core, child) = lanes.late.popFirst() {
        lanes.count -= 1
        core.lock.with { core.considerUnwanted(after: child, self) }
      } else if schedules, let job = lanes.jobs.popFirst() {
        lanes.count -= 1
        perform(job)
      } else if schedules, let core = lanes.withdrawn.popLast() {
        lanes.count -= 1
        core.lock.with { core.dispatch(self) }
      } else if !leavesCalls, !lanes.calls.isEmpty {
        makeCall()
      } else if isNested {
        submitContinuation()
        break
      } else if lanes.frames.contains(.elsewhere) {
        drainElsewhere()
      } else if let handling = lanes.inPlace.popFirst() {
        lanes.count -= 1
        run(handling)
      } else if let child = lanes.continuation.take() {
        lanes.count -= 1
        if WorkerPool.mine.mayContinue(&lanes.workerTime) {
          child.runHandler(self)
        } else {
          WorkerPool.mine.add(Batch(first: child))
        }
      }
    }
    if !isNested { lanes.lateHandlers = 0 }
  }

  /// Calls a closure of a user, and releases it.
  @inline(never)
  private func makeCall() {
    if lanes.frames.contains(.elsewhere) { return drainElsewhere() }
    submitContinuation()
    lanes.count -= 1
    let outer = enter(foreign: .call)
    lanes.calls.popFirst()?()
    leave(outer)
  }

  private func run(_ handling: Handling) {
    submitContinuation()
    switch handling {
    case .child(let child, let parent):
      // Added before the handler, which may wait for a handler that it registers.
      if let parent { dispatchInPlace(parent) }
      child.runHandler(self)
    case .job(let job): job.perform(self)
    case .dispatch(let core): core.lock.with { core.runLate(self) }
    }
  }

  /// Enqueues the continuation in the worker pool, because foreign code is about to run on this stack.
  @inline(__always)
  func submitContinuation() {
    guard let child = lanes.continuation.take() else { return }
    lanes.count -= 1
    WorkerPool.mine.add(Batch(first: child))
  }

  /// Releases the references in `garbage`, unless an outer frame does so.
  @inline(never)
  private func releaseAll() {
    guard !lanes.frames.contains(.release) else { return }
    let outer = enter(foreign: [.draining, .release])
    while !lanes.garbage.isEmpty {
      let thing = lanes.garbage.removeLast()
      withExtendedLifetime(thing) {}
    }
    if lanes.garbage.capacity > 1024 { lanes.garbage = [] }
    leave(outer)
  }

  /// Begins a frame, which nested calls can see. Returns the outer frames, for ``leave(_:)``.
  @inline(__always)
  func enter(_ frame: Frames) -> Frames {
    let outer = lanes.frames
    lanes.frames = outer.union(frame)
    return outer
  }

  /// Begins a frame of foreign code: of a handler if `frame` is empty.
  @inline(__always)
  func enter(foreign frame: Frames) -> Frames {
    let outer = lanes.frames
    lanes.frames = outer.subtracting(Frames.ended).union(frame)
    return outer
  }

  @inline(__always) func leave(_ outer: Frames) { lanes.frames = outer }

  // MARK: Steps

  @inline(__always)
  private func perform(_ step: consuming Step) {
    let outer = enter(.step)
    performInStep(step)
    leave(outer)
  }

  private func performInStep(_ step: consuming Step) {
    switch consume step {
    case .notify(let observers, let core):
      core.notify(observers, self)
    case .leave(let adoption):
      adoption.leaveTarget(self)
      release(adoption)
    case .skip(let observers, let core):
      core.move(observers, self)
    case .dispatch(let core):
      core.lock.with { core.dispatch(self) }
    case .cancel(let core, let reason):
      core.passCancel(reason, self)
      release(reason)
    }
  }

  private func perform(_ job: consuming Submission) {
    if case .dispatch(let core) = job { return core.lock.with { core.dispatch(isResuming: true, self) } }
    // An executor may call into promises when its task is enqueued.
    submitContinuation()
    let outer = enter(foreign: .execute)
    switch consume job {
    case .handlers(let children, let context): context.schedule(children, self)
    case .call(let body): body()
    case .dispatch: break
    }
    leave(outer)
  }
}
