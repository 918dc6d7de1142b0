// `map`: a task for each input, several at a time, as bluebird has it.

extension Promise {
  /// Runs `task` for each input, with the input's value, at most `concurrency` at a time; the next one begins
  /// when what a task has returned is fulfilled. Fulfilled with the tasks' values, `[Any]` in the order of
  /// the inputs; rejected with the first reason, and no further task begins then.
  ///
  /// Inputs are those of `all`. Each is waited for in its turn, and counts as running meanwhile: a thenable
  /// is called then, a rejected input rejects the result. No input: fulfilled with `[]`. A task that throws
  /// has rejected; a plain value that it returns is its value. Tasks run on `context`, otherwise on the
  /// default context of the first promise among the inputs; it is the result's default context, too. Where
  /// that is serial, tasks overlap only while they wait.
  ///
  /// Cancelling the result cancels the promises of the tasks that run, with the same reason, and begins no
  /// further one. It is followed through though nobody holds the result.
  ///
  /// - Parameters:
  ///   - inputs: Promises, thenables and plain values.
  ///   - concurrency: How many may run at a time; less than one is one. All, unless told otherwise.
  ///   - cancellingRest: Whether the promises of the tasks that still run are cancelled, with
  ///     `CancellationError`, when one was rejected. Otherwise they are left alone.
  ///   - context: Where tasks run.
  ///   - task: Is given the value of an input; its result may be a promise.
  @discardableResult
  public static func map<T>(
    _ inputs: some Sequence, concurrency: Int = .max, on context: (any ExecutionContext)? = .inherited,
    cancellingRest: Bool = false, _ task: @escaping @Sendable (Any) throws -> T
  ) -> Promise {
    InputSeries.run(inputs, on: context, concurrency, cancellingRest) { .of(try task($0)) }
  }

  /// The same with a typed value; one of another type rejects with
  /// ``PromiseError/typeMismatch(expected:found:index:at:)``.
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
