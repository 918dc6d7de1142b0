// The common part of `sequence`, `map`, `filter`, `each` and `reduce`: a step for each input, on one lane
// or more.

/// A series with a step for each input. Its result is fulfilled with the tasks' values, in the order of the
/// inputs.
class InputSeries: Series, @unchecked Sendable {
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

  /// An input, and the consumer that stands for the series until the input's step starts.
  struct Input {
    let fact: Resolution
    let consumer: Observer?
  }

  private let work: Guarded<Work>
  /// Whether the cancelled result withdraws from the pending inputs.
  private let cancelsInputs: Bool
  /// Calls the task with an input's value.
  private let task: Handler

  required init(
    _ result: Promise, _ inputs: [Input], _ lanes: Int, _ cancelsInputs: Bool, _ cancelsRest: Bool,
    _ task: Handler
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

  /// - Parameter concurrency: The number of steps that may run at a time; less than one counts as one.
  static func run(
    _ inputs: some Sequence, on context: (any ExecutionContext)?, _ task: Handler, _ concurrency: Int = 1,
    _ cancelsRest: Bool = false, cancelsInputs: Bool = true
  ) -> Promise {
    make(inputs, on: context, task, concurrency, cancelsRest, cancelsInputs: cancelsInputs).run()
  }

  /// Makes the series of `run` without starting it.
  static func make(
    _ inputs: some Sequence, on context: (any ExecutionContext)?, _ task: Handler, _ concurrency: Int = 1,
    _ cancelsRest: Bool = false, cancelsInputs: Bool = true
  ) -> Self {
    let turn = Turn.current
    var first: Promise?
    let inputs = inputs.map { input in
      let fact = Resolution(erased(input))
      guard let promise = fact.promise else { return Input(fact: fact, consumer: nil) }
      // All inputs count as observed, because a series that ends early does not observe its remaining inputs.
      promise.markObserved()
      if first == nil { first = promise }
      let consumer = Observer(isConsumer: true)
      promise.observe(consumer, turn)
      return Input(fact: fact, consumer: consumer)
    }
    let result = Promise.result(on: context, inheritedFrom: first)
    return Self(result, inputs, concurrency, cancelsInputs, cancelsRest, task)
  }

  // MARK: For subclasses to override

  /// Runs the task for an input. Called on the result's default context.
  func perform(_ input: Any, at index: Int) throws -> Resolution { try call(input) }

  /// Records the value of the task for an input. Runs no user code.
  func record(_ value: Any, at index: Int) throws { keep(value, at: index) }

  /// The result's value when all inputs are done.
  func conclude(_ values: [Any]) -> Any { values }

  /// Calls the task.
  final func call(_ input: Any) throws -> Resolution { try task.call(.fulfilled(Value(input))) }

  // MARK: The values

  /// Stores a value at its index, and returns the former value.
  @discardableResult
  final func keep(_ value: Any, at index: Int) -> Any {
    work.with { work in
      defer { work.values[index] = value }
      return work.values[index]
    }
  }

  // MARK: Steps

  override final func isLast(_ outcome: Outcome, byRequest isCancelled: Bool) -> Bool {
    !outcome.isFulfilled || work.with { $0.inputs.isEmpty }
  }

  override final func next(after value: Any?, on lane: Int, _ turn: Turn) -> Next {
    if let value {
      do { try record(value, at: work.with { $0.places[lane] }) } catch { return .end(.rejected(error)) }
    }
    let (input, index, isDone) = work.with { work -> (Input?, Int, Bool) in
      if value != nil { work.pending -= 1 }
      let index = work.values.count - work.inputs.count
      work.places[lane] = index
      return (work.inputs.popLast(), index, work.pending == 0)
    }
    if let input {
      // This may be the last reference to the input.
      turn.release(input as Any)
      return step(input, at: index, turn)
    }
    guard isDone else { return .nothing }
    return .end(.fulfilled(Value(conclude(work.with { $0.values }))))
  }

  /// Leaves the inputs whose steps have not started. If `reason` is given, the result withdraws from them.
  override final func leaveInputs(_ reason: (any Error)?, _ turn: Turn) {
    let inputs = work.with { work in
      defer { work.inputs = [] }
      return work.inputs
    }
    let reason = cancelsInputs ? reason : nil
    for input in inputs { leave(input, reason, turn) }
    turn.release(inputs as Any)
  }

  private func leave(_ input: Input, _ reason: (any Error)?, _ turn: Turn) {
    guard let promise = input.fact.promise, let consumer = input.consumer else { return }
    promise.lock.with { promise.leave(consumer, unwanted: reason, turn) }
    guard let reason, promise.isPending else { return }
    turn.note(result, after: promise)
    result.withdraw(from: promise, reason, turn)
  }

  private func step(_ input: Input, at index: Int, _ turn: Turn) -> Next {
    let context = result.defaultContext
    let task = { @Sendable [self] (outcome: Outcome) in try perform(outcome.value, at: index) }
    switch input.fact {
    case .promise(let promise), .task(let promise):
      // The follower is not a child of the input, because a cancel of a settled input must not cancel this
      // series.
      let follower = Promise(.unresolved, on: context)
      follower.adopt(promise, withdraws: cancelsInputs, turn)
      leave(input, nil, turn)
      return .step(after: follower, task)
    case .outcome(.fulfilled(let value)): return .step(after: Promise(.fulfilled(value), on: context), task)
    case .outcome(let failure): return .end(failure)
    case .thenable(let thenable):
      // The thenable is called on the context, not on the stack that settled the previous step.
      let box = UncheckedBox(thenable)
      let start = Promise(.fulfilled(.void), on: context)
      let call = Handler(.value) { [self] _ in
        try mayBegin()
        return Resolution(Value(box.value))
      }
      let called = start.child(call, on: nil, turn)
      turn.release(start)
      return .step(after: called, task)
    }
  }
}
