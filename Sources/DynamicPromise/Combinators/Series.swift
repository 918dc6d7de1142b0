// The driver of `sequence`, `repeat`, `retry` and, with several lanes, `map`. Each task is a step on a lane.
//
//     OWNERSHIP.   result ◀─▶ series ◀─ step's observer ◀─ step
//
// A running series retains its result, like a chain of handlers, until the result has settled. The end of a
// step is handled later in the turn, so a million steps that never wait neither recurse nor accumulate.
//
// The next step begins when the previous step is finished (`Finishing.swift`). When the series ends, a step
// whose task has started continues, unless it is unwanted; any other is cancelled. Each step first checks
// `mayBegin()`, because another thread may be about to call the task of a cancelled step.

/// Runs steps until the subclass decides the outcome, or the result has settled.
class Series: @unchecked Sendable {
  private struct Lane {
    /// The running step.
    var current: StepObserver?
    /// The number of the step, so that a slow thread does not enter an old step as the current step.
    var number = 0
  }

  private struct Progress {
    /// No further step may start: the outcome is known, or the result has settled.
    var hasEnded = false
    var lanes: [Lane]
  }

  let result: Promise
  /// Whether the series withdraws from running steps when the result settles without a cancel.
  fileprivate let cancelsRest: Bool
  private let progress: Guarded<Progress>

  init(_ result: Promise, lanes: Int = 1, cancelsRest: Bool = false) {
    self.result = result
    self.cancelsRest = cancelsRest
    progress = Guarded(Progress(lanes: Array(repeating: Lane(), count: lanes)))
  }

  /// The action after a step.
  enum Next {
    /// The next step: a handler to call with the value of a promise.
    case step(after: Promise, Handler.Call)
    /// Nothing on this lane; other lanes still run.
    case nothing
    case end(Outcome)
  }

  /// Returns the next action on a lane. `value` is `nil` before the first step, then the value of the
  /// previous step. Calls for one lane never overlap.
  func next(after value: Any?, on lane: Int, _ turn: Turn) -> Next { .end(.fulfilled(())) }

  /// Returns the next action on a lane whose step was rejected, or cancelled by request.
  func next(
    afterRejection reason: any Error, byRequest isCancelled: Bool, on lane: Int, _ turn: Turn
  ) -> Next {
    .end(.rejected(reason))
  }

  /// Whether a step with this outcome is the last on its lane. Agrees with `next`, but has no side effect.
  func isLast(_ outcome: Outcome, byRequest isCancelled: Bool) -> Bool { !outcome.isFulfilled }

  /// Starts the first step of each lane, and returns the result.
  func run() -> Promise {
    let turn = Turn.current
    result.observe(Completion(self), turn)
    turn.drain()
    for lane in 0..<progress.with({ $0.lanes.count }) {
      guard let number = takeNumber(lane) else { break }
      let turn = Turn.current
      follow(next(after: nil, on: lane, turn), lane, number, turn)
      turn.drain()
    }
    return result
  }

  fileprivate func advance(behind step: Promise, _ outcome: Outcome, on lane: Int, _ turn: Turn) {
    let isCancelled = !outcome.isFulfilled && step.isCancelledByRequest
    guard step.core.hasWorkLeft else { return advance(after: outcome, isCancelled, on: lane, turn) }
    if isLast(outcome, byRequest: isCancelled) {
      let wait = result.core.lock.with { result.core.addUnfinishedWait(turn) }
      advance(after: outcome, isCancelled, on: lane, turn)
      wait.start(at: step.core, turn)
    } else {
      // The next task must not overlap with unfinished work of this step.
      FinishedWait { [self] turn in advance(after: outcome, isCancelled, on: lane, turn) }.start(
        at: step.core, turn)
    }
  }

  private func advance(after outcome: Outcome, _ isCancelled: Bool, on lane: Int, _ turn: Turn) {
    guard let number = takeNumber(lane) else { return }
    switch outcome {
    case .fulfilled(let value): follow(next(after: value, on: lane, turn), lane, number, turn)
    case .rejected(let reason):
      follow(next(afterRejection: reason, byRequest: isCancelled, on: lane, turn), lane, number, turn)
    }
  }

  private func follow(_ next: Next, _ lane: Int, _ number: Int, _ turn: Turn) {
    switch next {
    case .nothing: break
    case .end(let outcome):
      progress.with { $0.hasEnded = true }
      result.core.resolve(with: Resolution(outcome), turn)
    case .step(let origin, let call):
      let handler = Handler([.value, .step]) { [self] value, reason in
        try mayBegin()
        let resolution = try call(value, reason)
        // The outcome is ignored if the series ends first.
        resolution.promise?.markObserved()
        return resolution
      }
      let step = origin.core.lock.with { Promise(core: .child(of: origin.core, handler)) }
      result.noteInputs([step], "steps")
      let observer = StepObserver(self, lane, step)
      step.markObserved()
      step.observe(observer, turn)
      origin.core.lock.with {
        // The outcome is ignored if the series ends first.
        origin.core.flags.insert(.observed)
        origin.core.attach(step.core, turn)
      }
      enter(observer, lane, number, turn)
      // Another thread may have ended the series, and released its references to these promises.
      turn.release(step)
      turn.release(origin)
    }
  }

  /// The number of the step that starts now, or `nil` if no further step may start.
  private func takeNumber(_ lane: Int) -> Int? {
    progress.with { progress in
      guard !progress.hasEnded else { return nil }
      progress.lanes[lane].number += 1
      return progress.lanes[lane].number
    }
  }

  /// Throws if the series has ended. Called right before a step calls user code.
  final func mayBegin() throws {
    // The result is checked too, because it may have settled before the series is notified.
    if progress.with({ $0.hasEnded }) || result.isSettled { throw CancellationError() }
  }

  /// Makes a step the current step of its lane, so that a cancel of the result cancels the step.
  private func enter(_ step: StepObserver, _ lane: Int, _ number: Int, _ turn: Turn) {
    let (hasEnded, former) = progress.with { progress -> (Bool, StepObserver?) in
      guard !progress.hasEnded, number == progress.lanes[lane].number else { return (progress.hasEnded, nil) }
      defer { progress.lanes[lane].current = step }
      return (false, progress.lanes[lane].current)
    }
    if hasEnded { leave(step, turn) }
    if let former { turn.release(former) }
  }

  /// The running and waiting steps.
  fileprivate var steps: [Promise] {
    progress.with { $0.lanes.compactMap(\.current) }.compactMap(\.step)
  }

  /// Ends the series when the result has settled: no further task starts. A cancelled one withdraws.
  fileprivate func end(_ turn: Turn) {
    let lanes = progress.with { progress in
      defer { progress.lanes = [] }
      progress.hasEnded = true
      return progress.lanes
    }
    for case let step? in lanes.map(\.current) { leave(step, turn) }
    leaveInputs(reasonToWithdraw, turn)
  }

  /// Leaves the inputs of the steps that have not started.
  func leaveInputs(_ reason: (any Error)?, _ turn: Turn) {}

  private func leave(_ step: StepObserver, _ turn: Turn) { step.leave(for: result, reasonToWithdraw, turn) }

  private var reasonToWithdraw: (any Error)? {
    if result.isCancelledByRequest { return result.outcome?.reason }
    return cancelsRest ? CancellationError() : nil
  }

  /// Observes the result.
  private final class Completion: CompletionObserver {
    private let series: Series

    init(_ series: Series) {
      self.series = series
      super.init()
    }

    override func settled(_ promise: Core, with outcome: Outcome, _ turn: Turn) {
      series.end(turn)
      promise.completionHasEnded(turn)
    }

    override func hasUnfinishedWork(_ isCancelled: Bool) -> Bool { isCancelled || series.cancelsRest }

    override var cause: DeadlockCheck.Cause {
      // A series also waits for the unfinished work of a settled step.
      let steps = series.steps.map { $0.workLeft ?? $0 }
      return steps.isEmpty ? .elsewhere : .promises(steps)
    }
  }
}

/// Observes a step.
private final class StepObserver: Observer {
  private let series: Series
  private let lane: Int
  /// Released when the step is finished, or when the next step begins.
  private let held: Guarded<Promise?>

  init(_ series: Series, _ lane: Int, _ step: Promise) {
    self.series = series
    self.lane = lane
    held = Guarded(step)
    super.init(isConsumer: true, at: step.core.lock)
  }

  var step: Promise? { held.with { $0 } }

  override func settled(_ promise: Core, with outcome: Outcome, _ turn: Turn) {
    let step = promise.heldPromise(turn)
    if !promise.hasWorkLeft, let step = held.with({ $0.take() }) { turn.release(step) }
    series.advance(behind: step, outcome, on: lane, turn)
  }

  /// Stops observing the step when the series has ended. If `reason` is given, the series withdraws from the
  /// step. Otherwise a step that has not started is cancelled, to release its captures.
  func leave(for result: Promise, _ reason: (any Error)?, _ turn: Turn) {
    guard let step = held.with({ $0.take() }) else { return }
    let wait = reason.map { _ in result.core.lock.with { result.core.addUnfinishedWait(turn) } }
    let isGivenUp = leave(unwanted: reason, turn)
    if reason == nil {
      step.core.lock.with {
        if step.core.phase == .handler { step.core.cancelPending(CancellationError(), turn) }
      }
    }
    wait?.start(at: step.core, if: isGivenUp, turn)
    turn.release(step)
  }
}
