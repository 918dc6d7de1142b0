/// Advice on the first part to mend in a promise that fails cases.
enum Mending {
  /// Returns a sentence about the first failing section; `nil` if there is no advice. It considers official
  /// cases, and the cases about a settlement after another one or after `resolve`. The other additional cases
  /// are too specific.
  static func hint(_ failed: [ConformanceCase]) -> String? {
    if let first = failed.first(where: { $0.isOfficial || $0.clause.hasPrefix("2.1.") }) {
      return words[first.section].map { "Mend first (\(first.section)): \($0)." }
    }
    return failed.first { $0.id.contains("+lock") }.map { "Mend first (\($0.section)): \(lockedIn)." }
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
