import Foundation
import PromisesAPlusSuite

/// Runs a plan and writes its report once, at the end or at an interrupt.
public final class Driver: Sendable {
  private let plan: Plan
  private let arguments: Arguments
  private let terminal: Terminal
  private let recorders: [RunRecorder]
  private let progress: ProgressLine
  private let programs: (@Sendable (ProgramRecorder) -> ProgramReport)?
  private let programRecorder = ProgramRecorder()
  private let write: @Sendable (String) -> Void
  private let start = ContinuousClock.now
  private let lock = NSLock()
  nonisolated(unsafe) private var hasReported = false

  /// - Parameters:
  ///   - plan: The plan.
  ///   - arguments: The format and the deadline.
  ///   - programs: Runs the random programs, after the cases. The recorder reports on an interrupted run.
  ///   - terminal: Decides on colors and on the display of progress.
  ///   - write: Writes the report.
  ///   - writeProgress: Writes progress without a buffer, because the progress names the case after a crash.
  package init(
    _ plan: Plan, _ arguments: Arguments, programs: (@Sendable (ProgramRecorder) -> ProgramReport)? = nil,
    terminal: Terminal,
    write: @escaping @Sendable (String) -> Void,
    writeProgress: @escaping @Sendable (String) -> Void
  ) {
    (self.plan, self.arguments, self.terminal) = (plan, arguments, terminal)
    (self.programs, self.write) = (programs, write)
    recorders = plan.subjects.map {
      RunRecorder(
        name: $0.name, summary: $0.summary, cases: plan.cases.count, rounds: plan.rounds,
        deviations: $0.deviations)
    }
    let total = saturatingProduct(plan.subjects.count, plan.cases.count, plan.rounds)
    progress = ProgressLine(
      total: total, style: terminal.rewritesProgress ? .rewriting : .ids, write: writeProgress)
  }

  /// Runs everything on the calling thread, which blocks. Then writes the report and returns the exit status.
  ///
  /// The rounds are the outer loop, so that an interrupted `--repeat` has results for every context.
  public func run() -> Int32 {
    for _ in 0..<plan.rounds {
      for (subject, recorder) in zip(plan.subjects, recorders) {
        subject.run(plan.cases, deadline: arguments.deadline) { event in
          recorder.record(event)
          self.progress.show(event, of: subject.name)
        }
      }
    }
    if programs != nil { progress.show("random programs") }
    return report(programs?(programRecorder)) ?? ExitStatus.interrupted
  }

  /// Writes the current report, from any thread. Returns the exit status, or `nil` if another call has
  /// written a report.
  public func interrupt() -> Int32? { report(programRecorder.snapshot(), interrupted: true) }

  /// A second call waits until the first call has written everything, because the process ends afterwards.
  private func report(_ programs: ProgramReport?, interrupted: Bool = false) -> Int32? {
    lock.withLock {
      if hasReported { return nil }
      hasReported = true
      progress.close()
      let elapsed = (ContinuousClock.now - start) / .seconds(1)
      let report = MatrixReport(
        recorders.map { $0.snapshot() }, duration: elapsed, interrupted: interrupted, programs: programs)
      write(text(of: report))
      if interrupted { return ExitStatus.interrupted }
      return report.isAsDeclared ? ExitStatus.asDeclared : ExitStatus.notAsDeclared
    }
  }

  private func text(of report: MatrixReport) -> String {
    switch arguments.format {
    case .text:
      TextReport(
        color: terminal.usesColor(arguments.color), verbose: arguments.verbose || !arguments.cases.isEmpty
      ).render(report)
    case .tap: TAPReport().render(report)
    case .json: JSONReport().render(report)
    case .junit: JUnitReport().render(report)
    case .html: HTMLReport().render(report)
    case .badge: BadgeReport().render(report)
    }
  }
}

/// The exit statuses.
public enum ExitStatus {
  /// Everything ran and ended as declared.
  public static let asDeclared: Int32 = 0
  /// Something failed, a declared deviation did not occur, or nothing ran.
  public static let notAsDeclared: Int32 = 1
  /// The command line is invalid (`EX_USAGE`).
  public static let usage: Int32 = 64
  /// The report cannot be written (`EX_IOERR`).
  public static let unwritable: Int32 = 74
  /// The run was interrupted. The status is 128 plus the number of SIGINT.
  public static let interrupted: Int32 = 130
}
