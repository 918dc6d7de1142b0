// From an outcome to the argument of a user's closure.

extension Outcome {
  /// The argument of a handler for the value.
  @inlinable @inline(__always)
  var value: Any {
    if case .fulfilled(let value) = self { value.any } else { () }
  }

  /// The argument of a handler for the reason.
  @inlinable @inline(__always)
  var error: any Error {
    if case .rejected(let reason) = self { reason } else { PromiseError.broken }
  }
}

@usableFromInline
enum Wrap: Sendable {
  /// The value as the type of a handler's input. If that is `Void`, the value is ignored: a closure without
  /// parameters is a handler of `Void` where its overload has a parameter.
  @inlinable
  static func argument<V>(_ value: Any) throws -> V {
    if V.self == Void.self { return () as! V }
    return try cast(value)
  }

  @inlinable
  static func argument<V>(_ outcome: Outcome) throws -> V { try argument(outcome.value) }

  @inlinable
  static func cast<V>(_ value: Any) throws -> V {
    // A cast would wrap an optional in the `Any?`, which would never be `nil`.
    if V.self == Any?.self { return withoutOptionals(value) as! V }
    guard let wanted = value as? V else { throw mismatch(value, V.self) }
    return wanted
  }

  @usableFromInline
  static func mismatch(_ value: Any, _ expected: Any.Type) -> PromiseError {
    .mismatch(value, expected: expected)
  }

  @usableFromInline
  static func withoutOptionals(_ value: Any) -> Any? { Resolution.unwrapped(value) }

  /// The reason as the type of a handler's input: an error of that type, or the argument of `reject` that was
  /// wrapped. Any other reason is thrown, and so passed on. `Void` as above.
  @inlinable
  static func expected<E>(_ outcome: Outcome) throws -> E {
    let reason = outcome.error
    if E.self == Void.self { return () as! E }
    if let expected = reason as? E { return expected }
    guard case .rejected(let wrapped)? = reason as? PromiseError, let expected = wrapped as? E else {
      throw reason
    }
    return expected
  }

  /// Runs a handler of the main actor, on the main queue, which is its executor.
  @inlinable
  static func onMain<T>(_ body: @MainActor () throws -> T) throws -> Resolution {
    try MainActor.assumeIsolated { UncheckedBox(Resolution.of(try body())) }.value
  }

  /// A task for a handler. It is a promise that the child adopts, so that cancelling the child cancels the
  /// task.
  static func task<T>(_ body: @escaping @Sendable () async throws -> T) -> Resolution {
    .task(Promise(body))
  }

  /// An asynchronous handler as one that starts a task.
  static func inTask<V, T>(_ handler: @escaping @Sendable (V) async throws -> T) -> (
    @Sendable (Any) throws -> Resolution
  ) {
    { value in
      let input = UncheckedBox<V>(try argument(value))
      return task { try await handler(input.value) }
    }
  }

  /// Calls a handler of the main actor. A box carries the result out, which need not be Sendable.
  @MainActor
  static func call<Input, T>(
    _ input: UncheckedBox<Input>, _ handler: @MainActor (Input) async throws -> T
  ) async throws -> UncheckedBox<T> {
    UncheckedBox(try await handler(input.value))
  }

  /// The same for a handler of an actor.
  static func call<A: Actor, Input, T>(
    _ actor: isolated A, _ input: UncheckedBox<Input>,
    _ handler: @Sendable (isolated A, Input) async throws -> T
  ) async throws -> UncheckedBox<T> {
    UncheckedBox(try await handler(actor, input.value))
  }
}
