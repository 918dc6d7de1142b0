/// SplitMix64: random numbers that depend on a seed alone, the same on every platform.
package struct Random: RandomNumberGenerator, Sendable {
  private var state: UInt64

  /// A generator with this seed.
  package init(_ seed: UInt64) { state = seed }

  /// The next 64 bits.
  package mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var bits = state
    bits = (bits ^ (bits >> 30)) &* 0xBF58_476D_1CE4_E5B9
    bits = (bits ^ (bits >> 27)) &* 0x94D0_49BB_1331_11EB
    return bits ^ (bits >> 31)
  }

  /// A random number below `bound`.
  package mutating func below(_ bound: Int) -> Int { Int(next() % UInt64(bound)) }

  /// True with a probability of one in `count`.
  package mutating func once(in count: Int) -> Bool { below(count) == 0 }

  /// A random element.
  package mutating func one<T>(of all: [T]) -> T { all[below(all.count)] }

  /// A separate generator, for a closure that runs later or on another thread.
  package mutating func fork() -> Random { Random(next()) }
}
