// The pending work of a thread.
//
// A transition changes fields with a tree locked. Work that needs the lock to be free is added to the turn of
// the thread. Such work is a change in another tree, a handler to run, or a reference to release. The call
// that made the transition then drains the turn. A turn is a work queue, so chains of any length do not
// recurse.
//
//     lane          contents                                                  drained
//     released      promises that transitions have removed from fields        first of all, one at a time
//     others        other references to release                               after `released`
//     steps         observers to notify, cancels to pass on                   in order
//     grouped       steps of a group (`CleanUpOrder.swift`)                   after steps without a group
//     late          promises that may have lost their last consumer           after all outcomes are known
//     outward       jobs for contexts                                         before hooks, which may block
//     order         handlers of a group, to be scheduled                      after `outward`
//     calls         closures of users: hooks                                  one at a time
//     wakes         threads and tasks that wait for an outcome                after hooks
//     sibling       the next handler in place of the same parent              by the outermost call only
//     handlers      other handlers in place                                   by the outermost call only
//     continuation  the next handler of a chain on a worker                   by a worker, if no job waits
//
// NESTING. A handler, hook or `deinit` may call into promises while `drain` is on the stack. The nested call
// also drains the lanes, with four exceptions. Handlers are left to the outermost call. Hooks are left to a
// hook or `deinit` that runs, releases to a release that runs, and jobs and wakes to an `execute` that runs.
// No stack therefore grows with the number of promises, and no depth is counted. A blocking wait first drains
// all lanes. The thread of the system's timers runs no handlers and hooks; another thread takes its lanes
// over.

/// The pending work of the current thread. Never store a turn: each thread has its own.
struct Turn {
  /// A part of a transition that is performed when the lock is free.
  enum Step {
    /// Notify the observers of a promise.
    case notify(ObserverList, Promise, Outcome)
    /// Remove an adopter from its target. If there is a reason, the adopter withdraws.
    case leave(Adoption, (any Error)?)
    /// Make the adopters of a freed promise follow another promise.
    case relink([Adoption], Promise)
    /// Schedule the handlers of a settled promise; only this stack does so. `resuming`: a handler in place
    /// has returned. The promise's next handler in place then runs before handlers in place that the returned
    /// handler has caused.
    case dispatch(Promise, resuming: Bool)
    /// Settle the children of a settled promise that have no handler for its outcome, beginning with `from`.
    case passOn(Promise, from: Promise?)
    /// Cancel a pending promise, or the children of a settled promise.
    case cancel(Promise, any Error)
    /// Check whether a promise has no consumer left.
    case considerUnwanted(Promise, after: Promise?)
    /// Schedule the handlers of these children on a context, then the other handlers of their parent `of`,
    /// unless `of` is `nil`.
    case schedule(Batch, ContextRef, of: Promise?, resuming: Bool)
    /// Wake a thread or a task that waits for an outcome.
    case wake(() -> Void)
  }

  /// One or more children.
  struct Batch {
    let first: Promise
    var rest: [Promise] = []
  }

  /// A handler in place, or a job that has to wait for the outermost call.
  enum Handling {
    case child(Promise)
    case job(Job)
  }

  /// The lanes of a thread.
  struct Lanes {
    /// The number of items in all lanes, except references to release.
    var count = 0
    /// The number of items in `steps`, `grouped`, `late` and `order`.
    var stepCount = 0
    var steps = FIFO<Step>()
    /// Each step with its group.
    var grouped = FIFO<(Step, Int)>()
    var late = FIFO<Step>()
    var order = CleanUpOrder()
    var outward = FIFO<Step>()
    var calls = FIFO<() -> Void>()
    var wakes = FIFO<Step>()
    /// The next child of a promise whose handlers run in place, one after the other.
    var sibling: Promise?
    var handlers = FIFO<Handling>()
    var continuation: Promise?
    var released = FIFO<Promise>()
    var others = FIFO<OtherRelease>()

    /// The frames on the stack.
    var frames: Frames = []
    /// The number of waits on the stack that run handlers.
    var waits = 0
    /// The time of the worker that runs on this thread.
    var workerTime = WorkerTime()
    /// The number of late handlers (`isLate`) that the outermost call has scheduled.
    var lateHandlers = 0
  }

  /// References that are released less often than promises.
  enum OtherRelease {
    case handler(Handler)
    /// A performed step, with its promises.
    case step(Step)
    case other(Any)
  }

  struct Frames: OptionSet {
    let rawValue: UInt16
    /// A call drains the lanes.
    static let draining = Frames(rawValue: 1)
    /// A handler runs.
    static let handler = Frames(rawValue: 2)
    /// A hook, or another closure of a user, runs.
    static let call = Frames(rawValue: 4)
    /// A reference is being released.
    static let release = Frames(rawValue: 8)
    /// A job is being passed to a context; no handler, hook or release has begun since then.
    static let scheduling = Frames(rawValue: 16)
    /// A worker of the private context runs; no handler, hook, release or `execute` has begun since then.
    static let worker = Frames(rawValue: 32)
    /// A step is performed; no handler, hook, release or `execute` has begun since then. Neither foreign code
    /// nor the `deinit` of a promise runs in this frame, except a `getter`, whose calls drain nothing.
    static let step = Frames(rawValue: 64)
    /// A reference is being released, and no handler has begun since then.
    static let inDeinit = Frames(rawValue: 128)
    /// A user's `isCancelled` is read.
    static let getter = Frames(rawValue: 256)
    /// A timer of the system fires, and other timers wait for this call; or many waits are nested. Another
    /// thread runs handlers and hooks.
    static let elsewhere = Frames(rawValue: 512)
    static let releasing: Frames = [.release, .inDeinit]

    /// The outer frames that do not count inside this frame.
    @inline(__always) fileprivate var ended: Frames {
      switch self {
      case .handler: [.worker, .step, .scheduling, .inDeinit]
      case .call, .releasing: [.worker, .step, .scheduling]
      case .scheduling: [.worker, .step]
      default: []
      }
    }
  }

  let thread: CurrentThread

  @inline(__always)
  static var current: Turn { Turn(thread: .current) }

  @inline(__always)
  private var lanes: Lanes {
    _read { yield thread.lanes }
    nonmutating _modify { yield &thread.lanes }
  }

  // MARK: Adding

  func add(_ step: consuming Step) {
    countStep()
    if lanes.order.current == 0 {
      lanes.steps.append(step)
    } else {
      lanes.grouped.append((step, lanes.order.current))
    }
  }

  /// Adds a step that waits until all outcomes are known. It belongs to no group.
  func add(late step: consuming Step) {
    countStep()
    lanes.late.append(step)
  }

  /// Adds a settled promise whose handlers have to be scheduled.
  func add(dispatch promise: consuming Promise) {
    guard lanes.order.current > 0 else { return add(.dispatch(promise, resuming: false)) }
    countStep()
    lanes.order.add(dispatch: promise)
  }

  private func countStep() {
    lanes.count += 1
    lanes.stepCount += 1
  }

  func add(outward step: consuming Step) {
    lanes.count += 1
    lanes.outward.append(step)
  }

  func add(last step: consuming Step) {
    lanes.count += 1
    lanes.wakes.append(step)
  }

  /// Adds a closure of a user.
  func call(_ body: @escaping () -> Void) {
    lanes.count += 1
    lanes.calls.append(body)
  }

  /// Adds a child whose handler runs in place. `isSibling`: a handler of the same parent has just returned,
  /// so this handler runs before other handlers in place.
  @inline(__always)
  func runInPlace(_ child: consuming Promise, isSibling: Bool) {
    lanes.count += 1
    if isSibling, lanes.sibling == nil {
      lanes.sibling = consume child
    } else {
      lanes.handlers.append(.child(consume child))
    }
  }

  func runInPlace(_ job: Job) {
    lanes.count += 1
    lanes.handlers.append(.job(job))
  }

  /// Offers the child's handler to this worker as its next job.
  func continueInPlace(with child: consuming Promise) {
    lanes.count += 1
    lanes.continuation = child
  }

  // MARK: Groups

  /// Runs `body` in a new group of `owner`, inside the current group. If `owner` is `nil`, runs `body` in the
  /// current group.
  func inGroup(of owner: Promise?, _ body: () -> Void) {
    guard let owner else { return body() }
    // `lanes.count` includes one item for `forgetGroups`.
    if lanes.order.isEmpty { lanes.count += 1 }
    let outer = lanes.order.begin(by: owner)
    body()
    lanes.order.enter(outer)
  }

  /// Adds a settling promise to the group of the current step.
  @inline(__always)
  func addToGroup(_ promise: Promise) {
    if lanes.order.current > 0 { lanes.order.add(member: promise) }
  }

  /// Records that `owner` has followed or collected a promise.
  func note(_ owner: Promise, after followed: Promise) {
    if lanes.order.current > 0 { lanes.order.add(followed: followed, by: owner) }
  }

  private func forgetGroups() {
    lanes.count -= 1
    release(lanes.order as Any)
    lanes.order = CleanUpOrder()
  }

  /// Releases a reference when the lock is free. A `deinit` that runs then may call into promises.
  @inline(__always)
  func release(_ promise: consuming Promise) { lanes.released.append(consume promise) }

  /// Releases a handler that is not called, when the lock is free.
  func release(_ handler: Handler) { lanes.others.append(.handler(handler)) }

  func release(_ thing: Any) { lanes.others.append(.other(thing)) }

  // MARK: Queries

  /// Whether an outer call drains the lanes.
  @inline(__always) var isNested: Bool { lanes.frames.contains(.draining) }

  /// Whether foreign code, or the `deinit` of a promise, may run now. For assertions.
  var isOutsideStep: Bool { !lanes.frames.contains(.step) || lanes.frames.contains(.getter) }

  /// Whether a handler can be scheduled now, because no step is waiting.
  @inline(__always) var isIdle: Bool { lanes.stepCount == 0 && lanes.order.current == 0 }

  /// Whether a handler for the private context may continue on this stack.
  @inline(__always) var takesContinuation: Bool {
    lanes.frames.contains(.worker) && lanes.continuation == nil
  }

  /// Whether a job that its context runs at once has to wait. Inside a handler, a hook or the job of a timer,
  /// the job always waits. If the job has not waited yet, it also waits inside a `deinit`, and while hooks,
  /// handlers or dispatches wait. Otherwise a call in the job would call those hooks, or the job might block
  /// until another job has run.
  func delaysJob(again: Bool) -> Bool {
    guard lanes.frames.contains(.scheduling) else { return false }
    if !lanes.frames.isDisjoint(with: [.handler, .call, .elsewhere]) { return true }
    if again { return false }
    if lanes.frames.contains(.inDeinit) || lanes.order.count > 0 { return true }
    return !lanes.calls.isEmpty || !lanes.handlers.isEmpty || lanes.sibling != nil
  }

  /// Counts a late handler.
  ///
  /// - Returns: Whether there are more late handlers than one call may schedule.
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
      releaseAll()
      // A `deinit` may have left hooks to this call.
      if lanes.count == 0 { return }
    }
    drainLanes()
  }

  private func drainLanes() {
    let outer = enter(.draining)
    defer { leave(outer) }
    drainLanes(below: outer)
  }

  /// Runs a job that a context has called, then drains the lanes. If the context has called the job inside
  /// `execute`, the outer frame schedules further jobs, so the stack does not grow.
  func work(isWorker: Bool = false, _ job: () -> Void) {
    if !lanes.frames.isDisjoint(with: [.handler, .call]), !lanes.frames.contains(.scheduling) {
      // A handler or hook runs a run loop, or another context's jobs.
      return wait { work(job) }
    }
    let outer = enter(isWorker ? [.draining, .worker] : .draining)
    defer { leave(outer) }
    // Calls inside the job may schedule jobs.
    lanes.frames.remove(.scheduling)
    job()
    drainLanes(below: outer)
  }

  /// Runs the job of a timer of the system, in which the timer's promise settles.
  func fireTimer(_ job: () -> Void) {
    let outer = enter(.elsewhere)
    defer { leave(outer) }
    job()
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
      turn.drainLanes()
    }
  }

  /// Calls a hook that was registered after its event, in a frame like that of any other hook.
  func callAtOnce(_ hook: () -> Void) {
    let outer = enter(.draining)
    defer { leave(outer) }
    do {
      let outer = enter(.call)
      defer { leave(outer) }
      hook()
    }
    drainLanes(below: outer)
  }

  /// Does all pending work before a blocking wait, including work that nested calls leave to outer frames.
  /// The outer frames then find no work. If many waits are nested, another thread runs the handlers and hooks
  /// that are left, so the stack does not grow with the number of waits.
  func drainBeforeWaiting() {
    let frames = lanes.frames
    lanes.waits += 1
    if lanes.waits <= Limits.nestedWaits {
      lanes.frames = []
    } else {
      // The main thread leaves them to the outer frames, because they may belong there.
      lanes.frames = MainImmediateContext.isOnMainQueue ? [.draining, .call] : .elsewhere
    }
    drainLanes()
    lanes.waits -= 1
    lanes.frames = frames
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
    let leavesCalls = isNested && !outer.isDisjoint(with: [.call, .inDeinit])
    let schedules = !outer.contains(.scheduling)
    while true {
      releaseAll()
      if lanes.count == 0 { break }
      if let step = takeStep(schedules) {
        perform(step)
      } else if schedules, let step = takeOutward() {
        perform(step)
      } else if lanes.stepCount == 0, !lanes.order.isEmpty {
        forgetGroups()
      } else if !leavesCalls, !lanes.calls.isEmpty {
        makeCall()
      } else if schedules, let step = takeWake() {
        perform(step)
      } else if isNested {
        submitContinuation()
        break
      } else if lanes.frames.contains(.elsewhere) {
        drainElsewhere()
      } else if let child = lanes.sibling.take() {
        lanes.count -= 1
        run(.child(child))
      } else if let handling = lanes.handlers.popFirst() {
        lanes.count -= 1
        run(handling)
      } else if let child = lanes.continuation.take() {
        lanes.count -= 1
        if WorkerPool.mine.mayContinue(&lanes.workerTime) {
          child.runHandler(self)
        } else {
          WorkerPool.mine.add(child)
        }
      }
    }
    if !isNested { lanes.lateHandlers = 0 }
  }

  private func takeStep(_ schedules: Bool) -> Step? {
    guard lanes.stepCount > 0,
      let step = lanes.steps.popFirst() ?? takeGrouped() ?? lanes.late.popFirst() ?? takeDispatch(schedules)
    else { return nil }
    lanes.stepCount -= 1
    lanes.count -= 1
    return step
  }

  private func takeGrouped() -> Step? {
    guard let (step, group) = lanes.grouped.popFirst() else { return nil }
    lanes.order.enter(group)
    return step
  }

  private func takeDispatch(_ schedules: Bool) -> Step? {
    // Jobs in `outward` are scheduled before the handlers of groups.
    guard schedules, lanes.outward.isEmpty else { return nil }
    return lanes.order.takeDispatch().map { .dispatch($0, resuming: false) }
  }

  private func takeOutward() -> Step? {
    guard !lanes.outward.isEmpty else { return nil }
    lanes.count -= 1
    return lanes.outward.popFirst()
  }

  private func takeWake() -> Step? {
    guard !lanes.wakes.isEmpty else { return nil }
    lanes.count -= 1
    return lanes.wakes.popFirst()
  }

  /// Calls a closure of a user, and releases it.
  @inline(never)
  private func makeCall() {
    if lanes.frames.contains(.elsewhere) { return drainElsewhere() }
    submitContinuation()
    // The submission may have released a reference whose `deinit` has made the call.
    guard !lanes.calls.isEmpty else { return }
    lanes.count -= 1
    let outer = enter(.call)
    defer { leave(outer) }
    lanes.calls.popFirst()?()
  }

  private func run(_ handling: Handling) {
    submitContinuation()
    switch handling {
    case .child(let child): child.runHandler(self)
    case .job(let job): job.schedule(hasWaited: true, self)
    }
  }

  /// Enqueues the continuation in the worker pool, because foreign code is about to run on this stack.
  @inline(__always)
  func submitContinuation() {
    guard let child = lanes.continuation.take() else { return }
    lanes.count -= 1
    WorkerPool.mine.add(child)
    // A worker may have run the child already, so this reference may be the last one.
    release(child)
  }

  /// Releases the references of `released` and `others`, unless an outer frame does so.
  @inline(__always)
  private func releaseAll() {
    guard !lanes.released.isEmpty || !lanes.others.isEmpty, !lanes.frames.contains(.release) else { return }
    let outer = enter(.releasing)
    defer { leave(outer) }
    repeat {
      while let promise = lanes.released.popFirst() { withExtendedLifetime(promise) {} }
    } while !lanes.others.isEmpty && releasesOther()
  }

  @inline(never)
  private func releasesOther() -> Bool {
    withExtendedLifetime(lanes.others.popFirst()) {}
    return true
  }

  /// Begins a frame, which nested calls can see.
  ///
  /// - Returns: The outer frames, for ``leave(_:)``.
  @inline(__always)
  func enter(_ frame: Frames) -> Frames {
    let outer = lanes.frames
    lanes.frames = outer.subtracting(frame.ended).union(frame)
    return outer
  }

  @inline(__always)
  func leave(_ outer: Frames) { lanes.frames = outer }

  // MARK: Steps

  /// Performs a step, then adds it to the references to release, because calls of a `deinit` inside a step
  /// would drain nothing.
  @inline(__always)
  private func perform(_ step: consuming Step) {
    let outer = enter(.step)
    performInStep(step)
    leave(outer)
    lanes.order.enter(0)
    lanes.others.append(.step(consume step))
  }

  private func performInStep(_ step: borrowing Step) {
    switch step {
    case .notify(let observers, let promise, let outcome):
      observers.forEach { $0.settled(promise, with: outcome, self) }
      observers.dissolve { release($0 as Any) }
    case .leave(let adoption, let reason): adoption.withdraw(reason, self)
    case .relink(let adoptions, let target):
      for adoption in adoptions { adoption.relink(to: target, self) }
    case .dispatch(let promise, let isResuming):
      promise.lock.lock()
      promise.dispatchNext(resuming: isResuming, self)
      promise.lock.unlock()
    case .passOn(let promise, let child):
      promise.lock.lock()
      promise.passOn(from: child, self)
      promise.lock.unlock()
    case .cancel(let promise, let reason): promise.passCancel(reason, self)
    case .considerUnwanted(let promise, let child):
      promise.lock.lock()
      promise.considerUnwanted(after: child, self)
      promise.lock.unlock()
    case .schedule(let children, let context, let parent, let isResuming):
      context.schedule(children, self)
      guard let parent else { return }
      parent.lock.lock()
      parent.dispatchNext(resuming: isResuming, self)
      parent.lock.unlock()
    case .wake(let wake):
      // A wake counts as scheduling, because an executor may call into promises when its task is enqueued.
      let outer = enter(.scheduling)
      wake()
      leave(outer)
    }
  }
}
