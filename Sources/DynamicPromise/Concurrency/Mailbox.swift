// Each actor or executor has one task at a time that runs the jobs of a queue, first in, first out. Separate
// tasks would not keep the order of the jobs, because an actor may run tasks in another order.

/// The waiting jobs of one actor or executor, and the task that runs these jobs in order.
///
/// A mailbox exists, and retains its actor or executor, only while it has jobs.
final class Mailbox: @unchecked Sendable {
  typealias Job = @Sendable () -> Void

  /// Where the jobs run.
  enum Place: Sendable {
    case actor(any Actor)
    case serial(any SerialExecutor)
    /// A task executor, and a call of `withTaskExecutorPreference`, whose types macOS 14 does not have.
    case task(any AnyObject & Sendable, @Sendable (@escaping @Sendable () async -> Void) async -> Void)

    fileprivate var key: Key {
      switch self {
      case .actor(let actor): Key(kind: 0, object: ObjectIdentifier(actor))
      case .serial(let executor): Key(kind: 1, object: ObjectIdentifier(executor))
      case .task(let executor, _): Key(kind: 2, object: ObjectIdentifier(executor))
      }
    }
  }

  /// A place as a key. The key has a kind, because one object may be an actor and both kinds of executor.
  fileprivate struct Key: Hashable {
    let kind: UInt8
    let object: ObjectIdentifier
  }

  /// The number of jobs that one task runs, so that other calls of the actor get their turn.
  private static let quantum = 64

  private let place: Place
  private let key: Key
  // Guarded by the lock of the registry's shard.
  private var jobs = FIFO<Job>()
  /// Whether a task runs the jobs.
  private var isOpen = false
  /// The number of jobs that were added since a task was last seen.
  private var calls = 0
  /// The thread that is running a job.
  private var runner: UInt?

  private init(_ place: Place, _ key: Key) {
    self.place = place
    self.key = key
  }

  /// Enqueues `job` after all jobs of `place`. Never runs it on this stack.
  static func enqueue(_ job: @escaping Job, on place: Place) {
    let key = place.key
    let idle = Shard.of(key).with { mailboxes -> Mailbox? in
      let mailbox = mailboxes[key] ?? Mailbox(place, key)
      mailboxes[key] = mailbox
      mailbox.jobs.append(job)
      return mailbox.needsTask ? mailbox : nil
    }
    idle?.start()
  }

  /// Whether to start a task for a job that was added. On an executor, further tasks follow the first one,
  /// with growing distance, because the executor may have dropped it. A task that is not needed ends at once.
  private var needsTask: Bool {
    if isOpen { return false }
    calls += 1
    if case .actor = place { return calls == 1 }
    return calls & (calls - 1) == 0
  }

  /// Starts a task. It is detached, so that the jobs of other callers do not see the task-local values of the
  /// first caller. It begins on the global executor, because a custom executor may run it on this stack.
  private func start() {
    switch place {
    case .actor(let actor):
      Task.detached { await self.run(on: actor) }
    case .serial(let executor):
      let host = ExecutorHost(executor)
      Task.detached { await self.run(on: host) }
    case .task(_, let run):
      Task.detached { await run { await self.run(on: nil) } }
    }
  }

  private func run(on actor: isolated (any Actor)?) async {
    guard opens() else { return }
    for _ in 0..<Mailbox.quantum {
      guard let job = next() else { return }
      job()
    }
    pause()
    start()
  }

  /// Whether the calling thread runs a job of `place`.
  static func isRunByCaller(_ place: Place) -> Bool {
    let key = place.key
    return Shard.of(key).with { $0[key]?.runner } == CurrentThread.id
  }

  /// Whether the calling task may run the jobs, because no other task does.
  private func opens() -> Bool {
    Shard.of(key).with { _ in
      if isOpen { return false }
      isOpen = true
      calls = 0
      return true
    }
  }

  /// Leaves the remaining jobs to another task.
  private func pause() { Shard.of(key).with { _ in (isOpen, runner, calls) = (false, nil, 1) } }

  /// The oldest job. If no job is left, the mailbox is removed, and the task ends.
  private func next() -> Job? {
    let (job, ended) = Shard.of(key).with { mailboxes -> (Job?, Mailbox?) in
      if let job = jobs.popFirst() {
        runner = CurrentThread.id
        return (job, nil)
      }
      (isOpen, runner) = (false, nil)
      return (nil, mailboxes[key] === self ? mailboxes.removeValue(forKey: key) : nil)
    }
    withExtendedLifetime(ended) {}
    return job
  }

  /// Whether an actor has jobs. An executor may have lost its own.
  static var isAnActorBusy: Bool {
    Shard.all.contains { shard in shard.with { $0.keys.contains { $0.kind == 0 } } }
  }

  /// The registry of mailboxes, in shards so that unrelated actors rarely wait for one lock.
  private enum Shard {
    static let all = (0..<16).map { _ in Guarded<[Key: Mailbox]>([:]) }

    static func of(_ key: Key) -> Guarded<[Key: Mailbox]> { all[(key.object.hashValue & .max) % all.count] }
  }
}

extension Promise {
  /// Whether handlers wait for an actor, or run on one, anywhere in the process.
  package static var isAnActorBusy: Bool { Mailbox.isAnActorBusy }
}

/// An actor without state that runs on a given executor.
private actor ExecutorHost {
  private nonisolated let executor: any SerialExecutor

  init(_ executor: any SerialExecutor) { self.executor = executor }

  nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }
}
