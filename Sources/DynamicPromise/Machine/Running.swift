// Running a handler, and settling its child with the result.

extension Promise {
  /// Takes the handler out to be run, unless it was withdrawn. Called with the lock held.
  func start(_ effects: Effects) {
    guard let parent = heldParent else { return startDisplaced(effects) }
    start(below: parent, effects)
  }

  /// The same for a child whose parent is at hand, and has settled.
  @inline(__always)
  func start(below parent: Promise, _ effects: Effects) {
    guard case .handler = state else { return startDisplaced(effects) }
    if flags.contains(.unwantedHandler) {
      guard let reason = side?.reason else { return }
      run(below: parent, with: .rejected(reason), isCancelling: true, effects)
    } else if let outcome = parent.state.outcome {
      run(below: parent, with: outcome, isCancelling: parent.flags.contains(.cancelled), effects)
    }
  }

  @inline(__always)
  private func run(
    below parent: Promise, with input: Outcome, isCancelling: Bool, _ effects: Effects
  ) {
    let thread = effects.thread.number
    if flags.contains(.resumesParent) { parent.runner = Self.shortened(thread) }
    var former = State.unresolved
    swap(&former, &state)
    guard case .handler(let handler) = consume former else { return }
    state = .running(thread: thread)
    effects.child = self
    effects.run = Effects.Run(handler: handler, input: input, isCancelling: isCancelling)
  }

  /// Something else comes before the handler that was taken out to be run. Called with the lock held.
  ///
  /// - Returns: Whether it waits for its turn again. Not if another thread has settled the child meanwhile.
  func putBack(_ run: Effects.Run) -> Bool {
    guard case .running = state else { return false }
    state = .handler(run.handler)
    return true
  }

  /// Whether the calling thread runs this promise's handlers in place, one after the other.
  var isRunningHandlersHere: Bool {
    lock.with { runner != 0 && runner == Self.shortened(CurrentThread.id) }
  }

  static func shortened(_ thread: UInt) -> UInt32 { UInt32(truncatingIfNeeded: thread >> 4) }

  private func startDisplaced(_ effects: Effects) {
    guard let detached = side?.detachedChild, case .handler = detached.state else {
      return resumeParent(effects)
    }
    if flags.contains(.resumesParent) {
      flags.remove(.resumesParent)
      detached.flags.insert(.resumesParent)
      if state.isSettled { releaseParent(effects) } else { updateHolds(effects) }
    }
    detached.start(effects)
    if state.isSettled { releaseDetachedChild(effects) }
  }

  /// Calls a handler, and settles its child by the result.
  @inline(__always)
  func perform(_ run: consuming Effects.Run, _ effects: Effects) {
    guard run.isCancelling || run.isFinally || Diagnosis.isListening else {
      return returned(run.result(), effects)
    }
    performSpecial(run, effects)
  }

  /// The same where the outcome depends on more than the result, or a listener is installed.
  private func performSpecial(_ run: consuming Effects.Run, _ effects: Effects) {
    let input = run.input
    let isCancelling = run.isCancelling
    let isPlain = !isCancelling && !run.isFinally
    let resolution = Diagnosis.isListening ? notedResult(of: run) : run.result()
    if isCancelling, let reason = input.reason {
      returnedToCancel(resolution, reason, effects)
      // Not released here: its deinit may wait, and what is still to do is not known to that wait.
      if case .unknown = resolution { effects.letGo(of: resolution as Any) }
    } else if isPlain {
      returned(resolution, effects)
    } else {
      returnedFromFinally(resolution, input, effects)
      if case .unknown = resolution { effects.letGo(of: resolution as Any) }
    }
  }

  /// The handler has returned.
  @inline(__always)
  private func returned(_ resolution: consuming Resolution, _ effects: Effects) {
    switch consume resolution {
    case .outcome(let outcome): settleAfterRun(outcome, effects)
    case .adopt(let other), .running(let other): adoptAfterRun(other, effects)
    case .unknown(let value):
      if Fact.isPlain(type(of: value.any)) {
        settleAfterRun(.fulfilled(value), effects)
        return
      }
      switch Fact(value) {
      case .outcome(let outcome): settleAfterRun(outcome, effects)
      case .promise(let other): adoptAfterRun(other, effects)
      case .thenable(let thenable):
        let isLate = !resolve(with: thenable, afterRun: true, effects)
        resumeParentAfterRun(isLate: isLate, effects)
      }
    }
  }

  /// - Returns: Whether the child has settled with this.
  @inline(__always)
  @discardableResult
  private func settleAfterRun(
    _ outcome: consuming Outcome, byRequest isCancelled: Bool = false, _ effects: Effects
  ) -> Bool {
    lock.lock()
    #if DEBUG
      if !outcome.isFulfilled { noteLandmark() }
    #endif
    // Resolved by hand meanwhile, it may have to wait for another promise, and holds its parent until then.
    let isSettling = state.isUnresolved
    if flags.contains(.resumesParent) { resumeParent(isSettling: isSettling, effects) }
    if isSettling {
      settle(consume outcome, byRequest: isCancelled, effects)
    } else {
      flags.remove(.awaitsResolution)
      endHandler(effects)
      effects.letGo(of: outcome as Any)
    }
    lock.unlock()
    return isSettling
  }

  private func adoptAfterRun(_ other: Promise, _ effects: Effects) {
    // One that has settled is as good as its outcome.
    if other !== self, case (let outcome?, let isCancelled, false) = other.lookAtOutcome() {
      if settleAfterRun(outcome, byRequest: isCancelled, effects) { noteFollowing(other) }
      return
    }
    let isLate = !adopt(other, afterRun: true, effects)
    resumeParentAfterRun(isLate: isLate, effects)
  }

  /// - Parameter isLate: Whether the child was cancelled, or resolved by hand, before its handler returned.
  private func resumeParentAfterRun(isLate: Bool, _ effects: Effects) {
    lock.lock()
    resumeParent(effects)
    if isLate { endHandler(effects) }
    lock.unlock()
  }

  private func endHandler(_ effects: Effects) { endWork(effects) { $0.handlersThread = nil } }

  /// The handler that ran in place has returned: the parent's other children are next. Called with the lock
  /// held.
  ///
  /// - Parameter isSettling: Whether the child itself settles next.
  @inline(__always)
  private func resumeParent(isSettling: Bool = false, _ effects: Effects) {
    guard flags.contains(.resumesParent) else { return }
    flags.remove(.resumesParent)
    if isSettling || state.isSettled {
      guard let parent = takeParent() else { return }
      parent.resumeDispatch(effects)
      effects.letGo(of: parent)
    } else {
      heldParent?.resumeDispatch(effects)
      updateHolds(effects)
    }
  }

  // MARK: Below a cancelled promise

  /// The handler of a cancelled parent's child has returned: the child is cancelled whatever came back, and
  /// an error that it returned or threw becomes the child's reason. An asynchronous handler has not returned
  /// yet.
  fileprivate func returnedToCancel(
    _ resolution: Resolution, _ parentReason: any Error, _ effects: Effects
  ) {
    let reason = resolution.error ?? parentReason
    if case .running(let task) = resolution {
      lock.lock()
      if case .running = state { state = .running(thread: 0) }
      if let work = side?.unfinished, work.handlersThread != nil { work.handlersThread = 0 }
      resumeParent(effects)
      lock.unlock()
      task.observe(ReturnOfHandler(task, of: self, reason), effects)
    } else {
      let cleanUp = resolution.promise
      let wait = cleanUp.map { _ in lock.with { leaveWait() } }
      settleAfterRun(.rejected(reason), byRequest: true, effects)
      if let cleanUp { wait?.start(at: cleanUp, effects) }
    }
  }

  // MARK: finally

  /// The body has returned: the parent's outcome goes on, unless the body failed; a promise or thenable that
  /// it returned is waited for.
  private func returnedFromFinally(
    _ resolution: Resolution, _ original: Outcome, _ effects: Effects
  ) {
    let waitedFor: Promise
    switch resolution.fact {
    case .outcome(let outcome):
      settleAfterRun(outcome.isFulfilled ? original : outcome, effects)
      return
    case .promise(let other): waitedFor = other
    case .thenable(let thenable):
      waitedFor = Promise()
      waitedFor.resolve(with: thenable, effects)
    }
    let isLate = !adopt(waitedFor, instead: original, withdraws: false, afterRun: true, effects)
    resumeParentAfterRun(isLate: isLate, effects)
  }
}

/// Waits for an asynchronous handler that runs because of a cancel, and retains its task.
final class ReturnOfHandler: Observer {
  private let task: Promise
  private let child: Promise
  private let reason: any Error

  init(_ task: Promise, of child: Promise, _ reason: any Error) {
    self.task = task
    self.child = child
    self.reason = reason
    super.init(isConsumer: true)
  }

  override func settled(_ promise: Promise, with outcome: Outcome, _ effects: Effects) {
    if promise.isUnfinished { child.waitForWork(of: promise, effects) }
    child.returnedToCancel(.outcome(outcome), reason, effects)
  }
}

extension Resolution {
  /// The promise that a handler returned.
  var promise: Promise? {
    switch self {
    case .outcome: nil
    case .adopt(let promise), .running(let promise): promise
    case .unknown(let value): if case .promise(let promise) = Fact(value) { promise } else { nil }
    }
  }

  /// The error that a handler returned or threw.
  fileprivate var error: (any Error)? {
    switch self {
    case .outcome(let outcome): outcome.reason
    case .adopt, .running: nil
    case .unknown(let value):
      if case .outcome(.rejected(let reason)) = Fact(value) { reason } else { nil }
    }
  }
}
