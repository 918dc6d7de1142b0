import Foundation

/// Shows the progress of a run, and writes the id of each case before the case runs. After a crash of the
/// implementation, the last id on a terminal or in a file names the case that crashed.
///
///     let progress = ProgressLine.onStandardError(total: run.cases.count)
///     let report = run.run(MyAdapter()) { event in
///       progress.show(event)
///       // your own handling of the event
///     }
///     progress.close()
public final class ProgressLine: Sendable {
  /// The kind of output.
  public enum Style: Sendable {
    /// One line with percentage, failures and id, which is rewritten with a carriage return.
    case rewriting
    /// The ids, one after another, in lines of at most 79 characters.
    case ids
  }

  private let write: @Sendable (String) -> Void
  private let total: Int
  private let style: Style
  private let lock = NSLock()
  nonisolated(unsafe) private var ended = 0
  nonisolated(unsafe) private var failed = 0
  /// The rewritten line, or the unfinished line of ids.
  nonisolated(unsafe) private var line = ""
  nonisolated(unsafe) private var subject = ""
  nonisolated(unsafe) private var isClosed = false

  /// Creates a progress line for `total` results. `write` must not buffer, because a crash loses buffered
  /// text.
  public init(total: Int, style: Style = .rewriting, write: @escaping @Sendable (String) -> Void) {
    self.total = total
    self.style = style
    self.write = write
  }

  /// Shows progress on standard error: one line on a terminal that can rewrite it, otherwise the ids.
  public static func onStandardError(total: Int) -> ProgressLine {
    let isDumb = ProcessInfo.processInfo.environment["TERM"] == "dumb"
    let style: Style = isatty(STDERR_FILENO) == 1 && !isDumb ? .rewriting : .ids
    return ProgressLine(total: total, style: style, write: writeToStandardError)
  }

  /// Shows `text` if the style is `.rewriting`; otherwise does nothing.
  public func show(_ text: String) {
    lock.withLock { if style == .rewriting, !isClosed { rewrite(SafeText.line(text, most: 79)) } }
  }

  /// Shows an event. `subject` names the run if there are several runs.
  public func show(_ event: RunEvent, of subject: String = "") {
    let subject = SafeText.line(subject, most: 60)
    lock.withLock {
      switch event {
      case .finished(let result):
        ended += 1
        if case .failed = result.outcome { failed += 1 }
      case .started(let testCase):
        if isClosed { return }
        switch style {
        case .rewriting: rewrite(text(testCase.id, of: subject))
        case .ids: append(testCase.id, of: subject)
        }
      }
    }
  }

  /// Removes the rewritten line, and shows nothing afterwards. Ids stay.
  public func close() {
    lock.withLock {
      if !isClosed && !line.isEmpty {
        switch style {
        case .rewriting: rewrite("")
        case .ids: write("\n")
        }
      }
      isClosed = true
    }
  }

  private func rewrite(_ text: String) {
    // Blanks erase the rest of the line. Any terminal understands them, unlike an escape sequence.
    let rest = String(repeating: " ", count: max(0, line.count - text.count))
    write("\r\(text)\(rest)" + (text.isEmpty ? "\r" : ""))
    line = text
  }

  private func append(_ id: String, of subject: String) {
    var text = line.isEmpty ? id : " \(id)"
    if line.isEmpty || subject != self.subject {
      text = (line.isEmpty ? "" : "\n") + (subject.isEmpty ? id : "\(subject): \(id)")
    } else if line.count + text.count > 79 {
      text = "\n\(id)"
    }
    self.subject = subject
    line = text.hasPrefix("\n") ? String(text.dropFirst()) : line + text
    write(text)
  }

  /// Returns at most 79 characters, so that no terminal breaks the line.
  private func text(_ id: String, of subject: String) -> String {
    let percent = total > 0 ? ended * 100 / total : 100
    let failures = failed > 0 ? ", \(failed) not as declared" : ""
    let name = subject.isEmpty ? "" : "  \(subject)"
    return String("\(percent) % of \(total)\(failures)\(name)  \(id)".prefix(79))
  }
}
