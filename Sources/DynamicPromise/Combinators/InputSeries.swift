// The common part of `sequence`, `map`, `filter`, `each` and `reduce`: a step for each input, on one lane
// or more.

/// A series with a step for each input. Its result is fulfilled with the tasks' values, in the order of the
/// inputs.
class InputSeries: Series, @unchecked Sendable {
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

  required init(
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
    make(inputs, on: context, task, concurrency, cancelsRest).run()
  }

  /// Makes the series of `run` without starting it.
  static func make(
    _ inputs: some Sequence, on context: (any ExecutionContext)?, _ task: Handler, _ concurrency: Int = 1,
    _ cancelsRest: Bool = false
  ) -> Self {
    let facts = inputs.map { Resolution(erased($0)) }
    // All inputs count as observed, because a series that ends early does not observe its remaining inputs.
    var first: Promise?
    for case .promise(let input) in facts {
      input.markObserved()
      if first == nil { first = input }
    }
    let result = Promise.result(on: context, inheritedFrom: first)
    return Self(result, facts, lanes: concurrency, cancelsRest: cancelsRest, task)
  }

  // MARK: For subclasses to override

  /// Runs the task for an input. Called on the result's default context.
  func perform(_ input: Any, at index: Int) throws -> Resolution { try call(input) }

  /// Records the value of the task for an input. Runs no user code.
  func record(_ value: Any, at index: Int) throws { keep(value, at: index) }

  /// The result's value when all inputs are done.
  func conclude(_ values: [Any]) -> Any { values }

  /// Calls the task.
  final func call(_ input: Any) throws -> Resolution { try task.call(input, nil) }

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
    let (input, index, isDone) = work.with { work -> (Resolution?, Int, Bool) in
      if value != nil { work.pending -= 1 }
      let index = work.values.count - work.inputs.count
      work.places[lane] = index
      return (work.inputs.popLast(), index, work.pending == 0)
    }
    if let input {
      // This may be the last reference to the input.
      turn.release(input)
      return step(input, at: index, turn)
    }
    guard isDone else { return .nothing }
    return .end(.fulfilled(conclude(work.with { $0.values })))
  }

  private func step(_ input: Resolution, at index: Int, _ turn: Turn) -> Next {
    let context = result.defaultContext
    let task: Handler.Call = { [self] value, _ in try perform(value, at: index) }
    switch input {
    case .promise(let promise), .task(let promise):
      // The follower is not a child of the input, because a cancel of a settled input must not cancel this
      // series. The follower does not withdraw from the input, because the series did not make the input.
      let follower = Promise(pendingOn: context)
      follower.core.follow(promise, withdraws: false, turn)
      return .step(after: follower, task)
    case .fulfilled(let value): return .step(after: Promise(.fulfilled(value), on: context), task)
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
      return .step(after: called, task)
    }
  }
}
