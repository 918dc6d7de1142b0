// Handlers whose closures are asynchronous or isolated to an actor.

extension Handler {
  /// A handler for the value. A value of another type rejects the child.
  init<C: Invocable>(value: C?) {
    self =
      value.map { value in
        Handler(.value) { input, _ in try value.invoke(UncheckedBox(try Wrap.argument(input))) }
      } ?? .none
  }

  /// A handler for reasons of the closure's input type. Other reasons are passed on.
  init<C: Invocable>(reason: C?) {
    self =
      reason.map { reason in
        Handler(.reason) { _, error in try reason.invoke(UncheckedBox(try Wrap.expected(error))) }
      } ?? .none
  }

  /// A handler for either outcome.
  init<C: Invocable, R: Invocable>(value: C?, reason: R?) where R.Input == any Error {
    guard let value, let reason else {
      self = value.map { Handler(value: $0) } ?? Handler(reason: reason)
      return
    }
    self.init(.both) { input, error in
      if let error { return try reason.invoke(UncheckedBox(error)) }
      return try value.invoke(UncheckedBox(try Wrap.argument(input)))
    }
  }

  /// A `finally` handler, which runs for any outcome and passes the outcome on.
  init<C: Invocable>(finally body: C?) where C.Input == Void {
    self = body.map { body in Handler(.afterwards) { _, _ in try body.invoke(UncheckedBox(())) } } ?? .none
  }
}

/// A closure with one input, and the code that calls it in its isolation.
protocol Invocable: Sendable {
  associatedtype Input
  func invoke(_ input: UncheckedBox<Input>) throws -> Resolution
}

/// A synchronous closure that is isolated to an actor. `assumeIsolated` checks that the closure is called in
/// a job on the actor.
struct OnActor<A: Actor, Input, T>: Invocable {
  let actor: A
  let closure: @Sendable (isolated A, Input) throws -> T

  init?(_ actor: A, _ closure: (@Sendable (isolated A, Input) throws -> T)?) {
    guard let closure else { return nil }
    (self.actor, self.closure) = (actor, closure)
  }

  func invoke(_ input: UncheckedBox<Input>) throws -> Resolution {
    try actor.assumeIsolated { UncheckedBox(Resolution.of(try closure($0, input.value))) }.value
  }
}

// Asynchronous closures. Each runs in a Swift task. Cancelling the child cancels the task, because the child
// follows the task's promise.

struct InTask<Input, T>: Invocable {
  let closure: @Sendable (Input) async throws -> T

  init?(_ closure: (@Sendable (Input) async throws -> T)?) {
    guard let closure else { return nil }
    self.closure = closure
  }

  func invoke(_ input: UncheckedBox<Input>) -> Resolution {
    .task(Promise { [closure] in try await closure(input.value) })
  }
}

struct InMainTask<Input, T>: Invocable {
  let closure: @MainActor (Input) async throws -> T

  init?(_ closure: (@MainActor (Input) async throws -> T)?) {
    guard let closure else { return nil }
    self.closure = closure
  }

  func invoke(_ input: UncheckedBox<Input>) -> Resolution {
    .task(Promise { try await call(input).value })
  }

  /// Calls the closure. The result is returned in a box, because the result need not be Sendable.
  @MainActor
  private func call(_ input: UncheckedBox<Input>) async throws -> UncheckedBox<T> {
    UncheckedBox(try await closure(input.value))
  }
}

struct InActorTask<A: Actor, Input, T>: Invocable {
  let actor: A
  let closure: @Sendable (isolated A, Input) async throws -> T

  init?(_ actor: A, _ closure: (@Sendable (isolated A, Input) async throws -> T)?) {
    guard let closure else { return nil }
    (self.actor, self.closure) = (actor, closure)
  }

  func invoke(_ input: UncheckedBox<Input>) -> Resolution {
    .task(Promise { try await call(actor, input).value })
  }

  private func call(_ actor: isolated A, _ input: UncheckedBox<Input>) async throws -> UncheckedBox<T> {
    UncheckedBox(try await closure(actor, input.value))
  }
}
