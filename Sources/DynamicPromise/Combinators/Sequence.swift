extension Promise {
  /// Runs `task` for each input in turn, with the input's value; the next task begins when what the one
  /// before has returned is fulfilled. Fulfilled with the tasks' values, `[Any]` in order; rejected with the
  /// first reason, and then no further task begins. Without inputs it is fulfilled with `[]`.
  ///
  /// Inputs are those of `all`; a thenable is called in its turn, and a rejected input ends the sequence.
  /// Tasks run on `context`, or, unless it is given, on the default context of the first promise among the
  /// inputs; that is the result's default context, too.
  ///
  /// Cancelling the result cancels the promise of the task that runs, with the same reason, and no further
  /// task begins. The sequence goes on even if nobody holds the result.
  @discardableResult
  public static func sequence<T>(
    _ inputs: some Sequence, on context: (any ExecutionContext)? = .inherited,
    _ task: @escaping @Sendable (Any) throws -> T
  ) -> Promise {
    InputSeries.run(inputs, on: context) { .of(try task($0)) }
  }

  /// The same with a typed value; one of another type rejects with
  /// ``PromiseError/typeMismatch(expected:found:index:)``.
  @_disfavoredOverload
  @discardableResult
  public static func sequence<V, T>(
    _ inputs: some Sequence, on context: (any ExecutionContext)? = .inherited,
    _ task: @escaping @Sendable (V) throws -> T
  ) -> Promise {
    InputSeries.run(inputs, on: context) { .of(try task(try Wrap.cast($0))) }
  }

  /// For closures whose `return` statements have different types, or return a bare `nil`.
  @_disfavoredOverload
  @discardableResult
  public static func sequence(
    _ inputs: some Sequence, on context: (any ExecutionContext)? = .inherited,
    _ task: @escaping @Sendable (Any) throws -> Any?
  ) -> Promise {
    InputSeries.run(inputs, on: context) { .of(try task($0)) }
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
    InputSeries.run(inputs, on: context) { .of(try task($0)) }
  }
}
