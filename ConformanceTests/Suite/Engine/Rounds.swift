import Foundation

extension Probe {
  /// The rounds of a race. A hundred rounds take milliseconds and find most defects in most runs. A busy
  /// machine runs fewer rounds, to stay within the case's time limit.
  var rounds: some Sequence<Int> {
    let enough = Date(timeIntervalSinceNow: limit / 4)
    return sequence(first: 0) { last in
      last + 1 < 100 && (last < 10 || Date() < enough) ? last + 1 : nil
    }
  }
}
