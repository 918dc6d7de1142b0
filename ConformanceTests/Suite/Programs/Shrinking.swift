/// Returns the simplest input found that still fails. The search is greedy: a simpler input that fails
/// replaces the input, until no simpler input fails.
///
/// - Parameters:
///   - input: An input that fails.
///   - simpler: Inputs that are a little simpler, the simplest first.
///   - fails: Whether an input fails like the original.
package func shrunk<Input>(
  _ input: Input, simpler: (Input) -> [Input], while fails: (Input) -> Bool
) -> Input {
  var best = input
  search: while true {
    for input in simpler(best) where fails(input) {
      best = input
      continue search
    }
    return best
  }
}

extension Array {
  /// Copies of the array, each without one part. The parts are the whole, the halves, the quarters and so on,
  /// down to single elements.
  package func withoutParts() -> [[Element]] {
    var result: [[Element]] = []
    var size = count
    while size > 0 {
      for start in stride(from: 0, to: count, by: size) {
        var rest = self
        rest.removeSubrange(start..<Swift.min(start + size, count))
        result.append(rest)
      }
      size /= 2
    }
    return result
  }
}
