import Foundation

/// Shows the progress of a run: on a terminal in a line that is rewritten, elsewhere in new lines from time
/// to time.
///
///     let progress = ProgressLine.onStandardError(total: run.cases.count)
///     let report = run.run(MyAdapter()) { event in
///       progress.show(event)
///       // whatever else is to be done about it
///     }
///     progress.close()
public final class ProgressLine: Sendable {
  /// The kind of output.
  public enum Style: Sendable {
    /// One line that is rewritten, by a carriage return, a few times per second at most.
    case rewriting
    /// A new line each time, at most once per this number of seconds.
    case lines(every: TimeInterval)

    fileprivate var interval: Duration {
      switch self {
      // Limited, because writing to a terminal takes longer than most cases.
      case .rewriting: .milliseconds(80)
      case .lines(let seconds): .seconds(seconds)
      }
    }
  }

  private let write: @Sendable (String) -> Void
  private let total: Int
  private let style: Style
  private let lock = NSLock()
  nonisolated(unsafe) private var ended = 0
  nonisolated(unsafe) private var failed = 0
  nonisolated(unsafe) private var shown = ""
  nonisolated(unsafe) private var lastDrawn: ContinuousClock.Instant?
  nonisolated(unsafe) private var isClosed = false

  /// About `total` results, written with `write`.
  public init(total: Int, style: Style = .rewriting, write: @escaping @Sendable (String) -> Void) {
    self.total = total
    self.style = style
    self.write = write
    // The first new line is due after the same interval as the next ones; the rewritten line appears at once.
    if case .lines = style { lastDrawn = .now }
  }

  /// On standard error: rewritten on a capable terminal, elsewhere a line every ten seconds.
  public static func onStandardError(total: Int) -> ProgressLine {
    let isDumb = ProcessInfo.processInfo.environment["TERM"] == "dumb"
    let style: Style = isatty(STDERR_FILENO) == 1 && !isDumb ? .rewriting : .lines(every: 10)
    return ProgressLine(total: total, style: style) { FileHandle.standardError.write(Data($0.utf8)) }
  }

  /// Shows an event; `subject` names the run, if there are several.
  public func show(_ event: RunEvent, of subject: String = "") {
    lock.withLock {
      let testCase: ConformanceCase
      switch event {
      case .started(let started): testCase = started
      case .finished(let result):
        testCase = result.testCase
        ended += 1
        if case .failed = result.outcome { failed += 1 }
      }
      let now = ContinuousClock.now
      if isClosed || lastDrawn.map({ now - $0 < style.interval }) ?? false { return }
      lastDrawn = now
      draw(Self.text(context: subject, caseID: testCase.id, ended: ended, failed: failed, total: total))
    }
  }

  /// Removes the rewritten line permanently. New lines stay.
  public func close() {
    lock.withLock {
      if !isClosed && !shown.isEmpty { draw("") }
      isClosed = true
    }
  }

  private func draw(_ text: String) {
    guard case .rewriting = style else {
      if !text.isEmpty { write(text + "\n") }
      return
    }
    // Blanks instead of an escape sequence: any terminal understands them.
    let rest = String(repeating: " ", count: max(0, shown.count - text.count))
    write("\r\(text)\(rest)" + (text.isEmpty ? "\r" : ""))
    shown = text
  }

  /// At most 79 characters, so that no terminal breaks the line.
  static func text(context: String, caseID: String, ended: Int, failed: Int, total: Int) -> String {
    let percent = total > 0 ? ended * 100 / total : 100
    let failures = failed > 0 ? ", \(failed) not as declared" : ""
    let subject = context.isEmpty ? "" : "  \(context)"
    return String("\(percent) % of \(total)\(failures)\(subject)  \(caseID)".prefix(79))
  }
}
