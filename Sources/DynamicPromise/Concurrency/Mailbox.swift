// Each actor or executor has one task at a time, which runs the jobs of a queue, first in, first out.
// Separate tasks would not keep the order of the jobs, because Swift does not define the order in which an
// actor runs tasks.

/// The waiting jobs of one actor or executor, and the task that runs these jobs in order.
///
/// A mailbox exists, and retains its actor or executor, only while it has jobs.
final class Mailbox: @unchecked Sendable {
  typealias Job = @Sendable () -> Void

  /// Where the jobs run.
  enum Place: Sendable {
    case actor(any Actor)
    case serial(any SerialExecutor)
    case task(any TaskExecutor)

    fileprivate var key: Key {
      switch self {
      case .actor(let actor): Key(kind: 0, object: ObjectIdentifier(actor))
      case .serial(let executor): Key(kind: 1, object: ObjectIdentifier(executor))
      case .task(let executor): Key(kind: 2, object: ObjectIdentifier(executor))
      }
    }
  }

  /// A place as a key. The key has a kind, because one object may be an actor and both kinds of executor.
  fileprivate struct Key: Hashable {
    let kind: UInt8
    let object: ObjectIdentifier
  }

  /// The number of jobs that run before the task yields to other calls of the actor.
  private static let quantum = 64

  private let place: Place
  private let key: Key
  /// Guarded by the lock of the registry's shard, like `runner`.
  private var jobs = FIFO<Job>()
  /// The thread that is running a job.
  private var runner: UInt?

  private init(_ place: Place, _ key: Key) {
    self.place = place
    self.key = key
  }

  /// Enqueues `job` after all jobs of `place`. Never runs it on this stack.
  static func enqueue(_ job: @escaping Job, on place: Place) {
    let key = place.key
    let new = Shard.of(key).with { mailboxes -> Mailbox? in
      if let mailbox = mailboxes[key] {
        mailbox.jobs.append(job)
        return nil
      }
      let mailbox = Mailbox(place, key)
      mailbox.jobs.append(job)
      mailboxes[key] = mailbox
      return mailbox
    }
    new?.start()
  }

  /// Starts the task. The task is detached, so that the jobs of other callers do not see the task-local
  /// values of the first caller.
  private func start() {
    switch place {
    case .actor(let actor):
      Task.detached { await self.run(on: actor) }
    case .serial(let executor):
      let host = ExecutorHost(executor)
      Task.detached { await self.run(on: host) }
    case .task(let executor):
      Task.detached(executorPreference: executor) { await self.run(on: nil) }
    }
  }

  private func run(on actor: isolated (any Actor)?) async {
    var count = 0
    while let job = next() {
      job()
      count += 1
      if count % Mailbox.quantum == 0 {
        pause()
        await Task.yield()
      }
    }
  }

  /// Whether the calling thread runs a job of `place`.
  static func isRunByCaller(_ place: Place) -> Bool {
    let key = place.key
    return Shard.of(key).with { $0[key]?.runner } == CurrentThread.id
  }

  /// Clears `runner` before the task yields, because the task may continue on another thread.
  private func pause() { Shard.of(key).with { _ in runner = nil } }

  /// The oldest job. If no job is left, the mailbox is removed, and the task ends.
  private func next() -> Job? {
    let (job, ended) = Shard.of(key).with { mailboxes -> (Job?, Mailbox?) in
      guard let job = jobs.popFirst() else { return (nil, mailboxes.removeValue(forKey: key)) }
      runner = CurrentThread.id
      return (job, nil)
    }
    withExtendedLifetime(ended) {}
    return job
  }

  /// The registry of mailboxes, in shards so that unrelated actors rarely wait for one lock.
  private enum Shard {
    private static let all = (0..<16).map { _ in Guarded<[Key: Mailbox]>([:]) }

    static func of(_ key: Key) -> Guarded<[Key: Mailbox]> { all[(key.object.hashValue & .max) % all.count] }
  }
}

/// An actor without state that runs on a given executor.
private actor ExecutorHost {
  private nonisolated let executor: any SerialExecutor

  init(_ executor: any SerialExecutor) { self.executor = executor }

  nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }
}
