import Foundation

extension Probe {
  /// The rounds of a race: a hundred, which finds most defects in most runs and takes milliseconds. On a
  /// busy machine there are fewer rounds, so that the case does not fail for that reason.
  var rounds: some Sequence<Int> {
    let enough = Date(timeIntervalSinceNow: limit / 4)
    return sequence(first: 0) { last in
      last + 1 < 100 && (last < 10 || Date() < enough) ? last + 1 : nil
    }
  }
}
