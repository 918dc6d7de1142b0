/// Escapes text for an XML 1.0 document.
enum XMLText {
  /// Returns `text` for use between tags or in a quoted attribute.
  ///
  /// Line breaks and tabs become references, because a parser turns unescaped ones in attributes into spaces.
  /// Characters that XML 1.0 cannot represent become U+FFFD, so that no message can make the document
  /// unreadable.
  static func escape(_ text: String) -> String {
    var result = ""
    result.reserveCapacity(text.utf8.count)
    for scalar in text.unicodeScalars {
      switch scalar {
      case "&": result += "&amp;"
      case "<": result += "&lt;"
      case ">": result += "&gt;"
      case "\"": result += "&quot;"
      case "\t", "\n", "\r": result += "&#\(scalar.value);"
      default: result.unicodeScalars.append(isAllowed(scalar) ? scalar : "\u{FFFD}")
      }
    }
    return result
  }

  private static func isAllowed(_ scalar: Unicode.Scalar) -> Bool {
    scalar.value >= 0x20 && scalar.value != 0xFFFE && scalar.value != 0xFFFF
  }
}
