// Text from outside (names, labels, reasons, paths) in a line of a log, a page or an error.

/// The text as one line of at most `limit` scalars and a mark. Line breaks and control characters, including
/// those that change the direction of text, become spaces. The rest of a longer text is not read.
package func oneLine(_ text: some StringProtocol, limit: Int = 1000) -> String {
  var line = String.UnicodeScalarView()
  var needsSpace = false
  for (count, scalar) in text.unicodeScalars.enumerated() {
    if count == limit { return String(line) + "…" }
    if isControl(scalar) {
      needsSpace = !line.isEmpty
    } else {
      if needsSpace { line.append(" ") }
      needsSpace = false
      line.append(scalar)
    }
  }
  return String(line)
}

private func isControl(_ scalar: Unicode.Scalar) -> Bool {
  switch scalar.value {
  case 0..<0x20, 0x7F..<0xA0, 0x200E...0x200F, 0x2028...0x202E, 0x2066...0x2069: true
  default: false
  }
}
