// Closures that are isolated to an actor or asynchronous, as ordinary closures. An asynchronous closure runs
// in a Swift task. Cancelling the child cancels the task, because the child follows the task's promise.

extension Wrap {
  @usableFromInline
  typealias Ordinary<Input> = @Sendable (Input) throws -> Resolution

  /// A closure for the main actor. The caller is a block of the main queue, which is the actor's executor.
  @inlinable
  static func onMain<Input, T>(_ closure: (@MainActor (Input) throws -> T)?) -> Ordinary<Input>? {
    guard let closure else { return nil }
    return { input in
      let input = UncheckedBox(input)
      return try MainActor.assumeIsolated { UncheckedBox(Resolution.of(try closure(input.value))) }.value
    }
  }

  @inlinable
  static func onMain<T>(_ closure: (@MainActor () throws -> T)?) -> (@Sendable () throws -> Resolution)? {
    guard let closure else { return nil }
    return { try MainActor.assumeIsolated { UncheckedBox(Resolution.of(try closure())) }.value }
  }

  /// A closure for an actor. `assumeIsolated` checks that the caller is a job on the actor.
  static func on<A: Actor, Input, T>(
    _ actor: A, _ closure: (@Sendable (isolated A, Input) throws -> T)?
  ) -> Ordinary<Input>? {
    guard let closure else { return nil }
    return { input in
      let input = UncheckedBox(input)
      return try actor.assumeIsolated { UncheckedBox(Resolution.of(try closure($0, input.value))) }.value
    }
  }

  static func inTask<Input, T>(_ closure: (@Sendable (Input) async throws -> T)?) -> Ordinary<Input>? {
    guard let closure else { return nil }
    return { input in
      let input = UncheckedBox(input)
      return .task(Promise(task: { try await closure(input.value) }))
    }
  }

  static func inMainTask<Input, T>(_ closure: (@MainActor (Input) async throws -> T)?) -> Ordinary<Input>? {
    guard let closure else { return nil }
    // The result is returned in a box, because it need not be Sendable.
    @MainActor @Sendable func call(_ input: UncheckedBox<Input>) async throws -> UncheckedBox<T> {
      UncheckedBox(try await closure(input.value))
    }
    return { input in
      let input = UncheckedBox(input)
      return .task(Promise(task: { try await call(input).value }))
    }
  }

  static func inTask<A: Actor, Input, T>(
    on actor: A, _ closure: (@Sendable (isolated A, Input) async throws -> T)?
  ) -> Ordinary<Input>? {
    guard let closure else { return nil }
    @Sendable func call(_ actor: isolated A, _ input: UncheckedBox<Input>) async throws -> UncheckedBox<T> {
      UncheckedBox(try await closure(actor, input.value))
    }
    return { input in
      let input = UncheckedBox(input)
      return .task(Promise(task: { try await call(actor, input).value }))
    }
  }
}
