/// The order of a round's measurements: shuffled, different in each round and the same in each run.
///
/// With a fixed order, a contender would always suffer from the leftover threads and processes of the same
/// predecessor.
package enum Turns {
  package static func shuffled<Element>(_ elements: [Element], round: Int) -> [Element] {
    var generator = Mixed(state: UInt64(round))
    return elements.shuffled(using: &generator)
  }

  /// SplitMix64 (Steele, Lea, Flood: Fast splittable pseudorandom number generators, 2014).
  private struct Mixed: RandomNumberGenerator {
    var state: UInt64

    mutating func next() -> UInt64 {
      state &+= 0x9E37_79B9_7F4A_7C15
      var mixed = state
      mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
      mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
      return mixed ^ (mixed >> 31)
    }
  }
}
