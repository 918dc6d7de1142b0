import Foundation

/// Formats numbers without a locale.
package enum Text {
  /// Three significant digits or more: `0.482`, `4.82`, `48.2`, `482`, `4821`.
  package static func number(_ value: Double) -> String {
    guard value.isFinite else { return "-" }
    let size = abs(value)
    return fixed(value, size >= 100 ? 0 : size >= 10 ? 1 : 2)
  }

  package static func fixed(_ value: Double, _ digits: Int) -> String {
    let scale = pow(10, Double(digits))
    // The sum with zero has no sign if the figure rounds to zero.
    return String(format: "%.\(digits)f", (value * scale).rounded() / scale + 0)
  }

  package static func count(_ value: Int) -> String {
    value.formatted(.number.locale(Locale(identifier: "en_US")))
  }

  package static func padded(_ text: String, _ width: Int) -> String {
    text + String(repeating: " ", count: max(0, width - text.count))
  }

  package static func aligned(_ text: String, _ width: Int) -> String {
    String(repeating: " ", count: max(0, width - text.count)) + text
  }
}
