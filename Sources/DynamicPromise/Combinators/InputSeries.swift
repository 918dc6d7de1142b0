// The series of `sequence` and `map`: a step for each input, on one lane or more.

/// The result is fulfilled with the tasks' values, in the order of the inputs.
final class InputSeries: Series, @unchecked Sendable {
  private struct Work {
    /// The remaining inputs in reverse order, so that each is released as soon as its step has started.
    var inputs: [Resolution]
    /// A value for each input, in their order.
    var values: [Any]
    /// For each lane, the index of the input of its step.
    var places: [Int]
    /// The number of inputs that are not done.
    var pending: Int
  }

  private let work: Guarded<Work>
  /// Calls the task with an input's value.
  private let task: Handler

  private init(
    _ result: Promise, _ inputs: [Resolution], lanes: Int = 1, cancelsRest: Bool = false, _ task: Handler
  ) {
    let lanes = max(1, min(lanes, inputs.count))
    work = Guarded(
      Work(
        inputs: inputs.reversed(), values: Array(repeating: (), count: inputs.count),
        places: Array(repeating: 0, count: lanes), pending: inputs.count))
    self.task = task
    super.init(result, lanes: lanes, cancelsRest: cancelsRest)
  }

  /// - Parameter concurrency: The number of steps that may run at a time; less than one counts as one.
  static func run(
    _ inputs: some Sequence, on context: (any ExecutionContext)?, _ task: Handler, _ concurrency: Int = 1,
    _ cancelsRest: Bool = false
  ) -> Promise {
    let facts = inputs.map { Resolution(erased($0)) }
    // All inputs count as observed, because a series that ends early does not observe its remaining inputs.
    var first: Promise?
    for case .promise(let input) in facts {
      input.markObserved()
      if first == nil { first = input }
    }
    let result = Promise.result(on: context, inheritedFrom: first)
    return InputSeries(result, facts, lanes: concurrency, cancelsRest: cancelsRest, task).run()
  }

  override func isLast(_ outcome: Outcome, byRequest isCancelled: Bool) -> Bool {
    !outcome.isFulfilled || work.with { $0.inputs.isEmpty }
  }

  override func next(after value: Any?, on lane: Int, _ turn: Turn) -> Next {
    let (input, values) = work.with { work -> (Resolution?, [Any]?) in
      if let value {
        work.values[work.places[lane]] = value
        work.pending -= 1
      }
      work.places[lane] = work.values.count - work.inputs.count
      return (work.inputs.popLast(), work.pending == 0 ? work.values : nil)
    }
    if let input {
      // This may be the last reference to the input.
      turn.release(input as Any)
      return step(input, turn)
    }
    return values.map { .end(.fulfilled(Value($0))) } ?? .nothing
  }

  private func step(_ input: Resolution, _ turn: Turn) -> Next {
    let context = result.defaultContext
    switch input {
    case .promise(let promise), .task(let promise):
      // The follower is not a child of the input, because a cancel of a settled input must not cancel this
      // series. The follower does not withdraw from the input, because the series did not make the input.
      let follower = Promise(.unresolved, on: context)
      follower.adopt(promise, withdraws: false, turn)
      return .step(after: follower, task.call)
    case .outcome(.fulfilled(let value)):
      return .step(after: Promise(.fulfilled(value), on: context), task.call)
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
      return .step(after: called, task.call)
    }
  }
}
