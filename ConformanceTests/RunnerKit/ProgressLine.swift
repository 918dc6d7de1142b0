import Foundation

/// A line on a terminal that says what is going on and rewrites itself.
public final class ProgressLine: Sendable {
  private let write: @Sendable (String) -> Void
  private let total: Int
  private let lock = NSLock()
  nonisolated(unsafe) private var ended = 0
  nonisolated(unsafe) private var failed = 0
  nonisolated(unsafe) private var shown = ""
  nonisolated(unsafe) private var lastDrawn: ContinuousClock.Instant?
  nonisolated(unsafe) private var isClosed = false

  /// A line about `total` results, drawn with `write`.
  public init(total: Int, write: @escaping @Sendable (String) -> Void) {
    self.total = total
    self.write = write
  }

  /// Takes note of one more result, or of none yet, and of what is running.
  ///
  /// Drawn a few times per second at most: writing to a terminal takes longer than most cases.
  func update(context: String, caseID: String, ended isEnd: Bool, failed isFailure: Bool) {
    lock.withLock {
      if isEnd { ended += 1 }
      if isFailure { failed += 1 }
      let now = ContinuousClock.now
      if isClosed || lastDrawn.map({ now - $0 < .milliseconds(80) }) ?? false { return }
      lastDrawn = now
      draw(Self.text(context: context, caseID: caseID, ended: ended, failed: failed, total: total))
    }
  }

  /// Wipes the line, for good.
  public func close() {
    lock.withLock {
      if !isClosed && !shown.isEmpty { draw("") }
      isClosed = true
    }
  }

  private func draw(_ text: String) {
    // Blanks instead of an escape sequence: any terminal understands them.
    let rest = String(repeating: " ", count: max(0, shown.count - text.count))
    write("\r\(text)\(rest)" + (text.isEmpty ? "\r" : ""))
    shown = text
  }

  /// At most 79 characters, so that no terminal breaks the line.
  static func text(context: String, caseID: String, ended: Int, failed: Int, total: Int) -> String {
    let percent = total > 0 ? ended * 100 / total : 100
    let failures = failed > 0 ? ", \(failed) not as declared" : ""
    return String("\(percent) % of \(total)\(failures)  \(context)  \(caseID)".prefix(79))
  }
}
