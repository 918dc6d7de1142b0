/// The parts of the text report's sections.
extension TextReport {
  /// The meaning of the marks.
  static let legend =
    "✓ holds  ◐ holds as far as expressible  ✗ does not  ~ deviates as declared  – not expressible"

  /// Returns one mark per subject: the worst outcome of `cases`, or a blank if none has run. Cases that Swift
  /// cannot express do not change the mark of other cases.
  func marks(_ cases: [ConformanceCase], _ results: [[String: CaseOutcome]]) -> String {
    results.map { outcomes in
      let counts = OutcomeCounts(outcomes: cases.lazy.compactMap { outcomes[$0.id] })
      let (mark, tone): (String, TerminalText.Tone?) =
        if counts.failed > 0 {
          ("✗", .bad)
        } else if counts.deviated > 0 {
          ("~", .note)
        } else if counts.passed > 0 {
          cases.contains { $0.inexpressible == nil && outcomes[$0.id]?.isNotExpressible == true }
            ? ("◐", .note) : ("✓", .good)
        } else if counts.notExpressible > 0 {
          ("–", .quiet)
        } else {
          (" ", nil)
        }
      return "  " + self.tone(tone, mark)
    }.joined()
  }

  /// Returns the messages about the cases. Each message occurs once, with its cases.
  func reasons(_ cases: [(ConformanceCase, String)]) -> [String] {
    CaseList.grouped(cases).flatMap { group in
      let count = group.cases.count
      let heading = "  \(count) \(count == 1 ? "case" : "cases"): \(CaseList.text(group.cases))"
      return TerminalText.wrap(heading, width: 96).enumerated().map { ($0 == 0 ? "  " : "      ") + $1 }
        + TerminalText.wrap(SafeText.line(group.saying, most: 2_000), width: 92).map {
          "      " + tone(.quiet, $0)
        }
    }
  }

  func indent(_ depth: Int) -> String { String(repeating: "  ", count: depth) }

  func pad(_ text: String, _ width: Int, right: Bool = false) -> String {
    let fill = String(repeating: " ", count: max(0, width - text.count))
    return right ? fill + text : text + fill
  }

  func seconds(_ duration: Double) -> String { SafeText.decimal(duration, digits: 2) + " s" }
}

extension String {
  func trimmingTrailingSpaces() -> String {
    var result = self
    while result.last == " " { result.removeLast() }
    return result
  }
}
