/// Advice on the first part to mend in a promise that fails cases.
enum Mending {
  /// Returns a sentence about the case to mend first; `nil` if there is no advice.
  static func hint(_ failed: [ConformanceCase]) -> String? {
    guard let first = first(failed) else { return nil }
    let words = isSpecific(first) ? lockedIn : words[first.section]
    return words.map { "Mend first (\(first.section)): \($0)." }
  }

  /// The first case that is official, or about a settlement after another one, otherwise the first about a
  /// settlement after `resolve`. The other additional cases are too specific.
  static func first(_ failed: [ConformanceCase]) -> ConformanceCase? {
    failed.first { !isSpecific($0) } ?? failed.first { $0.id.contains("+lock") }
  }

  private static func isSpecific(_ failed: ConformanceCase) -> Bool {
    !failed.isOfficial && !failed.clause.hasPrefix("2.1.")
  }

  private static let firstWins = "let the first of fulfill, reject and resolve win, under a lock"
  private static let lockedIn =
    "after resolve, ignore fulfill, reject and resolve, even while the promise waits"
  private static let onceAfter = "call each handler once, when its promise has settled, with the outcome"

  private static let words = [
    "2.1.2": firstWins,
    "2.1.3": firstWins,
    "2.2.1": "let an absent handler pass the outcome on",
    "2.2.2": onceAfter,
    "2.2.3": onceAfter,
    "2.2.4": "schedule handlers on a queue, and call none inside then, fulfill or reject",
    "2.2.6": "keep handlers in a list, and schedule them in its order",
    "2.2.7": "settle the promise of then with what its handler returns or throws",
    "2.3.1": "reject a promise that is resolved with itself",
    "2.3.2": "let a promise that is resolved with another one take over its outcome",
    "2.3.3": "read then of a thenable once, call it once, and take its first answer only",
    "2.3.4": "fulfill with whatever is no promise and no thenable",
  ]
}
