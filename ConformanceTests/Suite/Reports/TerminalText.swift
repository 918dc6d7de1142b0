/// Text for a terminal, colored or plain.
struct TerminalText: Sendable {
  /// The tones of a report, each with its SGR code.
  enum Tone: String {
    case good = "32"
    case bad = "1;31"
    case note = "33"
    case quiet = "2"
    case heading = "1"
  }

  let color: Bool

  /// Returns `text` in a tone. Without colors, or if `text` is empty, the result is `text` itself.
  func callAsFunction(_ tone: Tone?, _ text: String) -> String {
    guard color, let tone, !text.isEmpty else { return text }
    return "\u{1B}[\(tone.rawValue)m\(text)\u{1B}[0m"
  }

  /// Breaks `text` at spaces into lines of at most `width` characters. A longer word has its own line.
  static func wrap(_ text: String, width: Int) -> [String] {
    var lines: [String] = []
    var line = ""
    for word in text.split(whereSeparator: \.isWhitespace) {
      if !line.isEmpty && line.count + 1 + word.count > width {
        lines.append(line)
        line = ""
      }
      line += line.isEmpty ? String(word) : " " + word
    }
    if !line.isEmpty { lines.append(line) }
    return lines
  }
}
