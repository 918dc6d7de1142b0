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
  /// The number of programs.
  public var count: Int
  /// The seed of the first program. Each further program has the next seed; 0 follows the highest seed.
  public var seed: UInt64
  /// The number of threads that share the operations of one program.
  ///
  /// With one thread, the default, a seed determines everything. With more threads, each context also has its
  /// own thread, and the system determines the order. Then only rules that hold in any order are checked, and
  /// a failure is not shrunk.
  public var threads: Int
  /// The number of programs that run at the same time, each on its own thread. The result does not depend on
  /// this number.
  public var workers: Int
  /// The time in seconds after which a program counts as hanging.
  public var deadline: TimeInterval

  /// Creates a run. It runs as many programs at a time as there are active processors, or one at a time if
  /// several threads share each program.
  public init(count: Int = 20_000, seed: UInt64 = 0, threads: Int = 1, deadline: TimeInterval = 20) {
    (self.count, self.seed, self.threads, self.deadline) = (count, seed, threads, deadline)
    workers = ProcessInfo.processInfo.activeProcessorCount
  }

  /// Runs the programs until one fails, and shrinks the failing program. The calling thread waits.
  ///
  /// The reported program is the first one that fails. If the process crashes in a program, its seed is
  /// written to standard error.
  public func run<A: PromiseAdapter>(_ adapter: A) -> ProgramReport { run(adapter, ProgramRecorder()) }

  /// Runs the programs. Meanwhile, `recorder` can make a report.
  package func run<A: PromiseAdapter>(_ adapter: A, _ recorder: ProgramRecorder) -> ProgramReport {
    let start = ContinuousClock.now
    guard Stage(adapter) != nil else {
      return ProgramReport(
        programs: 0, seed: seed, threads: threads, duration: 0, failure: nil,
        notExpressible: "needs an adapter that runs handlers on a context of the suite, see on(_:)")
    }
    CrashNote.install
    let workers = threads > 1 ? 1 : max(1, workers)
    let board = ProgramBoard(self, workers: workers)
    let report = { @Sendable (failure: ProgramFailure?) in
      ProgramReport(
        programs: board.finished, seed: seed, threads: threads,
        duration: (ContinuousClock.now - start) / .seconds(1), failure: failure, notExpressible: nil)
    }
    recorder.report.withLock { current in
      current = { report(board.failure.map { ProgramFailure.whole($0, $1, adapter, threads: threads) }) }
    }
    for worker in 0..<workers {
      Thread.start("promises-aplus-suite.programs") {
        CrashNote.withSignalStack { work(worker, board, adapter) }
      }
    }
    let failed = board.wait(deadline)
    let failure = failed.map { seed, violation in
      threads > 1
        ? ProgramFailure.whole(seed, violation, adapter, threads: threads)
        : ProgramFailure.shrunk(seed, violation, adapter, deadline)
    }
    return report(failure)
  }

  private func work(_ worker: Int, _ board: ProgramBoard, _ adapter: some PromiseAdapter) {
    defer { board.leave(worker) }
    guard let stage = Stage(adapter, threads: threads) else { return }
    defer { stage.crew.dismiss() }
    while let seed = board.next(worker) {
      let program = ProgramGenerator.program(seed: seed, for: adapter)
      let violation = CrashNote.whileRunning(seed) {
        threads > 1
          ? ThreadedExecution(program, stage).run(
            threads: threads, until: Date(timeIntervalSinceNow: deadline < 3600 ? deadline : 3600))
          : Execution(program, stage).run()
      }
      guard let violation else { continue }
      board.fail(worker, violation)
      return
    }
  }
}

/// Makes a report while programs run. Call ``snapshot()`` from any thread.
package final class ProgramRecorder: Sendable {
  fileprivate let report = Locked<(@Sendable () -> ProgramReport)?>(nil)

  package init() {}

  /// The current report, with a failing program that is not shrunk; `nil` if no program has run.
  package func snapshot() -> ProgramReport? {
    let known = report.value?()
    return known?.programs == 0 && known?.failure == nil ? nil : known
  }
}

/// The results of a run of programs.
public struct ProgramReport: Sendable, CustomStringConvertible {
  /// The number of programs that have run.
  public let programs: Int
  /// The seed of the first program.
  public let seed: UInt64
  /// The number of threads that share the operations of one program; see ``ProgramRun/threads``.
  public let threads: Int
  /// The run's duration, in seconds.
  public let duration: TimeInterval
  /// The first failing program.
  public let failure: ProgramFailure?
  /// The reason why no program can run; `nil` if programs can run.
  public let notExpressible: String?

  /// Whether programs have run and none has failed.
  public var isSuccess: Bool { failure == nil && programs > 0 }

  /// A summary line, and the failing program.
  public var description: String {
    if let notExpressible { return "random programs: not expressible: \(notExpressible)" }
    if let failure { return "random programs: \(failure)" }
    if programs == 0 { return "no random program ran" }
    let rate = Int((Double(programs) / max(duration, 1e-6)).rounded())
    let hold = programs == 1 ? "1 random program holds" : "\(programs) random programs hold"
    let place = threads > 1 ? " on \(threads) threads" : ""
    return "\(hold)\(place) (\(rate) a second), \(seeds)"
  }

  /// The failure in words, which may be that no program has run. It is `nil` if there is no failure.
  var problem: String? { isSuccess || notExpressible != nil ? nil : description }

  private var seeds: String {
    programs == 1 ? "seed \(seed)" : "seeds \(seed) to \(seed &+ UInt64(programs - 1))"
  }
}

/// The remaining programs and the failures, by number. All threads of a run share one board.
private final class ProgramBoard: Sendable {
  private let run: ProgramRun
  private let end: Int
  private let condition = NSCondition()
  nonisolated(unsafe) private var upcoming = 0
  nonisolated(unsafe) private var failures: [(number: Int, violation: Violation?)] = []
  nonisolated(unsafe) private var running: [(number: Int, since: Date)?]
  nonisolated(unsafe) private var working: Int

  init(_ run: ProgramRun, workers: Int) {
    self.run = run
    end = max(0, run.count)
    running = Array(repeating: nil, count: workers)
    working = workers
  }

  /// The number of programs before the first one that is still running. All of them have run.
  var finished: Int { condition.withLock { running.compactMap { $0?.number }.min() ?? upcoming } }

  /// The first failure so far. A hang has no violation.
  var failure: (seed: UInt64, violation: Violation?)? {
    condition.withLock { failures.min { $0.number < $1.number }.map { (seed($0.number), $0.violation) } }
  }

  /// Returns the next seed for a worker. Every program before a failing one also runs, because workers
  /// receive the seeds in order.
  func next(_ worker: Int) -> UInt64? {
    condition.withLock {
      running[worker] = nil
      guard failures.isEmpty, upcoming < end else { return nil }
      defer { upcoming += 1 }
      running[worker] = (upcoming, Date())
      return seed(upcoming)
    }
  }

  func fail(_ worker: Int, _ violation: Violation) {
    condition.withLock { failures += running[worker].map { [($0.number, violation)] } ?? [] }
  }

  func leave(_ worker: Int) {
    condition.withLock {
      running[worker] = nil
      working -= 1
      condition.broadcast()
    }
  }

  /// Waits until all threads have finished or a program hangs. Returns the first failure, or the hang.
  func wait(_ deadline: TimeInterval) -> (seed: UInt64, violation: Violation?)? {
    condition.withLock {
      while working > 0 {
        _ = condition.wait(until: Date(timeIntervalSinceNow: 0.25))
        let overdue = running.compactMap { $0 }.filter { -$0.since.timeIntervalSinceNow > deadline }
        failures += overdue.map { ($0.number, nil) }
        if !overdue.isEmpty { return }
      }
    }
    return failure
  }

  private func seed(_ number: Int) -> UInt64 { run.seed &+ UInt64(number) }
}
