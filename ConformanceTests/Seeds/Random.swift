/// SplitMix64: random numbers that a seed decides, the same on every platform.
public struct Random: RandomNumberGenerator, Sendable {
  private var state: UInt64

  /// The numbers of that seed.
  public init(_ seed: UInt64) { state = seed }

  /// The next 64 bits.
  public mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var bits = state
    bits = (bits ^ (bits >> 30)) &* 0xBF58_476D_1CE4_E5B9
    bits = (bits ^ (bits >> 27)) &* 0x94D0_49BB_1331_11EB
    return bits ^ (bits >> 31)
  }

  /// A number below `bound`.
  public mutating func below(_ bound: Int) -> Int { Int(next() % UInt64(bound)) }

  /// True once in `count` times.
  public mutating func once(in count: Int) -> Bool { below(count) == 0 }

  /// One of them.
  public mutating func one<T>(of all: [T]) -> T { all[below(all.count)] }

  /// A generator of its own for a closure that runs later, somewhere else.
  public mutating func fork() -> Random { Random(next()) }
}
