// The driver of `all`, `allSettled`, `any` and `race`, which differ in what decides them and in what they come to.
//
// WHO HOLDS WHOM.   result ─▶ sentry ─▶ collector ◀─▶ input
// The collector knows its result weakly: a result that nobody wants goes away, and the collector lets go of its inputs. An
// input that is still pending keeps nothing of a collector whose result has an outcome.
//
// Among the observers of an input the collector stands itself where it is the only one: no object is made for an input that
// nobody else observes. Otherwise a node stands for it.

/// What makes the difference between the combinators.
struct CollectorRule {
  /// Whether the first fulfilled input's value is the outcome.
  var isDecidedByFulfilment = false
  /// Whether the first rejected input's reason is the outcome.
  var isDecidedByRejection = false
  /// The outcome when all inputs, which come in order, have settled and none has decided.
  let conclude: ([Promise]) -> Outcome
}

/// Waits for a number of inputs on behalf of one result.
final class Collector: Observer, @unchecked Sendable {
  /// The result needs its inputs no longer.
  private static let ended: UInt = 1 << 1
  /// The rest of the word counts what has yet to settle: the inputs, and the registration as a whole.
  private static let one: UInt = 1 << 2

  private let word: LockedWord
  private let rule: CollectorRule
  private let cancelsInputs: Bool
  private weak var result: Promise?
  /// Empty until all are registered, and again when the result has ended; guarded by `word`.
  private var inputs: [Promise] = []
  /// What stands for the collector where others observe, too; like `inputs`.
  private var nodes: [InputNode] = []

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
    let inputs = Inputs(inputs, &agenda)
    let result = Promise.result(on: context, inheritedFrom: inputs.first)
    let collector = Collector(result, count: inputs.promises.count, rule, cancelsInputs: cancelsInputs)
    result.post(CollectorSentry(collector), &agenda)
    collector.register(inputs.promises, result, &agenda)
    agenda.run()
    return result
  }

  private func register(_ inputs: [Promise], _ result: Promise, _ agenda: inout Agenda) {
    var nodes: [InputNode] = []
    var finished = 1
    for input in inputs {
      if result.isSettled {
        // Decided: the rest counts as looked at and is not waited for.
        input.markObserved()
      } else if input.admit(self, &nodes), !decide(input, &agenda) {
        finished += 1
      }
    }
    publish(inputs, nodes, finished, result, &agenda)
  }

  private func publish(
    _ inputs: [Promise], _ nodes: [InputNode], _ finished: Int, _ result: Promise, _ agenda: inout Agenda
  ) {
    let bits = word.lock() - UInt(finished) * Self.one
    let hasEnded = bits & Self.ended != 0
    if !hasEnded {
      self.inputs = inputs
      self.nodes = nodes
    }
    word.unlock(bits)
    if hasEnded {
      var inputs = inputs
      leave(&inputs, nodes, result, &agenda)
    } else if bits < Self.one {
      conclude(inputs, &agenda)
    }
  }

  /// An input has settled.
  override func settled(_ input: Promise, _ agenda: inout Agenda) {
    if decide(input, &agenda) { return }
    let bits = word.lock() - Self.one
    guard bits < Self.one, bits & Self.ended == 0 else { return word.unlock(bits) }
    let inputs = inputs
    word.unlock(bits)
    conclude(inputs, &agenda)
  }

  override func standIn(at input: Promise) -> Observer { InputNode(self, input, isStandIn: true) }

  /// Settles the result if this input, which is settled, alone decides it.
  @inline(__always)
  private func decide(_ input: Promise, _ agenda: inout Agenda) -> Bool {
    let bits = input.word.peek()
    let isFulfilled = bits & State.mask == State.fulfilled
    guard isFulfilled ? rule.isDecidedByFulfilment : rule.isDecidedByRejection else { return false }
    // Cancelled by message or not, an input is rejected like any other.
    result?.settle(input.store.copyOutcome(bits), bits & State.mask, &agenda)
    return true
  }

  private func conclude(_ inputs: [Promise], _ agenda: inout Agenda) {
    guard let result else { return }
    result.settle(rule.conclude(inputs), &agenda)
  }

  /// The inputs that are pending, unless one that has just settled decides. Where the first one to be fulfilled decides, no single
  /// one of several need be waited for.
  fileprivate var cause: Cause {
    let bits = word.lock()
    let inputs = inputs
    word.unlock(bits)
    var pending: [Promise] = []
    for input in inputs {
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
    var inputs: [Promise] = []
    var nodes: [InputNode] = []
    let bits = word.lock()
    swap(&inputs, &self.inputs)
    swap(&nodes, &self.nodes)
    word.unlock(bits | Self.ended)
    if !inputs.isEmpty { leave(&inputs, nodes, result, &agenda) }
  }

  /// Lets go of the inputs; the collector has them no more.
  private func leave(
    _ inputs: inout [Promise], _ nodes: [InputNode], _ result: Promise?, _ agenda: inout Agenda
  ) {
    for node in nodes { node.leave() }
    // A settled input has told the collector already, or is about to; and its end sets nothing off.
    var pending: [Promise] = []
    for input in inputs where input.isPending {
      input.dismiss(self)
      pending.append(input)
    }
    if cancelsInputs, let result {
      let reason = result.toldReason ?? CancellationError()
      for input in pending { input.tellIfPending(reason, &agenda) }
    }
    // A pending one may be the result of another combinator, and so on: released by turns, not by depth.
    let references = pending.map { Unmanaged.passRetained($0) }
    pending = []
    inputs = []
    for reference in references { Releaser.release(reference) }
  }
}

extension Promise {
  /// Enters a collector among the observers, unless the promise is settled.
  fileprivate func admit(_ collector: Collector, _ nodes: inout [InputNode]) -> Bool {
    let bits = word.lock() | State.observed
    let isSettled = State.isSettled(bits)
    if !isSettled {
      if rare.isNone {
        enter(collector)
      } else {
        let node = InputNode(collector, self)
        enter(node)
        nodes.append(node)
      }
    }
    word.unlock(bits)
    return isSettled
  }

  /// Takes out a collector that stands, or stood, here alone; unless the promise is settled.
  fileprivate func dismiss(_ collector: Collector) {
    var former: Observer?
    let bits = word.lock()
    if !State.isSettled(bits) {
      // Whoever was alone came first.
      let first = rare.observer?.takeUnretainedValue() ?? cold?.observers.first
      if first === collector || (first as? InputNode)?.hasReplaced(collector) == true {
        former = popObserver()
      }
    }
    word.unlock(bits)
    withExtendedLifetime(former) {}
  }
}

/// Stands for a collector among several observers of an input.
private final class InputNode: Observer {
  private let collector: Collector
  /// Held by the collector while this is needed.
  private unowned(unsafe) let input: Promise
  private let isStandIn: Bool

  init(_ collector: Collector, _ input: Promise, isStandIn: Bool = false) {
    self.collector = collector
    self.input = input
    self.isStandIn = isStandIn
  }

  override func settled(_ promise: Promise, _ agenda: inout Agenda) { collector.settled(promise, &agenda) }

  func leave() { input.forget(self) }

  /// Whether this has taken the place of a collector that stood here itself.
  func hasReplaced(_ collector: Collector) -> Bool { isStandIn && self.collector === collector }
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
