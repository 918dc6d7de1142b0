// `each`: a task for each input, in sequence. The values of the tasks are ignored.

extension Promise {
  /// Runs `task` for each input in sequence, with the input's value. The next task starts when the previous
  /// task's promise is fulfilled and finished. The result is fulfilled with the inputs' values, an `[Any]` in
  /// order, whatever the tasks returned. The first rejection rejects the result, and no further task starts.
  ///
  /// Otherwise like `sequence`, which is fulfilled with the tasks' values instead. Without inputs, the result
  /// is fulfilled with `[]`.
  @discardableResult
  public static func each<T>(
    _ inputs: some Sequence, on context: (any ExecutionContext)? = .inherited,
    _ task: @escaping @Sendable (Any) throws -> T
  ) -> Promise {
    EachSeries.run(inputs, on: context, Handler(value: task))
  }

  /// Runs `task` for each input in sequence, with the input's value as a `V`. A value of another type rejects
  /// the result with ``PromiseError/typeMismatch(expected:found:index:at:)``. A closure without a parameter
  /// is called for every value. Otherwise like `each` with untyped values.
  @_disfavoredOverload
  @discardableResult
  public static func each<V, T>(
    _ inputs: some Sequence, on context: (any ExecutionContext)? = .inherited,
    _ task: @escaping @Sendable (V) throws -> T
  ) -> Promise {
    EachSeries.run(inputs, on: context, Handler(value: task))
  }

  /// Like `each` with a synchronous closure, but each task is a Swift task. Cancelling the result cancels the
  /// running Swift task.
  @discardableResult
  public static func each<T>(
    _ inputs: some Sequence, on context: (any ExecutionContext)? = .inherited,
    _ task: @escaping @Sendable (Any) async throws -> T
  ) -> Promise {
    EachSeries.run(inputs, on: context, Handler(value: InTask(task)))
  }

  /// Like `each` with a synchronous closure of a `V`, but each task is a Swift task. Cancelling the result
  /// cancels the running Swift task.
  @_disfavoredOverload
  @discardableResult
  public static func each<V, T>(
    _ inputs: some Sequence, on context: (any ExecutionContext)? = .inherited,
    _ task: @escaping @Sendable (V) async throws -> T
  ) -> Promise {
    EachSeries.run(inputs, on: context, Handler(value: InTask(task)))
  }
}

/// Stores the inputs' values, not the values of the tasks.
private final class EachSeries: InputSeries, @unchecked Sendable {
  override func perform(_ input: Any, at index: Int) throws -> Resolution {
    keep(input, at: index)
    return try call(input)
  }

  override func record(_ value: Any, at index: Int) {}
}
