import Foundation

/// Makes text from outside safe for a report: names, reasons, and the answers of an implementation. The text
/// is cut before it is worked on.
package enum SafeText {
  /// One line without control characters, of at most `most` characters.
  package static func line(_ text: String, most: Int = 300) -> String {
    cut(text, most) { isInvisible($0) ? "\u{FFFD}" : nil }
  }

  /// The lines of a text, each without control characters.
  static func lines(_ text: String) -> [String] {
    cut(text, longest) { _ in nil }.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline)
      .map { line(String($0), most: longest) }
  }

  /// Text for XML 1.0 or HTML, between tags or in a quoted attribute. Line breaks and tabs become references,
  /// because a parser turns unescaped ones in attributes into spaces.
  static func xml(_ text: String) -> String {
    cut(text, longest) { scalar in
      switch scalar {
      case "&": "&amp;"
      case "<": "&lt;"
      case ">": "&gt;"
      case "\"": "&quot;"
      case "\t", "\n", "\r": "&#\(scalar.value);"
      case "\u{FFFE}", "\u{FFFF}": "\u{FFFD}"
      default: isInvisible(scalar) ? "\u{FFFD}" : nil
      }
    }
  }

  /// `value` with `digits` decimals, in any locale.
  static func decimal(_ value: Double, digits: Int = 3) -> String {
    String(format: "%.\(digits)f", max(0, value))
  }

  private static let longest = 20_000

  /// Whether a terminal could obey the character, or a reader overlook it: a control character, a line
  /// separator, or one that changes the direction of text.
  private static func isInvisible(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.properties.generalCategory {
    case .control, .lineSeparator, .paragraphSeparator: true
    case .format: scalar != "\u{200D}"  // joins emoji
    default: false
    }
  }

  private static func cut(
    _ text: String, _ most: Int, _ replacement: (Unicode.Scalar) -> String?
  ) -> String {
    var (result, count) = ("", 0)
    for scalar in text.unicodeScalars {
      count += 1
      if count > most { return result + "…" }
      if let other = replacement(scalar) { result += other } else { result.unicodeScalars.append(scalar) }
    }
    return result
  }
}

/// Writes to standard error, and drops what cannot be written. Neither a full disk nor a pipe without a
/// reader ends the process.
package func writeToStandardError(_ text: String) {
  var (pipe, before, waiting) = (sigset_t(), sigset_t(), sigset_t())
  sigemptyset(&pipe)
  sigaddset(&pipe, SIGPIPE)
  pthread_sigmask(SIG_BLOCK, &pipe, &before)
  var bytes = Array(text.utf8)[...]
  while !bytes.isEmpty {
    let count = bytes.withUnsafeBytes { write(STDERR_FILENO, $0.baseAddress!, $0.count) }
    if count < 0 && errno == EINTR { continue }
    if count <= 0 { break }
    bytes = bytes.dropFirst(count)
  }
  sigpending(&waiting)
  if sigismember(&waiting, SIGPIPE) == 1, sigismember(&before, SIGPIPE) == 0 {
    var signal: Int32 = 0
    sigwait(&pipe, &signal)
  }
  pthread_sigmask(SIG_SETMASK, &before, nil)
}
