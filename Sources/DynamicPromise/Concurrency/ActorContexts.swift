// Actors and custom executors as execution contexts.

/// Runs handlers on an actor, one at a time, in the order in which they were scheduled. Other calls of the
/// actor may run between two handlers. Handlers that use the actor's state take the actor as their first
/// argument: `thenOn(actor) { actor, value in ... }`. As a default context it retains the actor.
public struct ActorContext: WaitAwareContext {
  fileprivate let actor: any Actor

  /// Enqueues `job` after the jobs that the library has enqueued on the actor.
  public func execute(_ job: @escaping @Sendable () -> Void) { Mailbox.enqueue(job, on: .actor(actor)) }

  /// Whether the caller is a handler on the actor. Other calls of the actor are not detected.
  public var isBlockedByCaller: Bool { Mailbox.isRunByCaller(.actor(actor)) }
}

/// Runs handlers on a custom executor, one at a time, in the order in which they were scheduled, even on a
/// `TaskExecutor` with several threads. They never run on the stack of the call that schedules them. An
/// executor must run every job: the library cannot detect a lost one.
public struct ExecutorContext: WaitAwareContext {
  fileprivate let place: Mailbox.Place

  /// Enqueues `job` after the jobs that the library has enqueued on the executor.
  public func execute(_ job: @escaping @Sendable () -> Void) { Mailbox.enqueue(job, on: place) }

  /// Whether the caller is a handler on the executor. Other jobs of the executor are not detected.
  public var isBlockedByCaller: Bool { Mailbox.isRunByCaller(place) }
}

extension ExecutionContext where Self == ActorContext {
  /// An actor as a context, for handlers that do not use its state, or as a default context.
  public static func actor(_ actor: any Actor) -> ActorContext { ActorContext(actor: actor) }
}

extension ExecutionContext where Self == ExecutorContext {
  /// A serial executor as a context.
  public static func executor(_ executor: some SerialExecutor) -> ExecutorContext {
    ExecutorContext(place: .serial(executor))
  }

  /// A task executor as a context. Handlers run on it in order, even if it has several threads.
  @available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
  @_disfavoredOverload
  public static func executor(_ executor: some TaskExecutor) -> ExecutorContext {
    ExecutorContext(
      place: .task(executor) { run in await withTaskExecutorPreference(executor) { await run() } })
  }
}

/// The context of one `thenOn(actor)`. The handler retains the actor until the handler has run or can no
/// longer run. The context refers to the actor weakly, so that nothing retains the actor after that.
private struct WeakActorContext: WaitAwareContext {
  fileprivate let reference: Reference

  init(_ actor: any Actor) { reference = Reference(actor) }

  func execute(_ job: @escaping @Sendable () -> Void) {
    // No job is needed if the actor was freed, because the handler was then discarded.
    guard let actor = reference.actor else { return }
    Mailbox.enqueue(job, on: .actor(actor))
  }

  var isBlockedByCaller: Bool { reference.actor.map { Mailbox.isRunByCaller(.actor($0)) } ?? false }

  fileprivate final class Reference: @unchecked Sendable {
    private(set) weak var actor: (any Actor)?
    init(_ actor: any Actor) { self.actor = actor }
  }
}

extension ContextRef {
  /// A context for a handler that retains the actor itself.
  static func actor(_ actor: some Actor) -> ContextRef? { ContextRef(WeakActorContext(actor)) }

  /// This context, or one that retains the actor, for `.current`.
  var retained: ContextRef {
    guard case .other(let box) = self, let actor = (box.context as? WeakActorContext)?.reference.actor
    else { return self }
    return ContextRef(ActorContext(actor: actor)) ?? self
  }
}
