/// Texts from outside that a line, a page or a picture must survive.
public enum Hostile {
  /// The texts; some are large.
  public static let texts = [
    "two\nlines", "a\r\nb\u{85}c\u{2028}d\u{2029}e\u{0B}f\u{0C}g", "\u{1B}[31mred\u{1B}]0;title\u{07}",
    "nul\u{0}l",
    "\u{202E}backwards\u{2066}", "\u{7F}\u{9B}31m", "", " ", "\n", "%%{init: {\"theme\": \"dark\"}}%%",
    "50%%{x",
    "<script>alert(1)</script>", "]]>--><!--", "\"'`\\ & &amp; #35; #quot;", "\"\u{301}<\u{338}",
    "a\"]; n1 --> n2", "`**bold**`", "\\N \\G \\n \\\"", "\u{FEFF}\u{FFFF}\u{FFFD}", "→ - #1: fulfilled",
    "e" + String(repeating: "\u{301}", count: 50_000), String(repeating: "x", count: 2_000_000),
    String(repeating: "<&\"%\n", count: 400_000),
  ]

  /// The scalars of a text that no line may contain.
  public static func faults(in text: some StringProtocol) -> [Unicode.Scalar] {
    text.unicodeScalars.filter { scalar in
      switch scalar.value {
      case 0..<0x20, 0x7F..<0xA0, 0x200E...0x200F, 0x2028...0x202E, 0x2066...0x2069: true
      default: false
      }
    }
  }
}
