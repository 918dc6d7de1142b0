// The driver of `all`, `allSettled`, `any` and `race`, which differ in what decides them and in what they come to.
//
// WHO HOLDS WHOM.   result ─▶ sentry ─▶ collector ◀─▶ input node ◀─ input ◀─ collector
// The collector knows its result weakly: a result that nobody wants goes away, and the collector lets go of its inputs. An
// input that is still pending keeps nothing of a collector whose result has an outcome.

/// What makes the difference between the combinators.
struct CollectorRule {
  /// Whether the first fulfilled input's value is the outcome.
  var isDecidedByFulfilment = false
  /// Whether the first rejected input's reason is the outcome.
  var isDecidedByRejection = false
  /// The outcome when all inputs have settled and none has decided; they come in order, as values and reasons.
  let conclude: ([Slot]) -> Outcome
}

/// Waits for a number of inputs on behalf of one result.
final class Collector: @unchecked Sendable {
  /// The result needs its inputs no longer.
  private static let ended: UInt = 1 << 1
  /// The rest of the word counts what has yet to settle: the inputs, and the registration as a whole.
  private static let one: UInt = 1 << 2

  /// An input: a `.target` that may have a node among its observers, or a plain `.value` or `.reason`.
  private struct Entry {
    let slot: Slot
    var node: InputNode?
  }

  private let word: LockedWord
  private let rule: CollectorRule
  private let cancelsInputs: Bool
  private weak var result: Promise?
  /// Empty until all are registered, and again when the result has ended; guarded by `word`.
  private var entries: [Entry] = []

  private init(_ result: Promise, count: Int, _ rule: CollectorRule, cancelsInputs: Bool) {
    word = LockedWord(UInt(count + 1) * Self.one)
    self.result = result
    self.rule = rule
    self.cancelsInputs = cancelsInputs
  }

  /// The result of a combinator. The inputs are read, and thenables among them called, on this stack and in order.
  static func collect(
    _ inputs: some Sequence, on context: some ExecutionContext, cancelsInputs: Bool, _ rule: CollectorRule
  ) -> Promise {
    var agenda = Agenda()
    let facts = inputs.map { Fact($0) }
    let slots = facts.map { fact -> Slot in
      switch fact {
      case .value(let value): return .value(value)
      case .error(let reason): return .reason(reason)
      case .promise(let input): return .target(input)
      case .thenable(let thenable):
        let input = Promise()
        input.resolve(with: thenable, &agenda)
        return .target(input)
      }
    }
    let result = Promise.result(on: context, of: facts)
    let collector = Collector(result, count: slots.count, rule, cancelsInputs: cancelsInputs)
    result.post(CollectorSentry(collector), &agenda)
    collector.register(slots, result, &agenda)
    agenda.run()
    return result
  }

  private func register(_ slots: [Slot], _ result: Promise, _ agenda: inout Agenda) {
    var entries: [Entry] = []
    entries.reserveCapacity(slots.count)
    var finished = 1
    for slot in slots {
      var entry = Entry(slot: slot, node: nil)
      if case .target(let input) = slot {
        if result.isSettled {
          // Decided: the rest counts as looked at and is not waited for.
          input.markObserved()
        } else if input.isSettled {
          input.markObserved()
          if !decide(input.outcome, &agenda) { finished += 1 }
        } else {
          let node = InputNode(self)
          entry.node = node
          input.observe(node, &agenda)
        }
      } else if !decide(slot, &agenda) {
        finished += 1
      }
      entries.append(entry)
    }
    publish(entries, finished, result, &agenda)
  }

  private func publish(_ entries: [Entry], _ finished: Int, _ result: Promise, _ agenda: inout Agenda) {
    var entries = entries
    let bits = word.lock() - UInt(finished) * Self.one
    let hasEnded = bits & Self.ended != 0
    if !hasEnded { self.entries = entries }
    word.unlock(bits)
    if hasEnded {
      unlink(&entries, result, &agenda)
    } else if bits < Self.one {
      conclude(entries, &agenda)
    }
  }

  /// An input has settled.
  fileprivate func report(_ outcome: Slot, _ agenda: inout Agenda) {
    if decide(outcome, &agenda) { return }
    let bits = word.lock() - Self.one
    let all = bits < Self.one ? entries : []
    let isLast = bits < Self.one && bits & Self.ended == 0
    word.unlock(bits)
    if isLast { conclude(all, &agenda) }
  }

  /// Settles the result if this outcome alone decides it.
  private func decide(_ outcome: Slot, _ agenda: inout Agenda) -> Bool {
    switch outcome {
    case .value(let value) where rule.isDecidedByFulfilment:
      result?.settle(Outcome.fulfilled(value), &agenda)
    case .reason(let reason) where rule.isDecidedByRejection:
      result?.settle(Outcome.rejected(reason), &agenda)
    default:
      return false
    }
    return true
  }

  private func conclude(_ entries: [Entry], _ agenda: inout Agenda) {
    guard let result else { return }
    let outcomes = entries.map { entry -> Slot in
      if case .target(let input) = entry.slot { input.outcome } else { entry.slot }
    }
    result.settle(rule.conclude(outcomes), &agenda)
  }

  /// The inputs that are pending, unless one that has just settled decides. Where the first one to be fulfilled decides, no single
  /// one of several need be waited for.
  fileprivate var cause: Cause {
    let bits = word.lock()
    let entries = entries
    word.unlock(bits)
    var pending: [Promise] = []
    for case .target(let input) in entries.lazy.map(\.slot) {
      switch input.word.peek() & State.mask {
      case State.fulfilled: if rule.isDecidedByFulfilment { return .elsewhere }
      case State.rejected: if rule.isDecidedByRejection { return .elsewhere }
      default: pending.append(input)
      }
    }
    return rule.isDecidedByFulfilment && pending.count > 1 ? .elsewhere : .promises(pending)
  }

  /// The result has settled, or is gone.
  fileprivate func end(_ result: Promise?, _ agenda: inout Agenda) {
    var taken: [Entry] = []
    let bits = word.lock()
    swap(&taken, &entries)
    word.unlock(bits | Self.ended)
    if !taken.isEmpty { unlink(&taken, result, &agenda) }
  }

  /// Lets go of the inputs; nobody else has them any more.
  private func unlink(_ entries: inout [Entry], _ result: Promise?, _ agenda: inout Agenda) {
    var inputs: [Promise] = []
    for entry in entries {
      guard case .target(let input) = entry.slot else { continue }
      if let node = entry.node { input.forget(node) }
      inputs.append(input)
    }
    entries = []
    if cancelsInputs, let result {
      let reason = result.toldReason ?? CancellationError()
      for input in inputs { input.tellIfPending(reason, &agenda) }
    }
    // An input may be the result of another combinator, and so on: released by turns, not by depth.
    let references = inputs.map { Unmanaged.passRetained($0) }
    inputs = []
    for reference in references { Releaser.release(reference) }
  }
}

/// Stands among the observers of an input.
private final class InputNode: Observer {
  private let collector: Collector

  init(_ collector: Collector) { self.collector = collector }

  override func settled(_ promise: Promise, _ agenda: inout Agenda) {
    collector.report(promise.outcome, &agenda)
  }
}

/// Stands among the observers of the result.
private final class CollectorSentry: Sentry {
  private let collector: Collector

  init(_ collector: Collector) { self.collector = collector }

  override func settled(_ promise: Promise, _ agenda: inout Agenda) { collector.end(promise, &agenda) }

  override var cause: Cause { collector.cause }

  deinit {
    var agenda = Agenda()
    collector.end(nil, &agenda)
  }
}
