extension Promise {
  /// Runs `task` for each input in turn, with the input's value; the next one begins when what the task
  /// before has returned is fulfilled. Fulfilled with the tasks' values, `[Any]` in order; rejected with the
  /// first reason, and no further task begins then.
  ///
  /// Inputs as for ``all(_:on:cancellingInputs:)``; a thenable among them is called when its turn comes, a
  /// rejected one ends the sequence. No input: fulfilled with `[]`. Tasks run on `context`, otherwise on the
  /// default context of the first promise among the inputs; it is the result's default context, too.
  ///
  /// Cancelling the result cancels the promise of the task that runs, with the same reason, and begins no
  /// further one. The sequence is followed through though nobody holds the result.
  @discardableResult
  public static func sequence<T>(
    _ inputs: some Sequence, on context: (any ExecutionContext)? = .inherited,
    _ task: @escaping @Sendable (Any) throws -> T
  ) -> Promise {
    InputSeries.run(inputs, on: context, { .of(try task($0)) })
  }

  /// The same with a typed value; one of another type rejects with
  /// ``PromiseError/typeMismatch(expected:found:)``.
  @_disfavoredOverload
  @discardableResult
  public static func sequence<V, T>(
    _ inputs: some Sequence, on context: (any ExecutionContext)? = .inherited,
    _ task: @escaping @Sendable (V) throws -> T
  ) -> Promise {
    InputSeries.run(inputs, on: context, { .of(try task(try Wrap.cast($0))) })
  }

  /// For closures whose `return` statements have different types, or return a bare `nil`.
  @_disfavoredOverload
  @discardableResult
  public static func sequence(
    _ inputs: some Sequence, on context: (any ExecutionContext)? = .inherited,
    _ task: @escaping @Sendable (Any) throws -> Any?
  ) -> Promise {
    InputSeries.run(inputs, on: context, { .of(try task($0)) })
  }

  /// The same with an asynchronous task. Cancelling the result cancels the Swift task that runs.
  @discardableResult
  public static func sequence<T>(
    _ inputs: some Sequence, on context: (any ExecutionContext)? = .inherited,
    _ task: @escaping @Sendable (Any) async throws -> T
  ) -> Promise {
    InputSeries.run(inputs, on: context, Wrap.inTask(task))
  }

  /// The same with an asynchronous task and a typed value.
  @_disfavoredOverload
  @discardableResult
  public static func sequence<V, T>(
    _ inputs: some Sequence, on context: (any ExecutionContext)? = .inherited,
    _ task: @escaping @Sendable (V) async throws -> T
  ) -> Promise {
    InputSeries.run(inputs, on: context, Wrap.inTask(task))
  }

  /// The same for array literals of mixed types.
  @discardableResult
  public static func sequence<T>(
    _ inputs: [Any?], on context: (any ExecutionContext)? = .inherited,
    _ task: @escaping @Sendable (Any) throws -> T
  ) -> Promise {
    InputSeries.run(inputs, on: context, { .of(try task($0)) })
  }
}

/// A series with a step for each input.
private final class InputSeries: Series, @unchecked Sendable {
  /// What is left, last one first, so that each input is let go as soon as its step has begun.
  private var inputs: [Fact]
  private var values: [Any] = []
  private let task: @Sendable (Any) throws -> Resolution

  private init(
    _ result: Promise, _ inputs: [Fact], _ task: @escaping @Sendable (Any) throws -> Resolution
  ) {
    self.inputs = inputs.reversed()
    self.task = task
    super.init(result)
  }

  static func run(
    _ inputs: some Sequence, on context: (any ExecutionContext)?,
    _ task: @escaping @Sendable (Any) throws -> Resolution
  ) -> Promise {
    let facts = inputs.map { Fact(erased($0)) }
    // If the sequence ends early, nobody observes the rest.
    var first: Promise?
    for case .promise(let input) in facts {
      input.markObserved()
      if first == nil { first = input }
    }
    return InputSeries(Promise.result(on: context, inheritedFrom: first), facts, task).run()
  }

  override func next(after value: Any?, _ effects: inout Effects) -> Next {
    if let value { values.append(value) }
    guard let input = inputs.popLast() else { return .end(.fulfilled(Value(values))) }
    let context = result.defaultContext
    switch input {
    case .promise(let promise):
      // The step is not below the input itself, so that a cancel of the settled input does not reach it. It
      // does not withdraw from the input either: the sequence has not made it.
      let follower = Promise(.unresolved, on: context)
      follower.adopt(promise, withdraws: false, &effects)
      return .step(after: follower, task)
    case .outcome(.fulfilled(let value)): return .step(after: Promise(.fulfilled(value), on: context), task)
    case .outcome(let failure): return .end(failure)
    case .thenable(let thenable):
      // Called on the context, not on the stack that has settled the step before.
      let box = UncheckedBox(thenable)
      let start = Promise(.fulfilled(.void), on: context)
      return .step(
        after: start.child(Handler(.value) { _ in .unknown(Value(box.value)) }, on: nil, &effects), task)
    }
  }
}
