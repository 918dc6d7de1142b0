/// Case ids as readable text. A run of consecutive official cases of one clause is shortened.
enum CaseList {
  /// Returns a text such as `2.2.6.1/1…15, 2.2.6.2/3, 2.2.6.2+late`.
  static func text(_ cases: [ConformanceCase]) -> String {
    var parts: [String] = []
    var open: (clause: String, first: Int, last: Int)?
    func close() {
      guard let run = open else { return }
      parts.append("\(run.clause)/\(run.first)" + (run.last > run.first ? "…\(run.last)" : ""))
      open = nil
    }
    for testCase in cases {
      guard let place = place(testCase) else {
        close()
        parts.append(testCase.id)
        continue
      }
      if let run = open, run.clause == testCase.clause, place == run.last + 1 {
        open = (run.clause, run.first, place)
      } else {
        close()
        open = (testCase.clause, place, place)
      }
    }
    close()
    return parts.joined(separator: ", ")
  }

  /// Returns the number after the slash, such as 17 for `2.3.3.3.1/17`.
  private static func place(_ testCase: ConformanceCase) -> Int? {
    let prefix = testCase.clause + "/"
    return testCase.id.hasPrefix(prefix) ? Int(testCase.id.dropFirst(prefix.count)) : nil
  }

  /// Cases grouped by their message, in the order in which the messages first occur.
  static func grouped(_ cases: [(ConformanceCase, String)]) -> [(saying: String, cases: [ConformanceCase])] {
    var groups: [(saying: String, cases: [ConformanceCase])] = []
    var places: [String: Int] = [:]
    for (testCase, saying) in cases {
      if let place = places[saying] {
        groups[place].cases.append(testCase)
      } else {
        places[saying] = groups.count
        groups.append((saying, [testCase]))
      }
    }
    return groups
  }
}
