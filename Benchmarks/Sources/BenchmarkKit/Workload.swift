/// A workload. Letters distinguish the variants of one workload.
package enum Workload: String, CaseIterable, Sendable, Codable {
  case w1 = "W1"
  case w2 = "W2"
  case w3 = "W3"
  case w4 = "W4"
  case w5 = "W5"
  case w5r = "W5r"
  case w6 = "W6"
  case w7 = "W7"
  case w8a = "W8a"
  case w8b = "W8b"
  case w8c = "W8c"
  case w9 = "W9"
  case w10 = "W10"
  case w11a = "W11a"
  case w11b = "W11b"
  case w12 = "W12"
  case w13 = "W13"
  case w14 = "W14"
  case w15a = "W15a"
  case w15b = "W15b"
  case w15c = "W15c"

  /// A one-line description, for the heading of the workload's table.
  package var title: String {
    switch self {
    case .w1: "a chain of steps, each added to a promise that is already fulfilled"
    case .w2: "the chain of W1, built on a pending promise, which is then resolved"
    case .w3: "one pending promise with many handlers, which is then resolved"
    case .w4: "`all` of many pending promises that another thread resolves"
    case .w5: "independent promises; each is made, gets one handler, and is resolved"
    case .w5r: "W5 with promises that are settled by their resolvers"
    case .w6: "a chain whose handlers return promises that are already resolved"
    case .w7: "bytes of a pending promise with one handler and its child"
    case .w8a: "a deep pending chain, resolved and released"
    case .w8b: "a deep pending chain; the last resolver of its root is released"
    case .w8c: "a deep pending chain, cancelled"
    case .w9: "a loop: each handler returns the promise of the next iteration"
    case .w10: "W5 on two threads at once: throughput as a multiple of one thread's, slice by slice"
    case .w11a: "short-lived children of one long-lived settled promise"
    case .w11b: "races against one long-lived pending promise"
    case .w12: "`then` and `resolve` of one promise by two threads at the same instant"
    case .w13: "chains of 1,000 steps below one settled promise, from 1, 2, 4 and 8 threads at once"
    case .w14: "independent promises whose handlers all run on one queue"
    case .w15a: "retained promises in a row, each following the previous one; the slowest way to link them"
    case .w15b: "many promises that follow one promise"
    case .w15c: "a withdrawal that climbs a pending chain, and the cancel of that chain"
    }
  }

  package enum Unit: String, Sendable, Codable {
    case nanoseconds = "ns"
    case bytes = "bytes"
    /// A multiple of one thread's throughput.
    case speedup = "x"
  }

  package var unit: Unit {
    switch self {
    case .w7: .bytes
    case .w10: .speedup
    default: .nanoseconds
    }
  }

  /// Whether the workload is measured in a separate process. A separate process has its own memory peak, and
  /// its crash does not affect other contenders.
  package var isAlone: Bool {
    switch self {
    case .w7, .w8a, .w8b, .w8c, .w9, .w11a, .w11b, .w13, .w15a, .w15b, .w15c: true
    default: false
    }
  }

  /// The number of steps or promises; two numbers if growth of memory is measured.
  package func counts(quick: Bool) -> [Int] {
    switch self {
    case .w7, .w8a, .w8b, .w8c: [quick ? 100_000 : 1_000_000]
    case .w9, .w11a, .w11b: quick ? [10_000, 100_000] : [10_000, 1_000_000, Self.once]
    // The steps of a slice. A slice is long compared with the start of two threads, and short compared with
    // the pauses of a shared machine.
    case .w10: [quick ? 10_000 : 50_000]
    // The steps for each number of threads. The run is long, so that it can show a long stall.
    case .w13: [quick ? 100_000 : 500_000]
    default: [quick ? 10_000 : 100_000]
    }
  }

  /// Counts of this size are measured in the first round only, because they take long and their memory does
  /// not vary.
  private static let once = 10_000_000

  package func isMeasuredOnce(_ count: Int) -> Bool { isAlone && count >= Self.once }

  /// The number of warm-up steps in the same process.
  ///
  /// - Parameter isFirst: Whether this is the first warm-up in this process. A later warm-up has a tenth of
  ///   the steps.
  package func warmUp(for count: Int, isFirst: Bool) -> Int {
    switch self {
    // No warm-up, because it does not change the number of bytes.
    case .w7: 0
    // A short warm-up, because a longer one could determine the memory peak.
    case .w9, .w11a, .w11b: min(count, 10_000)
    default: isFirst ? count : max(1, count / 10)
    }
  }

  package static func slices(quick: Bool) -> Int { quick ? 5 : 15 }

  package var parts: [Part] {
    switch self {
    case .w8a, .w8b, .w8c: [.ending, .chain, .chainEnding]
    case .w10: [.low, .high, .ofCeiling]
    case .w13: [.one, .two, .four, .eight, .stall]
    case .w15a: [.forwards, .backwards, .late]
    default: []
    }
  }

  /// The workloads with this name. `W8` means W8a, W8b and W8c. `W5` means W5 alone, although there is a W5r.
  package static func named(_ name: String) -> [Workload] {
    let wanted = name.uppercased()
    let exact = allCases.filter { $0.rawValue.uppercased() == wanted }
    guard exact.isEmpty else { return exact }
    return allCases.filter { workload in
      let own = workload.rawValue.uppercased()
      return own.last!.isLetter && String(own.dropLast()) == wanted
    }
  }
}

/// Additional figures, in their own columns.
package enum Part: String, Sendable, Codable, CodingKeyRepresentable {
  /// W8: the time after the chain was built, while it is settled, cancelled or released.
  case ending
  /// W8: the time of W2 with the same number of steps, in the same process.
  case chain = "W2 here"
  /// W8: the time of this W2 after its chain was built.
  case chainEnding = "its ending"
  /// W10: a tenth of a round's slices have a lower speedup than this.
  case low = "slices from"
  /// W10: a tenth of a round's slices have a higher speedup than this.
  case high = "to"
  /// W10: the speedup as a multiple of the machine's speedup in the same slices.
  case ofCeiling = "x ceiling"
  /// W13: the time with this number of threads.
  case one = "1 thread"
  case two = "2 threads"
  case four = "4 threads"
  case eight = "8 threads"
  /// W15a: links made from the first promise to the last, links made from the last to the first, and late
  /// followers of the row's end.
  case forwards
  case backwards
  case late = "late followers"
  /// W13: the duration of the longest `then`, in milliseconds.
  case stall = "longest stall (ms)"
}
