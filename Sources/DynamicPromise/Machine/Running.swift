// Runs a handler, and settles its child with the result.

/// A handler that was taken out of its child, to be called.
struct Run {
  let handler: Handler
  let input: Outcome
  /// Whether the child is cancelled when its handler has returned.
  let isCancelling: Bool

  /// Calls the handler and frees it before the child is settled.
  @inline(__always)
  consuming func result(_ turn: Turn) -> Resolution {
    let outer = turn.enter(.handler)
    defer { turn.leave(outer) }
    do { return try handler.call(input) } catch { return .outcome(.rejected(error)) }
  }
}

extension Promise {
  /// The job of a child: calls the handler, if the child still has it, and settles the child with the result.
  /// Called with nothing locked.
  func runHandler(_ turn: Turn) {
    lock.lock()
    guard let run = takeHandler(turn) else {
      resumeParent(turn)
      return lock.unlock()
    }
    lock.unlock()
    settle(by: run, turn)
  }

  /// Removes the handler, if there is one. Called with the lock held.
  @inline(__always)
  private func takeHandler(_ turn: Turn) -> Run? {
    let thread = turn.thread.number
    var former = State.running(thread: thread)
    swap(&former, &state)
    guard case .handler(let handler) = former, flags.contains(.holdsParent), let above = node?.up else {
      swap(&former, &state)
      return nil
    }
    if flags.contains(.resumesParent) { above.held.runner = Self.shortened(thread) }
    if flags.contains(.unwantedHandler), let reason = side?.reason {
      return Run(handler: handler, input: .rejected(reason), isCancelling: true)
    }
    // `broken` is never used, because handlers without `unwantedHandler` are scheduled after their parents
    // have settled.
    return above.withHeld {
      Run(
        handler: handler, input: $0.state.outcome ?? .rejected(PromiseError.broken),
        isCancelling: $0.flags.contains(.cancelled))
    }
  }

  /// Whether the calling thread runs this promise's handlers in place, one after the other.
  var isRunningHandlersHere: Bool {
    lock.with { runner != 0 && runner == Self.shortened(CurrentThread.id) }
  }

  static func shortened(_ thread: UInt) -> UInt32 { UInt32(truncatingIfNeeded: thread >> 4) }

  /// Calls a handler, and settles its child with the result.
  @inline(__always)
  private func settle(by run: consuming Run, _ turn: Turn) {
    guard run.isCancelling || run.handler.isFinally || Diagnosis.isListening else {
      return settle(by: run.result(turn), turn)
    }
    settleSpecial(by: run, turn)
  }

  /// Calls a handler and settles its child, if the outcome depends on more than the result, or a listener is
  /// installed.
  private func settleSpecial(by run: consuming Run, _ turn: Turn) {
    let input = run.input
    let isCancelling = run.isCancelling
    let isFinally = run.handler.isFinally
    let resolution = Diagnosis.isListening ? notedResult(of: run, turn) : run.result(turn)
    if isCancelling, let reason = input.reason {
      returnedToCancel(resolution, reason, turn)
    } else if isFinally {
      returnedFromFinally(resolution, input, turn)
    } else {
      settle(by: resolution, turn)
    }
  }

  /// Settles the child with the handler's result.
  @inline(__always)
  private func settle(by resolution: consuming Resolution, _ turn: Turn) {
    switch consume resolution {
    case .outcome(let outcome): settleAfterRun(outcome, turn)
    case .promise(let other), .task(let other): adoptAfterRun(other, turn)
    case .thenable(let thenable):
      let isLate = !resolve(with: thenable, turn)
      resumeParentAfterRun(isLate: isLate, turn)
    }
  }

  /// - Returns: Whether `outcome` has settled the child.
  @inline(__always)
  @discardableResult
  private func settleAfterRun(
    _ outcome: consuming Outcome, byRequest isCancelled: Bool = false, _ turn: Turn
  ) -> Bool {
    lock.lock()
    #if DEBUG
      if !outcome.isFulfilled { noteLandmark() }
    #endif
    // `false` if the child was cancelled meanwhile.
    let isSettling = state.isUnresolved
    if flags.contains(.resumesParent) {
      inheritWork(byRequest: isCancelled)
      resumeParent(isSettling: isSettling, turn)
    }
    if isSettling {
      settle(consume outcome, byRequest: isCancelled, turn)
    } else {
      flags.remove(.awaitsResolution)
      endHandler(turn)
      turn.release(outcome as Any)
    }
    lock.unlock()
    return isSettling
  }

  private func adoptAfterRun(_ other: Promise, _ turn: Turn) {
    // If `other` has settled and is finished, its outcome is used at once.
    if other !== self, case (let outcome?, let isCancelled, false) = other.readOutcomeForFollower() {
      if settleAfterRun(outcome, byRequest: isCancelled, turn) { noteFollowing(other) }
      return
    }
    let isLate = !adopt(other, turn)
    resumeParentAfterRun(isLate: isLate, turn)
  }

  /// - Parameter isLate: Whether the child was cancelled before its handler returned.
  private func resumeParentAfterRun(isLate: Bool, _ turn: Turn) {
    lock.lock()
    resumeParent(turn)
    if isLate { endHandler(turn) }
    lock.unlock()
  }

  private func endHandler(_ turn: Turn) { endUnfinishedWork(turn) { $0.handlersThread = nil } }

  /// Lets the parent dispatch its other children, because the handler in place has returned. Called with the
  /// lock held.
  ///
  /// - Parameter isSettling: Whether the child itself settles next.
  @inline(__always)
  private func resumeParent(isSettling: Bool = false, _ turn: Turn) {
    guard flags.contains(.resumesParent) else { return }
    flags.remove(.resumesParent)
    if isSettling || state.isSettled {
      guard let parent = takeParent() else { return }
      parent.resumeDispatch(turn)
      turn.release(parent)
    } else {
      heldParent?.resumeDispatch(turn)
      updateHolds(turn)
    }
  }

  // MARK: Below a cancelled promise

  /// Cancels a child whose handler ran because of a cancel, whatever the handler has returned. An error that
  /// the handler returned or threw becomes the child's reason. After an asynchronous handler, the child is
  /// cancelled when the task has ended.
  fileprivate func returnedToCancel(
    _ resolution: Resolution, _ parentReason: any Error, _ turn: Turn
  ) {
    let reason = resolution.error ?? parentReason
    if case .task(let task) = resolution {
      lock.lock()
      if case .running = state { state = .running(thread: 0) }
      if let work = side?.unfinished, work.handlersThread != nil { work.handlersThread = 0 }
      resumeParent(turn)
      lock.unlock()
      task.observe(ReturnOfHandler(task, of: self, reason), turn)
    } else {
      let cleanUp = resolution.promise
      let wait = cleanUp.map { _ in lock.with { addUnfinishedWait() } }
      settleAfterRun(.rejected(reason), byRequest: true, turn)
      if let cleanUp { wait?.start(at: cleanUp, turn) }
    }
  }

  // MARK: finally

  /// Settles the child of a `finally` whose body has returned. Passes the parent's outcome on, unless the
  /// body failed. If the body returned a promise or thenable, the child waits for that promise before it
  /// settles.
  private func returnedFromFinally(
    _ resolution: Resolution, _ original: Outcome, _ turn: Turn
  ) {
    let waitedFor: Promise
    switch resolution {
    case .outcome(let outcome):
      settleAfterRun(outcome.isFulfilled ? original : outcome, turn)
      return
    case .promise(let other), .task(let other): waitedFor = other
    case .thenable(let thenable):
      waitedFor = Promise(.unresolved, on: defaultContext)
      waitedFor.resolve(with: thenable, turn)
    }
    let isLate = !adopt(waitedFor, instead: original, withdraws: false, turn)
    resumeParentAfterRun(isLate: isLate, turn)
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

  override func settled(_ promise: Promise, with outcome: Outcome, _ turn: Turn) {
    child.waitForWork(of: promise, turn)
    child.returnedToCancel(.outcome(outcome), reason, turn)
  }
}
