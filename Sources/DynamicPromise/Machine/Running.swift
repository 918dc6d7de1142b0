// Runs a handler, and settles its child with the result.

/// A handler that was taken out of its child, to be called, and what it receives.
struct Run {
  let handler: Handler
  let value: Any
  let reason: (any Error)?
  /// Whether the child is cancelled when its handler has returned.
  var isCancelling = false

  /// Calls the handler and frees it before the child is settled.
  @inline(__always)
  consuming func result(_ turn: Turn) -> Resolution {
    let outer = turn.enter(foreign: [])
    defer { turn.leave(outer) }
    do { return try handler.call(value, reason) } catch { return .rejected(error) }
  }

  var input: Outcome { reason.map { .rejected($0) } ?? .fulfilled(value) }
}

extension Core {
  /// The job of a child: calls the handler, if the child still has it, and settles the child with the result.
  /// Called with nothing locked, and with the job's hold, which it drops.
  @inline(__always)
  func runHandler(_ turn: Turn) {
    lock.lock()
    guard let run = takeRun(turn) else {
      let lock = lock
      drop(turn)
      return lock.unlock()
    }
    lock.unlock()
    if run.isCancelling || kind.contains(.finally) || Diagnosis.isListening {
      settleSpecial(by: run, turn)
    } else {
      settle(by: run.result(turn), turn)
    }
  }

  /// Takes the handler, if there is one.
  @inline(__always)
  private func takeRun(_ turn: Turn) -> Run? {
    guard phase == .handler, let parent = up else { return nil }
    let handler = takeHandler()
    phase = .running
    set(thread: turn.thread.number)
    if parent.phase == .fulfilled, !flags.contains(.unwantedHandler) {
      return Run(handler: handler, value: parent.value, reason: nil)
    }
    // The parent may be pending if this promise is unwanted.
    let reason = flags.contains(.unwantedHandler) ? side?.reason : parent.reasonIfRejected
    let isCancelling = flags.contains(.unwantedHandler) || parent.flags.contains(.cancelled)
    return Run(handler: handler, value: (), reason: reason ?? PromiseError.broken, isCancelling: isCancelling)
  }

  /// Calls a handler and settles its child, if the outcome depends on more than the result, or a listener is
  /// installed.
  @inline(never)
  private func settleSpecial(by run: consuming Run, _ turn: Turn) {
    let (input, isCancelling) = (run.input, run.isCancelling)
    let resolution = Diagnosis.isListening ? notedResult(of: run, turn) : run.result(turn)
    if isCancelling, let reason = input.reason {
      returnedToCancel(resolution, reason, turn)
    } else if kind.contains(.finally) {
      returnedFromFinally(resolution, input, turn)
    } else {
      settle(by: resolution, turn)
    }
  }

  /// Settles the child with the handler's result.
  @inline(__always)
  private func settle(by resolution: consuming Resolution, _ turn: Turn) {
    switch consume resolution {
    case .fulfilled(let value):
      let lock = lock
      lock.lock()
      // Consumed, so that the value is released with the promise if nothing else needs it.
      if phase == .running {
        settle(value: consume value, turn)
      } else {
        returnedTooLate(consume value, turn)
      }
      dropAndUnlock(lock, turn)
    case .rejected(let reason): settleAfterRun(.rejected(reason), turn)
    case .promise(let other), .task(let other): followAfterRun(other, turn)
    case .thenable(let thenable):
      let won = resolve(with: thenable, turn)
      endRun(isLate: !won, turn)
    }
  }

  private func settleAfterRun(_ outcome: consuming Outcome, byRequest: Bool = false, _ turn: Turn) {
    let lock = lock
    lock.lock()
    if phase == .running {
      settle(outcome, byRequest: byRequest, turn)
    } else {
      returnedTooLate(outcome, turn)
    }
    drop(turn)
    lock.unlock()
  }

  /// The child was cancelled before its handler returned.
  @inline(never)
  private func returnedTooLate(_ result: consuming Any, _ turn: Turn) {
    flags.remove(.awaitsResolution)
    turn.release(result)
    endHandler(turn)
  }

  private func followAfterRun(_ other: Promise, _ turn: Turn) {
    // If `other` has settled and is finished, its outcome is used at once.
    if other.core != self, case (let outcome?, let isCancelled, false) = other.core.readOutcomeForFollower() {
      if Diagnosis.isListening { noteFollowing(other.core) }
      return settleAfterRun(outcome, byRequest: isCancelled, turn)
    }
    let won = follow(other, turn)
    endRun(isLate: !won, turn)
  }

  /// - Parameter isLate: Whether the child was cancelled before its handler returned.
  private func endRun(isLate: Bool, _ turn: Turn) {
    let lock = lock
    lock.lock()
    if isLate { endHandler(turn) }
    dropOrSkip(turn)
    lock.unlock()
  }

  private func endHandler(_ turn: Turn) { endUnfinishedWork(turn) { $0.handlersThread = nil } }

  // MARK: Below a cancelled promise

  /// Cancels a child whose handler ran because of a cancel, whatever the handler has returned. An error that
  /// the handler returned or threw becomes the child's reason. After an asynchronous handler, the child is
  /// cancelled when the task has ended.
  fileprivate func returnedToCancel(_ resolution: Resolution, _ parentReason: any Error, _ turn: Turn) {
    let reason = resolution.error ?? parentReason
    if case .task(let task) = resolution {
      // `ReturnOfHandler` takes the hold.
      lock.with {
        if phase == .running { set(thread: 0) }
        if let work = side?.unfinished, work.handlersThread != nil { work.handlersThread = 0 }
      }
      task.observe(ReturnOfHandler(task, of: self, reason), turn)
    } else {
      let cleanUp = resolution.promise
      cleanUp?.markObserved()
      let wait = cleanUp.map { _ in lock.with { addUnfinishedWait(turn) } }
      settleAfterRun(.rejected(reason), byRequest: true, turn)
      if let cleanUp { wait?.start(at: cleanUp.core, turn) }
    }
  }

  // MARK: finally

  /// Settles the child of a `finally` whose body has returned. Passes the parent's outcome on, unless the
  /// body failed. If the body returned a promise or thenable, the child waits for that promise before it
  /// settles.
  private func returnedFromFinally(_ resolution: Resolution, _ original: Outcome, _ turn: Turn) {
    let waitedFor: Promise
    switch resolution {
    case .fulfilled: return settleAfterRun(original, turn)
    case .rejected(let error): return settleAfterRun(.rejected(error), turn)
    case .promise(let other), .task(let other): waitedFor = other
    case .thenable(let thenable):
      waitedFor = Promise(pendingOn: defaultContext)
      waitedFor.core.resolve(with: thenable, turn)
    }
    let won = follow(waitedFor, instead: original, withdraws: false, turn)
    endRun(isLate: !won, turn)
  }
}

/// Waits for an asynchronous handler that runs because of a cancel, and retains its task. Has the hold of the
/// child's job.
final class ReturnOfHandler: Observer {
  private let task: Promise
  private let child: Core
  private let reason: any Error

  init(_ task: Promise, of child: Core, _ reason: any Error) {
    self.task = task
    self.child = child
    self.reason = reason
    super.init(isConsumer: true)
  }

  override func settled(_ promise: Core, with outcome: Outcome, _ turn: Turn) {
    child.waitForWork(of: promise, turn)
    child.returnedToCancel(Resolution(outcome), reason, turn)
  }
}
