import Foundation

/// Formats numbers for reports.
enum DecimalText {
  /// Returns `value` with `digits` decimals, in any locale.
  static func text(_ value: Double, digits: Int = 3) -> String {
    String(format: "%.\(digits)f", max(0, value))
  }
}
