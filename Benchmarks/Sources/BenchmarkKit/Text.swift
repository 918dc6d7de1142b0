/// Formats numbers without a locale.
package enum Text {
  /// Three significant digits or more: `0.482`, `4.82`, `48.2`, `482`, `4821`.
  package static func number(_ value: Double) -> String {
    guard value.isFinite else { return "-" }
    let size = abs(value)
    let digits = size >= 100 ? 0 : size >= 10 ? 1 : 2
    return fixed(value, digits)
  }

  package static func fixed(_ value: Double, _ digits: Int) -> String {
    var scale = 1.0
    for _ in 0..<digits { scale *= 10 }
    let scaled = Int((abs(value) * scale).rounded())
    let sign = value < 0 && scaled > 0 ? "-" : ""
    guard digits > 0 else { return "\(sign)\(scaled)" }
    let whole = scaled / Int(scale)
    let rest = String(scaled % Int(scale))
    return "\(sign)\(whole).\(String(repeating: "0", count: digits - rest.count))\(rest)"
  }

  package static func count(_ value: Int) -> String {
    var digits = String(value)
    var groups: [String] = []
    while digits.count > 3 {
      groups.insert(String(digits.suffix(3)), at: 0)
      digits.removeLast(3)
    }
    return ([digits] + groups).joined(separator: ",")
  }

  package static func padded(_ text: String, _ width: Int) -> String {
    text + String(repeating: " ", count: max(0, width - text.count))
  }

  package static func aligned(_ text: String, _ width: Int) -> String {
    String(repeating: " ", count: max(0, width - text.count)) + text
  }
}

extension String {
  /// The text without its trailing spaces.
  var trimmedAtTheEnd: String {
    var text = self[...]
    while text.last == " " { text.removeLast() }
    return String(text)
  }
}
