// The driver of `all`, `allSettled`, `any` and `race`. They differ in their rule.
//
// OWNERSHIP. result ─▶ completion observer ─▶ collector ◀─▶ input. The collector refers to its result weakly.
// When the result is freed, the collector releases its inputs. A pending input retains no decided collector.

/// The rule that decides a combinator, and its outcome.
struct CollectorRule: Sendable {
  /// The combinator's name, for diagnostics.
  let name: String
  var isDecidedByFulfilment = false
  var isDecidedByRejection = false
  /// The outcome when no input is pending.
  let conclude: @Sendable ([Outcome]) -> Outcome

  /// Whether these numbers of fulfilled and rejected inputs decide the outcome.
  func isDecided(by fulfilled: Int, _ rejected: Int) -> Bool {
    isDecidedByFulfilment && fulfilled > 0 || isDecidedByRejection && rejected > 0
  }
}

/// Waits for the inputs of a combinator.
final class Collector: @unchecked Sendable {
  private struct Work {
    var inputs: [Promise] = []
    var registrations: [(Promise, InputObserver)] = []
    /// The number of unsettled inputs, plus one while the inputs are being registered.
    var pending: Int
    var hasEnded = false
  }

  private let work: Guarded<Work>
  private let rule: CollectorRule
  /// Whether the result withdraws from pending inputs when it is cancelled, and when it is decided.
  private let (cancelsInputs, cancelsRest): (Bool, Bool)
  private let result: WeakPromise

  private init(_ result: Promise, count: Int, _ rule: CollectorRule, _ cancels: (inputs: Bool, rest: Bool)) {
    work = Guarded(Work(pending: count + 1))
    self.result = WeakPromise(result)
    self.rule = rule
    (cancelsInputs, cancelsRest) = cancels
  }

  static func collect(
    _ inputs: some Sequence, on context: (any ExecutionContext)?, _ cancelsInputs: Bool, _ cancelsRest: Bool,
    _ rule: CollectorRule
  ) -> Promise {
    let turn = Turn.current
    let inputs = Inputs(inputs, turn)
    let result = Promise.result(on: context, inheritedFrom: inputs.first)
    result.noteInputs(inputs.promises, rule.name)
    let collector = Collector(result, count: inputs.promises.count, rule, (cancelsInputs, cancelsRest))
    result.observe(Completion(collector), turn)
    collector.register(inputs.promises, result, turn)
    turn.drain()
    return result
  }

  private func register(_ inputs: [Promise], _ result: Promise, _ turn: Turn) {
    var registrations: [(Promise, InputObserver)] = []
    registrations.reserveCapacity(inputs.count)
    var finished = 1
    for input in inputs {
      // Once the result has settled, the remaining inputs count as observed, and are not awaited.
      if result.isSettled {
        input.markObserved()
        continue
      }
      let lock = input.core.lock
      let outcome = lock.with { () -> Outcome? in
        input.core.flags.insert(.observed)
        if let outcome = input.core.outcome { return outcome }
        let observer = InputObserver(self, at: lock)
        registrations.append((input, observer))
        input.core.addObserver(observer, turn)
        return nil
      }
      if let outcome, !decide(outcome, by: input.core, turn) { finished += 1 }
    }
    publish(inputs, registrations, finished, result, turn)
  }

  private func publish(
    _ inputs: [Promise], _ registrations: [(Promise, InputObserver)], _ finished: Int, _ result: Promise,
    _ turn: Turn
  ) {
    let (hasEnded, isDone) = work.with { work in
      work.pending -= finished
      if !work.hasEnded {
        work.inputs = inputs
        work.registrations = registrations
      }
      return (work.hasEnded, work.pending == 0)
    }
    if hasEnded {
      leave(inputs, registrations, result, turn)
    } else if isDone {
      conclude(inputs, turn)
    }
  }

  fileprivate func settled(_ input: Core, with outcome: Outcome, _ turn: Turn) {
    if decide(outcome, by: input, turn) { return }
    let inputs = work.with { work -> [Promise]? in
      work.pending -= 1
      // The result may have settled while this notification was queued.
      return work.pending == 0 && !work.hasEnded ? work.inputs : nil
    }
    guard let inputs else { return }
    conclude(inputs, turn)
    // Another thread may have ended the collector meanwhile, so that these are the last references.
    turn.release(inputs)
  }

  /// Settles the result if this input decides the outcome. Returns whether it does.
  @inline(__always)
  private func decide(_ outcome: Outcome, by input: Core, _ turn: Turn) -> Bool {
    guard outcome.isFulfilled ? rule.isDecidedByFulfilment : rule.isDecidedByRejection else { return false }
    guard let result = result.value else { return true }
    defer { turn.release(result) }
    if !outcome.isFulfilled { result.core.waitForWork(of: input, turn) }
    result.core.resolve(with: Resolution(outcome), turn)
    return true
  }

  private func conclude(_ inputs: [Promise], _ turn: Turn) {
    guard let result = result.value else { return }
    defer { turn.release(result) }
    let outcomes = inputs.compactMap(\.outcome)
    for (input, outcome) in zip(inputs, outcomes) where !outcome.isFulfilled {
      result.core.waitForWork(of: input.core, turn)
    }
    result.core.resolve(with: Resolution(rule.conclude(outcomes)), turn)
  }

  /// Ends the collector, which the result no longer needs. `result` is `nil` if it was freed.
  fileprivate func end(_ result: Promise?, _ turn: Turn) {
    let (inputs, registrations) = work.with { work in
      defer { (work.inputs, work.registrations, work.hasEnded) = ([], [], true) }
      return (work.inputs, work.registrations)
    }
    if !inputs.isEmpty { leave(inputs, registrations, result, turn) }
  }

  fileprivate func withdraws(_ isCancelled: Bool) -> Bool { isCancelled ? cancelsInputs : cancelsRest }

  private func reasonToWithdraw(_ result: Promise) -> (any Error)? {
    let isCancelled = result.isCancelledByRequest
    guard withdraws(isCancelled) else { return nil }
    return isCancelled ? result.outcome?.reason : CancellationError()
  }

  /// Removes the observers from the inputs that are still pending. The result may withdraw from those inputs.
  private func leave(
    _ inputs: [Promise], _ registrations: [(Promise, InputObserver)], _ result: Promise?,
    _ turn: Turn
  ) {
    let reason = result.flatMap(reasonToWithdraw)
    for (_, registration) in registrations { registration.leave(unwanted: reason, turn) }
    if let reason {
      // The loop includes inputs that were never observed, because an earlier input had settled the result.
      for input in inputs {
        if input.isPending {
          result?.core.withdraw(from: input, reason, turn)
        } else {
          result?.core.waitForWork(of: input.core, turn)
        }
      }
    }
    // Released later, so that the release of a combinator of combinators does not recurse.
    turn.release(inputs)
    turn.release(registrations)
  }

  /// The conditions for the result to settle, for the deadlock check.
  fileprivate var cause: DeadlockCheck.Cause {
    var (pending, fulfilled, rejected) = ([Promise](), 0, 0)
    for input in work.with({ $0.inputs }) {
      switch input.outcome {
      case .fulfilled: fulfilled += 1
      case .rejected: rejected += 1
      case nil: pending.append(input)
      }
    }
    // Another thread may be about to settle the result.
    if rule.isDecided(by: fulfilled, rejected) { return .elsewhere }
    return rule.isDecidedByFulfilment && pending.count > 1 ? .elsewhere : .promises(pending)
  }

  /// Observes the result.
  private final class Completion: CompletionObserver {
    private let collector: Collector

    init(_ collector: Collector) {
      self.collector = collector
      super.init()
    }

    override func settled(_ promise: Core, with outcome: Outcome, _ turn: Turn) {
      let promise = promise.heldPromise(turn)
      collector.end(promise, turn)
      if collector.withdraws(promise.isCancelledByRequest) { promise.core.completionHasEnded(turn) }
    }

    override func hasUnfinishedWork(_ isCancelled: Bool) -> Bool { collector.withdraws(isCancelled) }

    override var cause: DeadlockCheck.Cause { collector.cause }

    deinit {
      let turn = Turn.current
      collector.end(nil, turn)
      turn.drain()
    }
  }
}

/// Observes an input.
private final class InputObserver: Observer {
  private let collector: Collector

  init(_ collector: Collector, at place: TreeLock) {
    self.collector = collector
    super.init(isConsumer: true, at: place)
  }

  override func settled(_ promise: Core, with outcome: Outcome, _ turn: Turn) {
    collector.settled(promise, with: outcome, turn)
  }
}
