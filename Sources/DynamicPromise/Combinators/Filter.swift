// `filter`: the inputs that pass a test. Several tests may run at a time.

extension Promise {
  /// Calls `predicate` with the value of each input, at most `concurrency` at a time. The predicate returns a
  /// `Bool` or a promise of a `Bool`; any other value rejects the result with
  /// ``PromiseError/typeMismatch(expected:found:index:at:)``. The result is fulfilled with the values for
  /// which the predicate's result is `true`, an `[Any]` in the order of the inputs. It is rejected with the
  /// first reason.
  ///
  /// Otherwise like `map`. Without inputs, the result is fulfilled with `[]`.
  @discardableResult
  public static func filter<T>(
    _ inputs: some Sequence, concurrency: Int = .max, on context: (any ExecutionContext)? = .inherited,
    cancellingRest: Bool = false, _ predicate: @escaping @Sendable (Any) throws -> T
  ) -> Promise {
    FilterSeries.run(inputs, on: context, Handler(value: predicate), concurrency, cancellingRest)
  }

  /// Calls `predicate` with the value of each input as a `V`, at most `concurrency` at a time. A value of
  /// another type rejects the result with ``PromiseError/typeMismatch(expected:found:index:at:)``. A closure
  /// without a parameter is called for every value. Otherwise like `filter` with untyped values.
  @_disfavoredOverload
  @discardableResult
  public static func filter<V, T>(
    _ inputs: some Sequence, concurrency: Int = .max, on context: (any ExecutionContext)? = .inherited,
    cancellingRest: Bool = false, _ predicate: @escaping @Sendable (V) throws -> T
  ) -> Promise {
    FilterSeries.run(inputs, on: context, Handler(value: predicate), concurrency, cancellingRest)
  }

  /// Like `filter` with a synchronous predicate, but each test runs in a Swift task. Cancelling the result
  /// cancels the running Swift tasks.
  @discardableResult
  public static func filter<T>(
    _ inputs: some Sequence, concurrency: Int = .max, on context: (any ExecutionContext)? = .inherited,
    cancellingRest: Bool = false, _ predicate: @escaping @Sendable (Any) async throws -> T
  ) -> Promise {
    FilterSeries.run(
      inputs, on: context, Handler(value: InTask(predicate)), concurrency, cancellingRest)
  }

  /// Like `filter` with a synchronous predicate of a `V`, but each test runs in a Swift task. Cancelling the
  /// result cancels the running Swift tasks.
  @_disfavoredOverload
  @discardableResult
  public static func filter<V, T>(
    _ inputs: some Sequence, concurrency: Int = .max, on context: (any ExecutionContext)? = .inherited,
    cancellingRest: Bool = false, _ predicate: @escaping @Sendable (V) async throws -> T
  ) -> Promise {
    FilterSeries.run(
      inputs, on: context, Handler(value: InTask(predicate)), concurrency, cancellingRest)
  }
}

/// Stores the inputs' values, and a mark for each input that does not pass.
private final class FilterSeries: InputSeries, @unchecked Sendable {
  private struct LeftOut {}

  override func perform(_ input: Any, at index: Int) throws -> Resolution {
    keep(input, at: index)
    return try call(input)
  }

  override func record(_ value: Any, at index: Int) throws {
    let passes: Bool = try Wrap.cast(value)
    // The release is deferred, because a `deinit` may use promises, and must not run inside a step.
    if !passes { Turn.current.release(keep(LeftOut(), at: index)) }
  }

  override func conclude(_ values: [Any]) -> Any { values.filter { type(of: $0) != LeftOut.self } }
}
