extension Promise {
  /// Runs `task` for each input in sequence, with the input's value. The next task starts when the previous
  /// task's promise is fulfilled and finished. The result is fulfilled with the tasks' values, an `[Any]` in
  /// order. Without inputs, it is fulfilled with `[]`. The first rejection rejects the result, and no further
  /// task starts.
  ///
  /// Inputs are those of `all`. A thenable is called when its task is next, and a rejected input ends the
  /// sequence. Tasks run on `context`, which is also the result's default context. The default is the default
  /// context of the first promise among the inputs.
  ///
  /// A cancelled result withdraws from the running task's promise and from the pending inputs, with its
  /// reason; with `cancellingInputs: false` the inputs continue. No further task starts. The sequence
  /// continues even if no code retains the result.
  @discardableResult
  public static func sequence<T>(
    _ inputs: some Sequence, on context: (any ExecutionContext)? = nil,
    cancellingInputs: Bool = true, _ task: @escaping @Sendable (Any) throws -> T,
    fileID: StaticString = #fileID, line: UInt = #line
  ) -> Promise {
    InputSeries.run(inputs, on: context, Handler(value: task), cancelsInputs: cancellingInputs).placed(
      fileID, line)
  }

  /// Runs `task` for each input in sequence, with the input's value as a `V`. A value of another type rejects
  /// the result with ``PromiseError/typeMismatch(expected:found:index:at:)``. A closure without a parameter
  /// is called for every value. Otherwise like `sequence` with untyped values.
  @_disfavoredOverload
  @discardableResult
  public static func sequence<V, T>(
    _ inputs: some Sequence, on context: (any ExecutionContext)? = nil,
    cancellingInputs: Bool = true, _ task: @escaping @Sendable (V) throws -> T,
    fileID: StaticString = #fileID, line: UInt = #line
  ) -> Promise {
    InputSeries.run(inputs, on: context, Handler(value: task), cancelsInputs: cancellingInputs).placed(
      fileID, line)
  }

  /// Like `sequence` with a synchronous closure, but each task is a Swift task. Cancelling the result cancels
  /// the running Swift task.
  @discardableResult
  public static func sequence<T>(
    _ inputs: some Sequence, on context: (any ExecutionContext)? = nil,
    cancellingInputs: Bool = true, _ task: @escaping @Sendable (Any) async throws -> T,
    fileID: StaticString = #fileID, line: UInt = #line
  ) -> Promise {
    InputSeries.run(inputs, on: context, Handler(value: InTask(task)), cancelsInputs: cancellingInputs)
      .placed(fileID, line)
  }

  /// Like `sequence` with a synchronous closure of a `V`, but each task is a Swift task. Cancelling the
  /// result cancels the running Swift task.
  @_disfavoredOverload
  @discardableResult
  public static func sequence<V, T>(
    _ inputs: some Sequence, on context: (any ExecutionContext)? = nil,
    cancellingInputs: Bool = true, _ task: @escaping @Sendable (V) async throws -> T,
    fileID: StaticString = #fileID, line: UInt = #line
  ) -> Promise {
    InputSeries.run(inputs, on: context, Handler(value: InTask(task)), cancelsInputs: cancellingInputs)
      .placed(fileID, line)
  }
}
