// `reduce`: one value of many, one input after the other.

extension Promise {
  /// Calls `combine` with the result so far and the value of an input, for each input in turn; the next call
  /// begins when what the one before has returned is fulfilled, and that is the result so far. Fulfilled with
  /// the last result; rejected with the first reason, and then there is no further call.
  ///
  /// `initial` is the first result so far: a plain value, or, as among the inputs, a promise or thenable,
  /// which is waited for before anything begins; an `Error` rejects. Without inputs it is fulfilled with
  /// `initial`'s value, at once if that is a plain one. Everything else as for `sequence`.
  @discardableResult
  public static func reduce<T>(
    _ inputs: some Sequence, _ initial: Any?, on context: (any ExecutionContext)? = .inherited,
    _ combine: @escaping @Sendable (Any, Any) throws -> T
  ) -> Promise {
    ReduceSeries.run(inputs, from: initial, on: context) { .of(try combine($0, $1)) }
  }

  /// The same with typed values; one of another type rejects with
  /// ``PromiseError/typeMismatch(expected:found:index:at:)``.
  @_disfavoredOverload
  @discardableResult
  public static func reduce<A, V, T>(
    _ inputs: some Sequence, _ initial: Any?, on context: (any ExecutionContext)? = .inherited,
    _ combine: @escaping @Sendable (A, V) throws -> T
  ) -> Promise {
    ReduceSeries.run(inputs, from: initial, on: context) {
      .of(try combine(try Wrap.cast($0), try Wrap.cast($1)))
    }
  }

  /// For closures whose `return` statements have different types, or return a bare `nil`.
  @_disfavoredOverload
  @discardableResult
  public static func reduce(
    _ inputs: some Sequence, _ initial: Any?, on context: (any ExecutionContext)? = .inherited,
    _ combine: @escaping @Sendable (Any, Any) throws -> Any?
  ) -> Promise {
    ReduceSeries.run(inputs, from: initial, on: context) { .of(try combine($0, $1)) }
  }

  /// The same with an asynchronous function. Cancelling the result cancels the Swift task that runs.
  @discardableResult
  public static func reduce<T>(
    _ inputs: some Sequence, _ initial: Any?, on context: (any ExecutionContext)? = .inherited,
    _ combine: @escaping @Sendable (Any, Any) async throws -> T
  ) -> Promise {
    ReduceSeries.run(inputs, from: initial, on: context) {
      let (partial, value) = (UncheckedBox($0), UncheckedBox($1))
      return Wrap.task { try await combine(partial.value, value.value) }
    }
  }

  /// The same with an asynchronous function and typed values.
  @_disfavoredOverload
  @discardableResult
  public static func reduce<A, V, T>(
    _ inputs: some Sequence, _ initial: Any?, on context: (any ExecutionContext)? = .inherited,
    _ combine: @escaping @Sendable (A, V) async throws -> T
  ) -> Promise {
    ReduceSeries.run(inputs, from: initial, on: context) {
      let (partial, value) = (UncheckedBox<A>(try Wrap.cast($0)), UncheckedBox<V>(try Wrap.cast($1)))
      return Wrap.task { try await combine(partial.value, value.value) }
    }
  }

  /// The same for array literals of mixed types.
  @discardableResult
  public static func reduce<T>(
    _ inputs: [Any?], _ initial: Any?, on context: (any ExecutionContext)? = .inherited,
    _ combine: @escaping @Sendable (Any, Any) throws -> T
  ) -> Promise {
    ReduceSeries.run(inputs, from: initial, on: context) { .of(try combine($0, $1)) }
  }
}

/// One step after the other, and only the last one's value is kept. Unless `initial` is a plain value, it is
/// waited for as if it were the first input.
private final class ReduceSeries: InputSeries, @unchecked Sendable {
  private struct Pair {
    let partial: Any
    let input: Any
  }

  /// `nil` until there is one.
  private var partial: Any?

  static func run(
    _ inputs: some Sequence, from initial: Any?, on context: (any ExecutionContext)?,
    _ combine: @escaping @Sendable (Any, Any) throws -> Resolution
  ) -> Promise {
    let initial = initial ?? Promise.missing
    let known: Any? = if case .outcome(.fulfilled(let value)) = Fact(initial) { value.any } else { nil }
    let all = (known == nil ? [initial] : []) + inputs.map { erased($0) }
    let series = make(all, on: context, 1, false) {
      let pair = $0 as! Pair
      return try combine(pair.partial, pair.input)
    }
    series.partial = known
    return series.run()
  }

  override func perform(_ input: Any, at index: Int) throws -> Resolution {
    guard let partial else { return .outcome(.fulfilled(Value(input))) }
    return try task(Pair(partial: partial, input: input))
  }

  override func record(_ value: Any, at index: Int) { partial = .some(value) }

  override func conclude(_ values: [Any]) -> Any { partial ?? () }
}
