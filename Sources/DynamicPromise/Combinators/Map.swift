// `map`: a task for each input, several at a time, as bluebird has it.

extension Promise {
  /// Runs `task` for each input, with the input's value, at most `concurrency` at a time; the next task
  /// begins when what a task has returned is fulfilled. Fulfilled with the tasks' values, `[Any]` in the
  /// order of the inputs; rejected with the first reason, and then no further task begins. Without inputs it
  /// is fulfilled with `[]`.
  ///
  /// Inputs are those of `all`, and are waited for in turn. An input that is waited for counts as running; a
  /// thenable is called then; a rejected input rejects the result. A task that throws is rejected; a plain
  /// value that it returns is its value. Tasks run on `context`, or, unless it is given, on the default
  /// context of the first promise among the inputs; that is the result's default context, too. On a serial
  /// context tasks overlap only while they wait.
  ///
  /// Cancelling the result cancels the promises of the tasks that run, with the same reason, and no further
  /// task begins. Tasks go on even if nobody holds the result.
  ///
  /// - Parameters:
  ///   - inputs: Promises, thenables and plain values.
  ///   - concurrency: How many tasks may run at a time: all of them, unless given; less than one counts as
  ///     one.
  ///   - cancellingRest: Whether, when a task was rejected, the promises of those that still run are
  ///     cancelled, with `CancellationError`. Otherwise they go on.
  ///   - context: Where tasks run.
  ///   - task: Called with the value of an input; its result may be a promise.
  @discardableResult
  public static func map<T>(
    _ inputs: some Sequence, concurrency: Int = .max, on context: (any ExecutionContext)? = .inherited,
    cancellingRest: Bool = false, _ task: @escaping @Sendable (Any) throws -> T
  ) -> Promise {
    InputSeries.run(inputs, on: context, concurrency, cancellingRest) { .of(try task($0)) }
  }

  /// The same with a typed value; one of another type rejects with
  /// ``PromiseError/typeMismatch(expected:found:index:)``.
  @_disfavoredOverload
  @discardableResult
  public static func map<V, T>(
    _ inputs: some Sequence, concurrency: Int = .max, on context: (any ExecutionContext)? = .inherited,
    cancellingRest: Bool = false, _ task: @escaping @Sendable (V) throws -> T
  ) -> Promise {
    InputSeries.run(inputs, on: context, concurrency, cancellingRest) { .of(try task(try Wrap.cast($0))) }
  }

  /// For closures whose `return` statements have different types, or return a bare `nil`.
  @_disfavoredOverload
  @discardableResult
  public static func map(
    _ inputs: some Sequence, concurrency: Int = .max, on context: (any ExecutionContext)? = .inherited,
    cancellingRest: Bool = false, _ task: @escaping @Sendable (Any) throws -> Any?
  ) -> Promise {
    InputSeries.run(inputs, on: context, concurrency, cancellingRest) { .of(try task($0)) }
  }

  /// The same with an asynchronous task. Cancelling the result cancels the Swift tasks that run.
  @discardableResult
  public static func map<T>(
    _ inputs: some Sequence, concurrency: Int = .max, on context: (any ExecutionContext)? = .inherited,
    cancellingRest: Bool = false, _ task: @escaping @Sendable (Any) async throws -> T
  ) -> Promise {
    InputSeries.run(inputs, on: context, concurrency, cancellingRest, Wrap.inTask(task))
  }

  /// The same with an asynchronous task and a typed value.
  @_disfavoredOverload
  @discardableResult
  public static func map<V, T>(
    _ inputs: some Sequence, concurrency: Int = .max, on context: (any ExecutionContext)? = .inherited,
    cancellingRest: Bool = false, _ task: @escaping @Sendable (V) async throws -> T
  ) -> Promise {
    InputSeries.run(inputs, on: context, concurrency, cancellingRest, Wrap.inTask(task))
  }

  /// The same for array literals of mixed types.
  @discardableResult
  public static func map<T>(
    _ inputs: [Any?], concurrency: Int = .max, on context: (any ExecutionContext)? = .inherited,
    cancellingRest: Bool = false, _ task: @escaping @Sendable (Any) throws -> T
  ) -> Promise {
    InputSeries.run(inputs, on: context, concurrency, cancellingRest) { .of(try task($0)) }
  }
}
