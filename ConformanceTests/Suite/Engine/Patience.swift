import Foundation

/// The time that a case may wait: the whole deadline until the first hang, then less.
///
/// The time is shortest in a section that has hung. After enough hangs, the section's other cases do not run,
/// so that the report takes only seconds even if hundreds of cases would wait.
///
/// A declared deviation is expected to hang. It always has the shortest time, and its hangs do not affect
/// other cases.
struct Patience {
  let deadline: TimeInterval
  let maximumHangs: Int?
  /// The shortest limit, unless the deadline is shorter.
  let moment: TimeInterval
  private var hangs: [String: Int] = [:]
  private var declaredHangs: [String: Int] = [:]

  init(deadline: TimeInterval, maximumHangs: Int?, moment: TimeInterval) {
    (self.deadline, self.maximumHangs, self.moment) = (deadline, maximumHangs, moment)
  }

  /// The time that `testCase` may wait, in seconds.
  func limit(for testCase: ConformanceCase, isDeclared: Bool = false) -> TimeInterval {
    guard maximumHangs != nil, isDeclared || !hangs.isEmpty else { return deadline }
    let hasHung = isDeclared || hangs[testCase.section] != nil
    return min(deadline, hasHung ? max(deadline / 10, moment) : max(deadline / 5, 2 * moment))
  }

  /// The reason not to run `testCase`; `nil` if it should run.
  func reasonToGiveUp(_ testCase: ConformanceCase, isDeclared: Bool = false) -> String? {
    let hangs = isDeclared ? declaredHangs : hangs
    guard let maximumHangs, let count = hangs[testCase.section], count >= maximumHangs else { return nil }
    let cases = count == 1 ? "another case" : "\(count) other cases"
    return "given up: \(cases) of \(testCase.section) waited to the deadline in vain"
  }

  /// Records that `testCase` has waited until the deadline.
  mutating func noteHang(of testCase: ConformanceCase, isDeclared: Bool = false) {
    if isDeclared {
      declaredHangs[testCase.section, default: 0] += 1
    } else {
      hangs[testCase.section, default: 0] += 1
    }
  }
}

extension ConformanceCase {
  /// The section of the specification, such as `2.3.3` for every clause below it. In a chapter, it is the
  /// clause itself.
  var section: String {
    chapter == .promisesAPlus ? clause.split(separator: ".").prefix(3).joined(separator: ".") : clause
  }
}
