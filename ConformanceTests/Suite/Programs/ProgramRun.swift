import Foundation

/// Runs random programs of promises against an implementation, and compares the results with a model of
/// Promises/A+ 1.1.
///
///     let report = ProgramRun(count: 10_000).run(MyAdapter())
///     print(report)
///
/// A seed determines a program and the order of its steps. The implementation must run its handlers on
/// contexts of the suite; see ``PromiseAdapter/on(_:)``.
public struct ProgramRun: Sendable {
  /// A part of the programs, so that several processes or machines can share them.
  public struct Shard: Sendable, Equatable {
    /// The number of this part, from 1 to ``count``.
    public let index: Int
    /// The number of parts.
    public let count: Int

    /// Creates a part. Returns `nil` if `index` is not in `1...count`.
    public init?(_ index: Int, of count: Int) {
      guard count >= 1, 1...count ~= index else { return nil }
      (self.index, self.count) = (index, count)
    }

    /// The part that contains all programs.
    public static let whole = Shard(1, of: 1)!
  }

  /// The number of programs in all shards together.
  public var count: Int
  /// The seed of the first program. Each further program has the next seed.
  public var seed: UInt64
  /// The part of the programs that runs.
  public var shard: Shard
  /// The number of threads that share the operations of one program.
  ///
  /// With one thread, the default, a seed determines everything. With more threads, each context also has its
  /// own thread, and the system determines the order. Then only rules that hold in any order are checked, and
  /// a failure is not shrunk.
  public var threads = 1
  /// The number of programs that run at the same time, each on its own thread. The result does not depend on
  /// this number.
  public var workers: Int
  /// The time in seconds after which a program counts as hanging.
  public var deadline: TimeInterval

  /// Creates a run. By default, it has 100,000 programs, and runs as many at a time as there are active
  /// processors.
  public init(count: Int = 100_000, seed: UInt64 = 0, shard: Shard = .whole, deadline: TimeInterval = 20) {
    (self.count, self.seed, self.shard, self.deadline) = (count, seed, shard, deadline)
    workers = ProcessInfo.processInfo.activeProcessorCount
  }

  /// Runs the programs until one fails, and shrinks the failing program. The calling thread waits.
  ///
  /// The reported program is the failing program with the lowest seed. If the process crashes in a program,
  /// its seed is written to standard error.
  public func run<A: PromiseAdapter>(_ adapter: A) -> ProgramReport {
    let start = ContinuousClock.now
    guard Stage(adapter) != nil else {
      return ProgramReport(
        programs: 0, seed: seed, duration: 0, failure: nil,
        notExpressible: "needs an adapter that runs handlers on a context of the suite, see on(_:)")
    }
    CrashNote.install
    let workers = threads > 1 ? 1 : max(1, workers)
    let (end, overflow) = seed.addingReportingOverflow(UInt64(max(0, count)))
    let board = ProgramBoard(seeds: seed..<(overflow ? .max : end), shard: shard, workers: workers)
    for worker in 0..<workers {
      let thread = Thread { CrashNote.withSignalStack { work(worker, board, adapter) } }
      thread.name = "promises-aplus-suite.programs"
      thread.start()
    }
    let failed = board.wait(deadline)
    let failure = failed.map { seed, violation in
      threads > 1
        ? ProgramFailure.whole(seed, violation, adapter, threads: threads)
        : ProgramFailure.shrunk(seed, violation, adapter, deadline)
    }
    let duration = (ContinuousClock.now - start) / .seconds(1)
    return ProgramReport(
      programs: board.finished, seed: seed, duration: duration, failure: failure, notExpressible: nil)
  }

  private func work(_ worker: Int, _ board: ProgramBoard, _ adapter: some PromiseAdapter) {
    defer { board.leave(worker) }
    guard let stage = Stage(adapter) else { return }
    defer { stage.crew.dismiss() }
    while let seed = board.next(worker) {
      CrashNote.set(seed)
      let program = ProgramGenerator.program(seed: seed, for: adapter)
      let violation =
        threads > 1
        ? ThreadedExecution(program, stage).run(
          threads: threads, until: Date(timeIntervalSinceNow: min(deadline, 3600)))
        : Execution(program, stage).run()
      guard let violation else { continue }
      board.fail(seed, violation)
      return
    }
  }
}

/// The results of a run of programs.
public struct ProgramReport: Sendable, CustomStringConvertible {
  /// The number of programs that have run.
  public let programs: Int
  /// The seed of the first program.
  public let seed: UInt64
  /// The run's duration, in seconds.
  public let duration: TimeInterval
  /// The failing program with the lowest seed.
  public let failure: ProgramFailure?
  /// The reason why no program can run; `nil` if programs can run.
  public let notExpressible: String?

  /// Whether no program has failed.
  public var isSuccess: Bool { failure == nil }

  /// A summary line, and the failing program.
  public var description: String {
    if let notExpressible { return "random programs: not expressible: \(notExpressible)" }
    guard let failure else {
      let rate = Int((Double(programs) / max(duration, 1e-6)).rounded())
      return "\(programs) random programs hold (\(rate) a second)"
    }
    return "random programs: \(failure)"
  }
}

/// The remaining seeds and the failures. All threads of a run share one board.
private final class ProgramBoard: Sendable {
  private let condition = NSCondition()
  private let end: UInt64
  private let stride: UInt64
  nonisolated(unsafe) private var upcoming: UInt64
  nonisolated(unsafe) private var isOver: Bool
  nonisolated(unsafe) private var failures: [(seed: UInt64, violation: Violation)] = []
  nonisolated(unsafe) private var running: [(seed: UInt64, since: Date)?]
  nonisolated(unsafe) private var working: Int
  nonisolated(unsafe) private var count = 0

  init(seeds: Range<UInt64>, shard: ProgramRun.Shard, workers: Int) {
    end = seeds.upperBound
    stride = UInt64(shard.count)
    let (first, overflow) = seeds.lowerBound.addingReportingOverflow(UInt64(shard.index - 1))
    upcoming = first
    isOver = overflow
    running = Array(repeating: nil, count: workers)
    working = workers
  }

  /// The number of programs that have run.
  var finished: Int { condition.withLock { count } }

  /// Returns the next seed for a worker. Workers receive the seeds in order, so every seed below a failing
  /// seed also runs.
  func next(_ worker: Int) -> UInt64? {
    condition.withLock {
      if running[worker] != nil { count += 1 }
      running[worker] = nil
      guard failures.isEmpty, !isOver, upcoming < end else { return nil }
      let seed = upcoming
      (upcoming, isOver) = upcoming.addingReportingOverflow(stride)
      running[worker] = (seed, Date())
      return seed
    }
  }

  func fail(_ seed: UInt64, _ violation: Violation) {
    condition.withLock { failures.append((seed, violation)) }
  }

  func leave(_ worker: Int) {
    condition.withLock {
      if running[worker] != nil { count += 1 }
      running[worker] = nil
      working -= 1
      condition.broadcast()
    }
  }

  /// Waits until all threads have finished or a program hangs. Returns the failure with the lowest seed. A
  /// hang has no violation.
  func wait(_ deadline: TimeInterval) -> (UInt64, Violation?)? {
    condition.withLock {
      while working > 0 {
        _ = condition.wait(until: Date(timeIntervalSinceNow: 0.25))
        for case let program? in running where -program.since.timeIntervalSinceNow > deadline {
          isOver = true
          return (program.seed, nil)
        }
      }
      return failures.min { $0.seed < $1.seed }.map { ($0.seed, $0.violation) }
    }
  }
}
