// The driver of `sequence` and `repeat`: one step after the other, each a promise of its own.
//
// WHO HOLDS WHOM.   result ◀─▶ series ◀─ step node ◀─ step
// A series that runs keeps its result, as a chain of handlers keeps itself (L1): it need not be held to be followed
// through. It lets go when the result has settled.
//
// A step is entered before it can run, and its end comes along the agenda, so that a million steps that never wait make no
// stack and keep nothing (L3, L4).

/// Runs steps until there is no further one, or one is rejected, or the result has settled.
class Series: @unchecked Sendable {
  /// The result has settled: start nothing more.
  private static let ended: UInt = 1 << 1

  let result: Promise
  private let word = LockedWord(0)
  /// The step that runs; guarded by `word`.
  private var current: Promise?
  /// Counts the steps, so that a slow hand does not enter an old one as the current one; guarded by `word`.
  private var turn = 0

  init(_ result: Promise) { self.result = result }

  /// What comes after a step.
  enum Next {
    /// A handler, to be called with what another promise is fulfilled with.
    case step(after: Promise, @Sendable (Any) throws -> Resolution)
    case end(Outcome)
  }

  /// Called once at the beginning with `nil`, then with the value of each step; never twice at a time.
  func next(after value: Any?, _ agenda: inout Agenda) -> Next { .end(.fulfilled(())) }

  /// Begins with the first step, and returns the result.
  func run() -> Promise {
    var agenda = Agenda()
    result.post(SeriesSentry(self), &agenda)
    advance(after: nil, &agenda)
    agenda.run()
    return result
  }

  fileprivate func advance(after value: Any?, _ agenda: inout Agenda) {
    guard let turn = takeTurn() else { return }
    switch next(after: value, &agenda) {
    case .end(let outcome):
      result.settle(outcome, &agenda)
    case .step(let origin, let handler):
      let context = result.defaultContext
      let step = Promise(
        below: origin, kind: State.handlesValue, Handlers(fulfilled: handler, rejected: nil),
        context: context.retained(), defaultContext: context)
      step.observe(StepNode(self), &agenda)
      origin.attach(step, &agenda)
      enter(step, turn, &agenda)
    }
  }

  /// The number of the step that begins now, or `nil` if nothing may begin any more.
  private func takeTurn() -> Int? {
    let bits = word.lock()
    turn += 1
    let mine = turn
    word.unlock(bits)
    return bits & Self.ended == 0 ? mine : nil
  }

  /// Makes `step` the one that a cancellation goes to.
  private func enter(_ step: Promise, _ turn: Int, _ agenda: inout Agenda) {
    var former: Promise?
    let bits = word.lock()
    let hasEnded = bits & Self.ended != 0
    if !hasEnded, turn == self.turn {
      former = step
      swap(&former, &current)
    }
    word.unlock(bits)
    if hasEnded, let reason = result.toldReason { step.tellIfPending(reason, &agenda) }
    withExtendedLifetime(former) {}
  }

  /// The step that runs.
  fileprivate var step: Promise? {
    let bits = word.lock()
    let step = current
    word.unlock(bits)
    return step
  }

  /// A step was rejected.
  fileprivate func fail(_ reason: any Error, _ agenda: inout Agenda) {
    result.settle(Outcome.rejected(reason), &agenda)
  }

  /// The result has settled: nothing more begins, and if it was cancelled, so is what runs.
  fileprivate func end(_ agenda: inout Agenda) {
    var step: Promise?
    let bits = word.lock()
    swap(&step, &current)
    word.unlock(bits | Self.ended)
    if let step, let reason = result.toldReason { step.tellIfPending(reason, &agenda) }
  }
}

/// Stands among the observers of a step.
private final class StepNode: Observer {
  private let series: Series

  init(_ series: Series) { self.series = series }

  override func settled(_ promise: Promise, _ agenda: inout Agenda) {
    switch promise.outcome {
    case .value(let value): series.advance(after: value, &agenda)
    case .reason(let reason): series.fail(reason, &agenda)
    default: break
    }
  }
}

/// Stands among the observers of the result.
private final class SeriesSentry: Sentry {
  private let series: Series

  init(_ series: Series) { self.series = series }

  override func settled(_ promise: Promise, _ agenda: inout Agenda) { series.end(&agenda) }

  override var cause: Cause { series.step.map { .promise($0) } ?? .elsewhere }
}
