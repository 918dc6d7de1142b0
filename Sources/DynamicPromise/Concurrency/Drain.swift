// Order for contexts that have none of their own: actors and executors promise nothing about the order in which tasks that were
// started one after another get to run. So there is one task per actor or executor at a time, which takes the jobs
// from a list.

/// The jobs that wait for one actor or executor, and the one task that runs them there, first in, first out.
///
/// A drain exists while there are jobs. It holds its actor or executor; nothing else here does for longer.
final class Drain: @unchecked Sendable {
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

  /// One object may be several of the three.
  fileprivate struct Key: Hashable {
    let kind: UInt8
    let object: ObjectIdentifier
  }

  /// How many jobs run before others may have the actor for a turn.
  private static let turn = 64

  private let place: Place
  private let key: Key
  /// Guarded by the registry's shard.
  private var jobs = FIFO<Job>()
  /// The thread that runs a job, while one does; guarded likewise.
  private var runner: UInt?

  private init(_ place: Place, _ key: Key) {
    self.place = place
    self.key = key
  }

  /// Hands `job` to `place`, after all jobs that were handed to it before. Never runs it on this stack.
  static func submit(_ job: @escaping Job, to place: Place) {
    let key = place.key
    let new = Shard.of(key).with { drains -> Drain? in
      if let drain = drains[key] {
        drain.jobs.append(job)
        return nil
      }
      let drain = Drain(place, key)
      drain.jobs.append(job)
      drains[key] = drain
      return drain
    }
    new?.start()
  }

  /// Detached, because the task serves whoever comes: task-locals of the first one are none of the others' business.
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
      if count % Drain.turn == 0 {
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

  /// Between two jobs the task may change to another thread.
  private func pause() { Shard.of(key).with { _ in runner = nil } }

  /// The oldest job; `nil` ends the drain.
  private func next() -> Job? {
    let (job, ended) = Shard.of(key).with { drains -> (Job?, Drain?) in
      guard let job = jobs.popFirst() else { return (nil, drains.removeValue(forKey: key)) }
      runner = CurrentThread.id
      return (job, nil)
    }
    withExtendedLifetime(ended) {}
    return job
  }

  /// The drains that exist. Several shards, so that unrelated actors seldom meet at one lock.
  private enum Shard {
    private static let all = (0..<16).map { _ in Guarded<[Key: Drain]>([:]) }

    static func of(_ key: Key) -> Guarded<[Key: Drain]> { all[(key.object.hashValue & .max) % all.count] }
  }
}

/// An actor without state whose executor is a given one.
private actor ExecutorHost {
  private nonisolated let executor: any SerialExecutor

  init(_ executor: any SerialExecutor) { self.executor = executor }

  nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }
}
