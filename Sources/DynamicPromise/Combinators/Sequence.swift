extension Promise {
  /// Runs `task` for each input in sequence, with the input's value. The next task starts when the previous
  /// task's promise is fulfilled and finished. The result is fulfilled with the tasks' values, an `[Any]` in
  /// order. The first rejection rejects the result, and no further task starts.
  ///
  /// Inputs and `context` are those of `map`, of which this is the case of one task at a time. A cancelled
  /// result withdraws from the running task's promise and from the pending inputs, which continue with
  /// `cancellingInputs: false`. The sequence continues even if no code retains the result.
  @discardableResult
  public static func sequence<T>(
    _ inputs: some Sequence, on context: (any ExecutionContext)? = nil,
    cancellingInputs: Bool = true, _ task: @escaping @Sendable (Any) throws -> T,
    fileID: StaticString = #fileID, line: UInt = #line
  ) -> Promise {
    InputSeries.run(inputs, on: context, Handler(value: task), cancellingInputs).at(fileID, line)
  }

  /// Runs `task` for each input in sequence, with the input's value as a `V`. A value of another type rejects
  /// the result with ``PromiseError/typeMismatch(expected:found:index:at:)``.
  @discardableResult
  public static func sequence<V, T>(
    _ inputs: some Sequence, on context: (any ExecutionContext)? = nil,
    cancellingInputs: Bool = true, _ task: (@Sendable (V) throws -> T)?,
    fileID: StaticString = #fileID, line: UInt = #line
  ) -> Promise {
    InputSeries.run(inputs, on: context, Handler(value: task).at(V.self, fileID, line), cancellingInputs).at(
      fileID, line)
  }

  /// Like `sequence` with a synchronous closure, but each task is a Swift task.
  @discardableResult
  public static func sequence<T>(
    _ inputs: some Sequence, on context: (any ExecutionContext)? = nil,
    cancellingInputs: Bool = true, _ task: @escaping @Sendable (Any) async throws -> T,
    fileID: StaticString = #fileID, line: UInt = #line
  ) -> Promise {
    InputSeries.run(inputs, on: context, Handler(value: Wrap.inTask(task)), cancellingInputs).at(fileID, line)
  }

  /// Like `sequence` with a synchronous closure of a `V`, but each task is a Swift task.
  @discardableResult
  public static func sequence<V, T>(
    _ inputs: some Sequence, on context: (any ExecutionContext)? = nil,
    cancellingInputs: Bool = true, _ task: (@Sendable (V) async throws -> T)?,
    fileID: StaticString = #fileID, line: UInt = #line
  ) -> Promise {
    InputSeries.run(
      inputs, on: context, Handler(value: Wrap.inTask(task)).at(V.self, fileID, line), cancellingInputs
    ).at(fileID, line)
  }
}
