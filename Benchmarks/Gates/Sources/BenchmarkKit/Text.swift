import Foundation

/// Formats numbers, without a locale, and tables.
package enum Text {
  /// Three significant digits or more: `0.48`, `4.82`, `48.2`, `482`, `4821`.
  package static func number(_ value: Double) -> String {
    guard value.isFinite else { return "-" }
    let digits = abs(value) >= 100 ? 0 : abs(value) >= 10 ? 1 : 2
    let scale = pow(10, Double(digits))
    // The sum with zero has no sign if the figure rounds to zero.
    return String(format: "%.\(digits)f", (value * scale).rounded() / scale + 0)
  }

  /// A table in Markdown whose columns are aligned: the first to the left, the others to the right.
  package static func table(_ head: [String], _ rows: [[String]]) -> String {
    let rows = rows.map { $0 + Array(repeating: "", count: head.count - $0.count) }
    let widths = head.indices.map { column in max(3, ([head] + rows).map { $0[column].count }.max() ?? 0) }
    func line(_ cells: [String]) -> String {
      let padded = zip(cells, widths).enumerated().map { index, cell in
        let space = String(repeating: " ", count: cell.1 - cell.0.count)
        return index == 0 ? cell.0 + space : space + cell.0
      }
      return "| " + padded.joined(separator: " | ") + " |\n"
    }
    let rule = widths.enumerated().map { index, width in
      String(repeating: "-", count: index == 0 ? width : width - 1) + (index == 0 ? "" : ":")
    }
    return line(head) + line(rule) + rows.map(line).joined()
  }
}
