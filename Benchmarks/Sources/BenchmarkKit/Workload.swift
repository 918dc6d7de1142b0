/// What is measured. The letters split a workload that has several ways to end.
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

  /// One line for the head of its table.
  package var title: String {
    switch self {
    case .w1: "a chain of steps, each added to a promise that is fulfilled already"
    case .w2: "the same chain built while pending, then resolved"
    case .w3: "one pending promise with many handlers, then resolved"
    case .w4: "`all` of many pending promises that another thread resolves"
    case .w5: "independent promises: create, one handler, resolve"
    case .w5r: "W5 with promises that are settled by their resolvers"
    case .w6: "a chain whose handlers return promises that are resolved already"
    case .w7: "bytes of a pending promise with one handler and its child"
    case .w8a: "a deep pending chain, resolved and released"
    case .w8b: "a deep pending chain whose root loses its last resolver"
    case .w8c: "a deep pending chain, cancelled"
    case .w9: "a loop: each handler returns the promise of the next iteration"
    case .w10: "W5 on two threads at once: throughput against one, slice by slice"
    case .w11a: "short-lived children of one long-lived settled promise"
    case .w11b: "races against one long-lived pending promise"
    case .w12: "`then` and `resolve` of one promise by two threads at the same instant"
    case .w13: "chains of 1,000 steps below one settled promise, from 1, 2, 4 and 8 threads at once"
    case .w14: "independent promises whose handlers all go to one queue"
    case .w15a: "held promises in a row, each of which follows the one before; the dearest way to link them"
    case .w15b: "many promises that follow one"
    case .w15c: "a withdrawal that climbs a pending chain and runs down again"
    }
  }

  package enum Unit: String, Sendable, Codable {
    case nanoseconds = "ns"
    case bytes = "bytes"
    /// Times the throughput of one thread.
    case speedup = "x"
  }

  package var unit: Unit {
    switch self {
    case .w7: .bytes
    case .w10: .speedup
    default: .nanoseconds
    }
  }

  /// Measured in a separate process, so that the peak of memory is its own and a crash affects no other
  /// contender.
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
    // For a slice: long compared with the start of two threads, short compared with the pauses of a shared
    // machine.
    case .w10: [quick ? 10_000 : 50_000]
    // For each number of threads: a stall cannot be longer than all of it.
    case .w13: [quick ? 100_000 : 500_000]
    default: [quick ? 10_000 : 100_000]
    }
  }

  /// Workloads with that many steps are measured in the first round only: their memory does not vary, and
  /// they take long.
  private static let once = 10_000_000

  package func isMeasuredOnce(_ count: Int) -> Bool { isAlone && count >= Self.once }

  /// The number of warm-up steps in the same process.
  ///
  /// - Parameter isFirst: In this process; later a tenth is enough to forget who ran in between.
  package func warmUp(for count: Int, isFirst: Bool) -> Int {
    switch self {
    // Bytes are the same, warm or not.
    case .w7: 0
    // The peak for a large count must not be that of another large one before it.
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

  /// The workloads that `name` means: `W1` is itself, `W8` its three; `W5` is itself, though there is a
  /// `W5r`.
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
package enum Part: String, CaseIterable, Sendable {
  /// W8: from the settling, cancelling or dropping on, without what it took to build the chain.
  case ending
  /// W8: W2 with as many steps, in the same process.
  case chain = "W2 here"
  /// W8: what of W2 was not building.
  case chainEnding = "its ending"
  /// W10: a tenth of a round's slices is below.
  case low = "slices from"
  /// W10: a tenth of a round's slices is above.
  case high = "to"
  /// W10: as a multiple of what the machine gave in the same slices.
  case ofCeiling = "x ceiling"
  /// W13: with so many threads.
  case one = "1 thread"
  case two = "2 threads"
  case four = "4 threads"
  case eight = "8 threads"
  /// W15a: linked from the first one on; from the last one on; and what follows the end of such a row.
  case forwards
  case backwards
  case late = "late ones"
  /// W13: what the longest `then` took, in milliseconds.
  case stall = "longest stall (ms)"
}
