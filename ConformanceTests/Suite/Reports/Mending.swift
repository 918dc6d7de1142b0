/// Advice on the first part to mend in a promise that fails cases.
enum Mending {
  /// Returns the failure that explains the most, and a sentence about it; `nil` if nothing failed.
  static func advice(_ all: [CaseResult]) -> (first: CaseResult, hint: String)? {
    let failed = all.filter { $0.message?.hasPrefix("passes, although Deviation") != true }
    if failed.isEmpty, let first = all.first {
      return (first, "Mend first (\(first.testCase.section)): remove the Deviation, because its case passes.")
    }
    for rule in rules {
      guard let first = failed.first(where: { rule.applies($0) }) else { continue }
      return (first, "Mend first (\(first.testCase.section)): \(rule.words).")
    }
    guard let first = failed.first(where: \.testCase.isOfficial) ?? failed.first else { return nil }
    let section = first.testCase.section
    return (first, "Mend first (\(section)): \(words[section] ?? first.testCase.title).")
  }

  private struct Rule {
    /// Whether the rule is about cases that wait in vain, or about cases that fail at once; `nil`: both.
    var hangs: Bool?
    let isMeant: @Sendable (ConformanceCase) -> Bool
    let words: String

    init(
      hangs: Bool? = nil, _ words: String, _ isMeant: @escaping @Sendable (ConformanceCase) -> Bool
    ) {
      (self.hangs, self.words, self.isMeant) = (hangs, words, isMeant)
    }

    func applies(_ result: CaseResult) -> Bool {
      isMeant(result.testCase) && (hangs.map { result.message?.contains(" within ") == $0 } ?? true)
    }
  }

  /// A rule comes before all whose cases fail for its reason, too.
  private static let rules = [
    Rule("let an error that a handler throws reject the promise of its then, not reach the handler beside it")
    {
      $0.id == "2.2.7.2+neighbour"
    },
    Rule(hangs: false, "schedule handlers on a queue, and call none inside then, fulfill or reject") {
      $0.isOfficial && $0.section == "2.2.4"
    },
    Rule(hangs: true, "call each handler, once its promise has settled, however late it is added") {
      $0.isOfficial && ["2.2.2", "2.2.3"].contains($0.section)
    },
    Rule(hangs: true, "keep a handler that a handler adds to the same promise, and call it after the others")
    {
      ["2.2.6.1/13", "2.2.6.2/13"].contains($0.id)
    },
    Rule("let the first of fulfill, reject and resolve win, under a lock") {
      $0.section.hasPrefix("2.1.") && !isRace($0)
    },
    Rule("after resolve, ignore fulfill, reject and resolve, even while the promise waits") {
      $0.id.hasSuffix("+locked-in")
    },
    Rule("fulfill with an error as with any other value") { $0.id.hasSuffix("+error-as-value") },
    Rule("take one lock to look at the state and to change it, or to store the handler") {
      isRace($0) && $0.chapter == .promisesAPlus
    },
  ]

  /// Whether the case is about calls on several threads.
  private static func isRace(_ testCase: ConformanceCase) -> Bool {
    ["race", "late-then", "elsewhere", "threads"].contains { testCase.id.hasSuffix($0) }
  }

  private static let words = [
    "2.2.1": "let an absent handler pass the outcome on",
    "2.2.2": "call each handler once, when its promise has settled, with the outcome",
    "2.2.3": "call each handler once, when its promise has settled, with the outcome",
    "2.2.4": "schedule handlers on a queue, and let no call wait for them",
    "2.2.6": "keep handlers in a list, and schedule them in its order",
    "2.2.7": "settle the promise of then with what its handler returns or throws",
    "2.3.1": "reject a promise that is resolved with itself, directly or through others",
    "2.3.2": "let a promise that is resolved with another one take over its outcome",
    "2.3.3": "read then of a thenable once, call it once, and take its first answer only",
    "2.3.4": "fulfill with whatever is no promise and no thenable",
  ]
}
