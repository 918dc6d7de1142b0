/// Formats numbers for reports.
enum DecimalText {
  /// Returns `value` with `digits` decimals, in any locale.
  static func text(_ value: Double, digits: Int = 3) -> String {
    var scale = 1
    for _ in 0..<digits { scale *= 10 }
    let units = Int((max(0, value) * Double(scale)).rounded())
    let decimals = String(units % scale)
    return "\(units / scale)." + String(repeating: "0", count: digits - decimals.count) + decimals
  }
}
