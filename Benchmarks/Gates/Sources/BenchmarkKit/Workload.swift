/// A workload. `docs/speed.md` describes how each is measured.
package enum Workload: String, CaseIterable, Sendable, Codable {
  case w1 = "W1"
  case w2 = "W2"
  case w3 = "W3"
  case w4 = "W4"
  case w5 = "W5"
  case w5r = "W5r"
  case w5c = "W5c"
  case w6 = "W6"
  case w7 = "W7"
  case w8a = "W8a"
  case w9 = "W9"
  case w10 = "W10"
  case w11a = "W11a"
  case w12 = "W12"
  case w13 = "W13"
  case w14 = "W14"

  /// The unit of a figure, which is per step or per promise.
  package var unit: String {
    switch self {
    case .w7: "bytes"
    case .w10: "x"
    default: "ns"
    }
  }

  /// Whether the workload is measured in a separate process, which has its own peak of memory and whose crash
  /// does not affect other contenders.
  package var isAlone: Bool { [.w7, .w8a, .w9, .w11a, .w13].contains(self) }

  /// The number of steps or promises; two numbers if the growth of memory is measured.
  package func counts(quick: Bool) -> [Int] {
    switch self {
    case .w7: [quick ? 100_000 : 1_000_000]
    case .w8a: [1_000_000]
    case .w9, .w11a: [10_000, quick ? 100_000 : 1_000_000]
    // A slice is long compared with the start of two threads, and short compared with the pauses of a shared
    // machine.
    case .w10: [quick ? 10_000 : 50_000]
    // The steps for each number of threads. The run is long, so that it can show a long stall.
    case .w13: [quick ? 100_000 : 500_000]
    default: [quick ? 10_000 : 100_000]
    }
  }

  /// The number of steps that run before a measurement and do not count.
  package func warmUp(for count: Int) -> Int {
    switch self {
    case .w7: 0
    // Short, because a longer warm-up could determine the peak of memory.
    case .w9, .w11a: min(count, 10_000)
    case .w8a, .w13: count
    default: max(1, count / 10)
    }
  }
}
