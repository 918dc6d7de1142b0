// `map`: a task for each input, several at a time, like bluebird's `map`.

extension Promise {
  /// Runs `task` for each input, with the input's value, at most `concurrency` at a time. The next task
  /// starts when a task's promise is fulfilled and finished. The result is fulfilled with the tasks' values,
  /// an `[Any]` in the order of the inputs. The first rejection rejects the result, and ends it.
  ///
  /// Inputs are those of `all`; each input is awaited, and a thenable called, when its task is next. A task
  /// may return a plain value. On a serial context, tasks overlap only while they wait for promises. A
  /// cancelled result withdraws from the running tasks' promises and from the pending inputs. The tasks
  /// continue if no code retains it.
  ///
  /// - Parameters:
  ///   - inputs: Promises, thenables and plain values.
  ///   - concurrency: The number of tasks that may run at a time, by default all; less than one counts as
  ///     one.
  ///   - cancellingInputs: If `false`, the result never withdraws from inputs.
  ///   - cancellingRest: Whether a rejection withdraws from the running tasks' promises and from the pending
  ///     inputs, with `CancellationError`. Otherwise these continue.
  ///   - context: Where tasks run, and the result's default context; by default that of the first promise.
  ///   - task: Called with the value of an input; its result may be a promise.
  ///   - fileID: The file of the call, for diagnostics in debug builds.
  ///   - line: The line of the call.
  @discardableResult
  public static func map<T>(
    _ inputs: some Sequence, concurrency: Int = .max, on context: (any ExecutionContext)? = nil,
    cancellingInputs: Bool = true, cancellingRest: Bool = false,
    _ task: @escaping @Sendable (Any) throws -> T, fileID: StaticString = #fileID, line: UInt = #line
  ) -> Promise {
    InputSeries.run(inputs, on: context, Handler(value: task), cancellingInputs, cancellingRest, concurrency)
      .at(fileID, line)
  }

  /// Runs `task` for each input, with the input's value as a `V`. A value of another type rejects the result
  /// with ``PromiseError/typeMismatch(expected:found:index:at:)``.
  @discardableResult
  public static func map<V, T>(
    _ inputs: some Sequence, concurrency: Int = .max, on context: (any ExecutionContext)? = nil,
    cancellingInputs: Bool = true, cancellingRest: Bool = false, _ task: (@Sendable (V) throws -> T)?,
    fileID: StaticString = #fileID, line: UInt = #line
  ) -> Promise {
    InputSeries.run(
      inputs, on: context, Handler(value: task).at(V.self, fileID, line), cancellingInputs, cancellingRest,
      concurrency
    ).at(fileID, line)
  }

  /// Like `map` with a synchronous closure, but each task is a Swift task.
  @discardableResult
  public static func map<T>(
    _ inputs: some Sequence, concurrency: Int = .max, on context: (any ExecutionContext)? = nil,
    cancellingInputs: Bool = true, cancellingRest: Bool = false,
    _ task: @escaping @Sendable (Any) async throws -> T, fileID: StaticString = #fileID, line: UInt = #line
  ) -> Promise {
    InputSeries.run(
      inputs, on: context, Handler(value: Wrap.inTask(task)), cancellingInputs, cancellingRest, concurrency
    ).at(fileID, line)
  }

  /// Like `map` with a synchronous closure of a `V`, but each task is a Swift task.
  @discardableResult
  public static func map<V, T>(
    _ inputs: some Sequence, concurrency: Int = .max, on context: (any ExecutionContext)? = nil,
    cancellingInputs: Bool = true, cancellingRest: Bool = false,
    _ task: (@Sendable (V) async throws -> T)?, fileID: StaticString = #fileID, line: UInt = #line
  ) -> Promise {
    InputSeries.run(
      inputs, on: context, Handler(value: Wrap.inTask(task)).at(V.self, fileID, line), cancellingInputs,
      cancellingRest, concurrency
    ).at(fileID, line)
  }
}
