// The series of `sequence` and `map`: a step for each input, on one lane or more.

/// The result is fulfilled with the tasks' values, in the order of the inputs.
final class InputSeries: Series, @unchecked Sendable {
  private struct Work {
    /// The remaining inputs in reverse order, so that each is released as soon as its step has started.
    var inputs: [Input]
    /// A value for each input, in their order.
    var values: [Any]
    /// For each lane, the index of the input of its step.
    var places: [Int]
    /// The number of inputs that are not done.
    var pending: Int
  }

  /// An input, and the observer that counts as its consumer until the input's step starts.
  private struct Input {
    let fact: Resolution
    let consumer: Observer?
  }

  private let work: Guarded<Work>
  private let cancelsInputs: Bool
  /// Calls the task with an input's value.
  private let task: Handler

  private init(
    _ result: Promise, _ inputs: [Input], lanes: Int, cancelsInputs: Bool, cancelsRest: Bool, _ task: Handler
  ) {
    let lanes = max(1, min(lanes, inputs.count))
    work = Guarded(
      Work(
        inputs: inputs.reversed(), values: Array(repeating: (), count: inputs.count),
        places: Array(repeating: 0, count: lanes), pending: inputs.count))
    self.task = task
    self.cancelsInputs = cancelsInputs
    super.init(result, lanes: lanes, cancelsRest: cancelsRest)
  }

  /// - Parameters:
  ///   - concurrency: The number of steps that may run at a time; less than one counts as one.
  ///   - cancelsRest: Whether a rejected result withdraws from the running steps.
  ///   - cancelsInputs: Whether a result that withdraws from its steps also withdraws from the inputs.
  static func run(
    _ inputs: some Sequence, on context: (any ExecutionContext)?, _ task: Handler, _ cancelsInputs: Bool,
    _ cancelsRest: Bool = false, _ concurrency: Int = 1
  ) -> Promise {
    let facts = inputs.map { Resolution(erased($0)) }
    let turn = Turn.current
    let inputs = facts.map { fact in
      guard let promise = fact.promise else { return Input(fact: fact, consumer: nil) }
      // All inputs count as observed, because a series that ends early does not observe its remaining inputs.
      promise.markObserved()
      let consumer = Observer(isConsumer: true, at: promise.core.lock)
      promise.observe(consumer, turn)
      return Input(fact: fact, consumer: consumer)
    }
    let result = Promise.result(on: context, inheritedFrom: facts.lazy.compactMap(\.promise).first)
    return InputSeries(
      result, inputs, lanes: concurrency, cancelsInputs: cancelsInputs, cancelsRest: cancelsRest, task
    ).run()
  }

  override func isLast(_ outcome: Outcome, byRequest isCancelled: Bool) -> Bool {
    !outcome.isFulfilled || work.with { $0.inputs.isEmpty }
  }

  override func next(after value: Any?, on lane: Int, _ turn: Turn) -> Next {
    let (input, values) = work.with { work -> (Input?, [Any]?) in
      if let value {
        work.values[work.places[lane]] = value
        work.pending -= 1
      }
      work.places[lane] = work.values.count - work.inputs.count
      return (work.inputs.popLast(), work.pending == 0 ? work.values : nil)
    }
    if let input {
      // This may be the last reference to the input.
      turn.release(input)
      return step(input, turn)
    }
    return values.map { .end(.fulfilled($0)) } ?? .nothing
  }

  /// Leaves the inputs whose steps have not started. If `reason` is given, the result may withdraw from them.
  override func leaveInputs(_ reason: (any Error)?, _ turn: Turn) {
    let inputs = work.with { work in
      defer { work.inputs = [] }
      return work.inputs
    }
    for input in inputs { leave(input, cancelsInputs ? reason : nil, turn) }
    turn.release(inputs)
  }

  private func leave(_ input: Input, _ reason: (any Error)?, _ turn: Turn) {
    guard let promise = input.fact.promise, let consumer = input.consumer else { return }
    consumer.leave(unwanted: reason, turn)
    guard let reason, promise.isPending else { return }
    result.core.withdraw(from: promise, reason, turn)
  }

  private func step(_ input: Input, _ turn: Turn) -> Next {
    let context = result.defaultContext
    switch input.fact {
    case .promise(let promise), .task(let promise):
      // Not a child of the input, because a cancel of a settled input must not cancel this series.
      let follower = Promise(pendingOn: context)
      follower.core.follow(promise, withdraws: cancelsInputs, turn)
      leave(input, nil, turn)
      return .step(after: follower, task.call)
    case .fulfilled(let value):
      return .step(after: Promise(.fulfilled(value), on: context), task.call)
    case .rejected(let reason): return .end(.rejected(reason))
    case .thenable(let thenable):
      // The thenable is called on the context, not on the stack that settled the previous step.
      let box = UncheckedBox(thenable)
      let start = Promise(.fulfilled(()), on: context)
      let call = Handler(.value) { [self] _, _ in
        try mayBegin()
        return Resolution(box.value)
      }
      let called = start.child(call, on: nil, turn)
      turn.release(start)
      return .step(after: called, task.call)
    }
  }
}
