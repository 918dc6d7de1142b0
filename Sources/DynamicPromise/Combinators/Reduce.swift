// `reduce`: combines the inputs into one value, in sequence.

extension Promise {
  /// Calls `combine` for each input in sequence, with the value of the previous call and the value of the
  /// input. The next call starts when the previous call's promise is fulfilled and finished. The result is
  /// fulfilled with the last call's value. The first rejection rejects the result, and there is no further
  /// call.
  ///
  /// The first call receives the value of `initial` in place of a previous value. If `initial` is a promise
  /// or thenable, it is awaited before the first call; an `Error` rejects the result. Without inputs, the
  /// result is fulfilled with the value of `initial`, at once if `initial` is a plain value. Otherwise like
  /// `sequence`.
  @discardableResult
  public static func reduce<T>(
    _ inputs: some Sequence, _ initial: Any?, on context: (any ExecutionContext)? = .inherited,
    _ combine: @escaping @Sendable (Any, Any) throws -> T
  ) -> Promise {
    ReduceSeries.run(inputs, from: initial, on: context) { .of(try combine($0.value, $1.value)) }
  }

  /// Calls `combine` for each input in sequence, with the value of the previous call as an `A`, and the value
  /// of the input as a `V`. A value of another type rejects the result with
  /// ``PromiseError/typeMismatch(expected:found:index:at:)``. Otherwise like `reduce` with untyped values.
  @_disfavoredOverload
  @discardableResult
  public static func reduce<A, V, T>(
    _ inputs: some Sequence, _ initial: Any?, on context: (any ExecutionContext)? = .inherited,
    _ combine: @escaping @Sendable (A, V) throws -> T
  ) -> Promise {
    ReduceSeries.run(inputs, from: initial, on: context) { .of(try combine($0.value, $1.value)) }
  }

  /// Like `reduce` with a synchronous function, but each call runs in a Swift task. Cancelling the result
  /// cancels the running Swift task.
  @discardableResult
  public static func reduce<T>(
    _ inputs: some Sequence, _ initial: Any?, on context: (any ExecutionContext)? = .inherited,
    _ combine: @escaping @Sendable (Any, Any) async throws -> T
  ) -> Promise {
    ReduceSeries.run(inputs, from: initial, on: context) { partial, value in
      .task(Promise { try await combine(partial.value, value.value) })
    }
  }

  /// Like `reduce` with a synchronous function of an `A` and a `V`, but each call runs in a Swift task.
  /// Cancelling the result cancels the running Swift task.
  @_disfavoredOverload
  @discardableResult
  public static func reduce<A, V, T>(
    _ inputs: some Sequence, _ initial: Any?, on context: (any ExecutionContext)? = .inherited,
    _ combine: @escaping @Sendable (A, V) async throws -> T
  ) -> Promise {
    ReduceSeries.run(inputs, from: initial, on: context) { partial, value in
      .task(Promise { try await combine(partial.value, value.value) })
    }
  }
}

/// Runs steps in sequence, and retains only the last value. If `initial` is not a plain value, it is awaited
/// like a first input.
private final class ReduceSeries: InputSeries, @unchecked Sendable {
  private struct Pair {
    let partial: Any
    let input: Any
  }

  /// `nil` until the initial value is known.
  private var partial: Any?

  static func run<A, V>(
    _ inputs: some Sequence, from initial: Any?, on context: (any ExecutionContext)?,
    _ combine: @escaping @Sendable (UncheckedBox<A>, UncheckedBox<V>) throws -> Resolution
  ) -> Promise {
    let initial = initial ?? Promise.missing
    let known: Any? = if case .fulfilled(let value) = Resolution(initial) { value } else { nil }
    let all = (known == nil ? [initial] : []) + inputs.map { erased($0) }
    let task = Handler(.value) { value, _ in
      let pair = value as! Pair
      return try combine(UncheckedBox(try Wrap.cast(pair.partial)), UncheckedBox(try Wrap.cast(pair.input)))
    }
    let series = make(all, on: context, task)
    series.partial = known
    return series.run()
  }

  override func perform(_ input: Any, at index: Int) throws -> Resolution {
    guard let partial else { return .fulfilled(input) }
    return try call(Pair(partial: partial, input: input))
  }

  override func record(_ value: Any, at index: Int) {
    // The release is deferred, because a `deinit` may use promises, and must not run inside a step.
    if let partial { Turn.current.release(partial) }
    partial = .some(value)
  }

  override func conclude(_ values: [Any]) -> Any { partial ?? () }
}
