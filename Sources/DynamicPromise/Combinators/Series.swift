// The driver of `sequence` and `repeat`: one step after the other, each a promise of its own.
//
// WHO HOLDS WHOM.   result ◀─▶ series ◀─ step's observer ◀─ step
// A running series holds its result, so it goes on although nobody else does, and releases it when it has
// settled.
//
// A step is stored before it can run, and the next one starts from the list of effects. So a million steps
// that never wait neither deepen the stack nor hold memory.

/// Runs steps until there is no further one, or one is rejected, or the result has settled.
class Series: @unchecked Sendable {
  private struct Progress {
    /// The result has settled: start nothing more.
    var hasEnded = false
    /// The step that runs.
    var current: StepObserver?
    /// The number of steps so far, so that a slow thread does not store an old step as the current one.
    var count = 0
  }

  let result: Promise
  private let progress = Guarded(Progress())

  init(_ result: Promise) { self.result = result }

  /// What comes after a step.
  enum Next {
    /// A handler, to be called with what another promise is fulfilled with.
    case step(after: Promise, @Sendable (Any) throws -> Resolution)
    case end(Outcome)
  }

  /// Called once at the beginning with `nil`, then with the value of each step; never twice at a time.
  func next(after value: Any?, _ effects: inout Effects) -> Next { .end(.fulfilled(.void)) }

  /// Begins with the first step, and returns the result.
  func run() -> Promise {
    var effects = Effects()
    result.observe(Completion(self), looks: false, &effects)
    advance(after: nil, &effects)
    effects.perform()
    return result
  }

  fileprivate func advance(after value: Any?, _ effects: inout Effects) {
    guard let number = nextNumber() else { return }
    switch next(after: value, &effects) {
    case .end(let outcome):
      result.resolveLocking(with: outcome, &effects)
    case .step(let origin, let handler):
      let handler = Handler(.value) { try handler($0.value) }
      let step = Promise(below: origin, .handler(handler), Flags(handler).union(.isOnlyAStep))
      step.noteMade(below: origin)
      result.noteInputs([step], "steps")
      let observer = StepObserver(self, step)
      step.observe(observer, &effects)
      origin.lock.lock()
      origin.attach(step, &effects)
      origin.lock.unlock()
      store(observer, number, &effects)
    }
  }

  /// The number of the step that begins now, or `nil` if nothing may begin any more.
  private func nextNumber() -> Int? {
    progress.with { progress in
      progress.count += 1
      return progress.hasEnded ? nil : progress.count
    }
  }

  /// Makes a step the one that a cancel of the result reaches.
  private func store(_ step: StepObserver, _ number: Int, _ effects: inout Effects) {
    let (hasEnded, former) = progress.with { progress -> (Bool, StepObserver?) in
      guard !progress.hasEnded, number == progress.count else { return (progress.hasEnded, nil) }
      defer { progress.current = step }
      return (false, progress.current)
    }
    if hasEnded { step.leave(result, &effects) }
    withExtendedLifetime(former) {}
  }

  /// The step that runs.
  fileprivate var step: Promise? { progress.with { $0.current }?.step }

  /// A step was rejected.
  fileprivate func fail(_ reason: any Error, _ effects: inout Effects) {
    result.resolveLocking(with: .rejected(reason), &effects)
  }

  /// The result has settled: nothing more begins, and if it was cancelled, what runs is not wanted.
  fileprivate func end(_ effects: inout Effects) {
    let step = progress.with { progress in
      progress.hasEnded = true
      return progress.current.take()
    }
    step?.leave(result, &effects)
  }

  /// Observes the result.
  private final class Completion: CompletionObserver {
    private let series: Series

    init(_ series: Series) {
      self.series = series
      super.init()
    }

    override func settled(_ promise: Promise, with outcome: Outcome, _ effects: inout Effects) {
      series.end(&effects)
    }

    override var cause: DeadlockCheck.Cause { series.step.map { .promise($0) } ?? .elsewhere }
  }
}

/// Observes a step.
private final class StepObserver: Observer {
  private let series: Series
  /// The step, until it has settled.
  private let held: Guarded<Promise?>

  init(_ series: Series, _ step: Promise) {
    self.series = series
    held = Guarded(step)
    super.init(isConsumer: true)
  }

  var step: Promise? { held.with { $0 } }

  override func settled(_ promise: Promise, with outcome: Outcome, _ effects: inout Effects) {
    if let step = held.with({ $0.take() }) { effects.letGo(of: step) }
    switch outcome {
    case .fulfilled(let value): series.advance(after: value.any, &effects)
    case .rejected(let reason): series.fail(reason, &effects)
    }
  }

  /// The series has ended. If its result was cancelled, the step is not wanted.
  func leave(_ result: Promise, _ effects: inout Effects) {
    guard let step = held.with({ $0.take() }) else { return }
    let reason = result.isCancelledByRequest ? result.outcome?.reason : nil
    step.lock.lock()
    step.leave(self, &effects)
    if let reason { step.markUnwanted(reason, &effects) }
    step.lock.unlock()
    effects.letGo(of: step)
  }
}
