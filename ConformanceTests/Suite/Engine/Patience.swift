import Foundation

/// How long a case may wait: the whole deadline at first, less after another case of its section has waited
/// until the deadline, and not at all after several have. So a promise that never settles is reported in
/// seconds.
struct Patience {
  let deadline: TimeInterval
  let maximumHangs: Int?
  private var hangs: [String: Int] = [:]

  init(deadline: TimeInterval, maximumHangs: Int?) {
    self.deadline = deadline
    self.maximumHangs = maximumHangs
  }

  /// For how long `testCase` may wait, in seconds.
  func limit(for testCase: ConformanceCase) -> TimeInterval {
    guard maximumHangs != nil, hangs[testCase.section] != nil else { return deadline }
    return min(deadline, max(deadline / 10, 0.5))
  }

  /// Why `testCase` is not worth running; `nil` if it is.
  func reasonToGiveUp(_ testCase: ConformanceCase) -> String? {
    guard let maximumHangs, let count = hangs[testCase.section], count >= maximumHangs else { return nil }
    let cases = count == 1 ? "another case" : "\(count) other cases"
    return "given up: \(cases) of \(testCase.section) waited to the deadline in vain"
  }

  /// Notes that `testCase` has waited until the deadline.
  mutating func noteHang(of testCase: ConformanceCase) { hangs[testCase.section, default: 0] += 1 }
}

extension ConformanceCase {
  /// The section of the specification: `2.3.3` for every clause below it.
  var section: String { clause.split(separator: ".").prefix(3).joined(separator: ".") }
}
