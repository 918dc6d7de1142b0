// `filter`: those inputs that pass, several asked at a time.

extension Promise {
  /// Asks `predicate` of each input, with the input's value, at most `concurrency` at a time. Fulfilled with
  /// the values of the inputs for which it returned `true`, or a promise of that, `[Any]` in their order;
  /// rejected with the first reason.
  ///
  /// What it comes to is a `Bool`; anything else rejects with
  /// ``PromiseError/typeMismatch(expected:found:index:)``. Everything else as for
  /// `map`. No input: fulfilled with `[]`.
  @discardableResult
  public static func filter<T>(
    _ inputs: some Sequence, concurrency: Int = .max, on context: (any ExecutionContext)? = .inherited,
    cancellingRest: Bool = false, _ predicate: @escaping @Sendable (Any) throws -> T
  ) -> Promise {
    FilterSeries.run(inputs, on: context, concurrency, cancellingRest) { .of(try predicate($0)) }
  }

  /// The same with a typed value; one of another type rejects with
  /// ``PromiseError/typeMismatch(expected:found:index:)``.
  @_disfavoredOverload
  @discardableResult
  public static func filter<V, T>(
    _ inputs: some Sequence, concurrency: Int = .max, on context: (any ExecutionContext)? = .inherited,
    cancellingRest: Bool = false, _ predicate: @escaping @Sendable (V) throws -> T
  ) -> Promise {
    FilterSeries.run(inputs, on: context, concurrency, cancellingRest) {
      .of(try predicate(try Wrap.cast($0)))
    }
  }

  /// For closures whose `return` statements have different types: a `Bool`, and a promise of one.
  @_disfavoredOverload
  @discardableResult
  public static func filter(
    _ inputs: some Sequence, concurrency: Int = .max, on context: (any ExecutionContext)? = .inherited,
    cancellingRest: Bool = false, _ predicate: @escaping @Sendable (Any) throws -> Any?
  ) -> Promise {
    FilterSeries.run(inputs, on: context, concurrency, cancellingRest) { .of(try predicate($0)) }
  }

  /// The same with an asynchronous predicate. Cancelling the result cancels the Swift tasks that run.
  @discardableResult
  public static func filter<T>(
    _ inputs: some Sequence, concurrency: Int = .max, on context: (any ExecutionContext)? = .inherited,
    cancellingRest: Bool = false, _ predicate: @escaping @Sendable (Any) async throws -> T
  ) -> Promise {
    FilterSeries.run(inputs, on: context, concurrency, cancellingRest, Wrap.inTask(predicate))
  }

  /// The same with an asynchronous predicate and a typed value.
  @_disfavoredOverload
  @discardableResult
  public static func filter<V, T>(
    _ inputs: some Sequence, concurrency: Int = .max, on context: (any ExecutionContext)? = .inherited,
    cancellingRest: Bool = false, _ predicate: @escaping @Sendable (V) async throws -> T
  ) -> Promise {
    FilterSeries.run(inputs, on: context, concurrency, cancellingRest, Wrap.inTask(predicate))
  }

  /// The same for array literals of mixed types.
  @discardableResult
  public static func filter<T>(
    _ inputs: [Any?], concurrency: Int = .max, on context: (any ExecutionContext)? = .inherited,
    cancellingRest: Bool = false, _ predicate: @escaping @Sendable (Any) throws -> T
  ) -> Promise {
    FilterSeries.run(inputs, on: context, concurrency, cancellingRest) { .of(try predicate($0)) }
  }
}

/// Keeps the inputs themselves, and of those that do not pass a mark.
private final class FilterSeries: InputSeries, @unchecked Sendable {
  private struct LeftOut {}

  override func perform(_ input: Any, at index: Int) throws -> Resolution {
    keep(input, at: index)
    return try task(input)
  }

  override func record(_ value: Any, at index: Int) throws {
    let passes: Bool = try Wrap.cast(value)
    if !passes { keep(LeftOut(), at: index) }
  }

  override func conclude(_ values: [Any]) -> Any { values.filter { type(of: $0) != LeftOut.self } }
}
