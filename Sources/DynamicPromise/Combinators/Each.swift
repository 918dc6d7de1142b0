// `each`: a task for each input, one after the other, for what it does and not for what it returns.

extension Promise {
  /// Runs `task` for each input in turn, with the input's value; the next task begins when what the one
  /// before has returned is fulfilled. Fulfilled with the inputs' values, `[Any]` in order, whatever the
  /// tasks returned; rejected with the first reason, and then no further task begins.
  ///
  /// Everything else as for `sequence`, which is fulfilled with the tasks' values instead. Without inputs it
  /// is fulfilled with `[]`.
  @discardableResult
  public static func each<T>(
    _ inputs: some Sequence, on context: (any ExecutionContext)? = .inherited,
    _ task: @escaping @Sendable (Any) throws -> T
  ) -> Promise {
    EachSeries.run(inputs, on: context) { .of(try task($0)) }
  }

  /// The same with a typed value; one of another type rejects with
  /// ``PromiseError/typeMismatch(expected:found:index:at:)``.
  @_disfavoredOverload
  @discardableResult
  public static func each<V, T>(
    _ inputs: some Sequence, on context: (any ExecutionContext)? = .inherited,
    _ task: @escaping @Sendable (V) throws -> T
  ) -> Promise {
    EachSeries.run(inputs, on: context) { .of(try task(try Wrap.cast($0))) }
  }

  /// For closures whose `return` statements have different types, or return a bare `nil`.
  @_disfavoredOverload
  @discardableResult
  public static func each(
    _ inputs: some Sequence, on context: (any ExecutionContext)? = .inherited,
    _ task: @escaping @Sendable (Any) throws -> Any?
  ) -> Promise {
    EachSeries.run(inputs, on: context) { .of(try task($0)) }
  }

  /// The same with an asynchronous task. Cancelling the result cancels the Swift task that runs.
  @discardableResult
  public static func each<T>(
    _ inputs: some Sequence, on context: (any ExecutionContext)? = .inherited,
    _ task: @escaping @Sendable (Any) async throws -> T
  ) -> Promise {
    EachSeries.run(inputs, on: context, Wrap.inTask(task))
  }

  /// The same with an asynchronous task and a typed value.
  @_disfavoredOverload
  @discardableResult
  public static func each<V, T>(
    _ inputs: some Sequence, on context: (any ExecutionContext)? = .inherited,
    _ task: @escaping @Sendable (V) async throws -> T
  ) -> Promise {
    EachSeries.run(inputs, on: context, Wrap.inTask(task))
  }

  /// The same for array literals of mixed types.
  @discardableResult
  public static func each<T>(
    _ inputs: [Any?], on context: (any ExecutionContext)? = .inherited,
    _ task: @escaping @Sendable (Any) throws -> T
  ) -> Promise {
    EachSeries.run(inputs, on: context) { .of(try task($0)) }
  }
}

/// Keeps the inputs' values and not the tasks'.
private final class EachSeries: InputSeries, @unchecked Sendable {
  override func perform(_ input: Any, at index: Int) throws -> Resolution {
    keep(input, at: index)
    return try task(input)
  }

  override func record(_ value: Any, at index: Int) {}
}
