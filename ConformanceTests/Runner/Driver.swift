import Foundation
import PromisesAPlusSuite

/// Runs a plan and writes its report once, at the end or at an interruption.
final class Driver: Sendable {
  /// Runs random programs. The recorder reports on them meanwhile.
  typealias Programs = @Sendable (ProgramRecorder) -> ProgramReport

  private let plan: Plan
  private let format: Arguments.Format
  private let deadline: Double
  private let listsEveryCase, isEngine: Bool
  private let terminal: Terminal
  private let recorders: [RunRecorder]
  private let progress: ProgressLine
  private let programs: [(run: Programs, recorder: ProgramRecorder)]
  private let write: @Sendable (String) -> Void
  private let start = ContinuousClock.now
  private let lock = NSLock()
  nonisolated(unsafe) private var hasReported = false

  /// `writeProgress` must not buffer, because the progress names the case after a crash.
  init(
    _ plan: Plan, _ arguments: Arguments, programs: [Programs] = [], terminal: Terminal,
    write: @escaping @Sendable (String) -> Void, writeProgress: @escaping @Sendable (String) -> Void
  ) {
    (self.plan, self.terminal, self.write) = (plan, terminal, write)
    (format, deadline, listsEveryCase) = (arguments.format, arguments.deadline, !arguments.cases.isEmpty)
    isEngine = arguments.reference != nil
    self.programs = programs.map { ($0, ProgramRecorder()) }
    recorders = plan.subjects.map {
      RunRecorder(
        name: $0.name, summary: $0.summary, cases: plan.cases.count, deviations: $0.deviations)
    }
    progress = ProgressLine(
      total: plan.subjects.count * plan.cases.count, style: terminal.rewritesProgress ? .rewriting : .ids,
      write: writeProgress)
  }

  /// Runs everything on the calling thread, which blocks. Then writes the report and returns the exit status.
  func run() -> Int32 {
    for (subject, recorder) in zip(plan.subjects, recorders) {
      // A race is about the promise, so one context runs all its rounds. An engine's calls take long.
      let effort = subject.name == plan.subjects[0].name && !isEngine ? 1 : 0.2
      subject.run(plan.cases, deadline: deadline, effort: effort) { event in
        recorder.record(event)
        self.progress.show(event, of: subject.name)
      }
    }
    if !programs.isEmpty { progress.show("random programs") }
    return report(programs.map { $0.run($0.recorder) }) ?? ExitStatus.interrupted
  }

  /// Writes the current report, from any thread. Returns the exit status, or `nil` if another call has
  /// written a report.
  func interrupt(_ reason: String = "interrupted", status: Int32 = ExitStatus.interrupted) -> Int32? {
    report(programs.compactMap { $0.recorder.snapshot() }, interruption: reason).map { _ in status }
  }

  /// A second call waits until the first call has written everything, because the process ends afterwards.
  private func report(_ programs: [ProgramReport], interruption: String? = nil) -> Int32? {
    lock.withLock {
      if hasReported { return nil }
      hasReported = true
      progress.close()
      let report = MatrixReport(
        recorders.map { $0.snapshot() }, duration: (ContinuousClock.now - start) / .seconds(1),
        interruption: interruption, programs: programs)
      let text =
        switch format {
        case .text: TextReport(color: terminal.usesColor, verbose: listsEveryCase).render(report)
        case .junit: JUnitReport().render(report)
        case .html: HTMLReport().render(report)
        }
      write(text)
      return report.isAsDeclared ? ExitStatus.asDeclared : ExitStatus.notAsDeclared
    }
  }
}

enum ExitStatus {
  static let asDeclared: Int32 = 0
  /// Something failed, a declared deviation did not occur, or nothing ran.
  static let notAsDeclared: Int32 = 1
  /// The command line is invalid (`EX_USAGE`).
  static let usage: Int32 = 64
  /// The report cannot be written (`EX_IOERR`).
  static let unwritable: Int32 = 74
  /// 128 plus the number of SIGINT.
  static let interrupted: Int32 = 130
}

/// The process's two output streams.
struct Terminal {
  var outputIsTerminal = isatty(STDOUT_FILENO) == 1
  var errorIsTerminal = isatty(STDERR_FILENO) == 1
  /// Whether `NO_COLOR` is set and not empty (no-color.org).
  var noColor = ProcessInfo.processInfo.environment["NO_COLOR", default: ""] != ""
  /// Whether `TERM` is `dumb`: the terminal would show escape sequences as text.
  var isDumb = ProcessInfo.processInfo.environment["TERM"] == "dumb"

  var usesColor: Bool { outputIsTerminal && !noColor && !isDumb }
  /// Whether standard error can show a line that is rewritten.
  var rewritesProgress: Bool { errorIsTerminal && !isDumb }
}
