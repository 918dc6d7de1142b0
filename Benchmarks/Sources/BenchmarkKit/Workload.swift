/// What is measured. The letters split a workload that has several ways to end.
package enum Workload: String, CaseIterable, Sendable, Codable {
  case w1 = "W1"
  case w2 = "W2"
  case w3 = "W3"
  case w4 = "W4"
  case w5 = "W5"
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

  /// One line for the head of its table.
  package var title: String {
    switch self {
    case .w1: "a chain of steps, each added to a promise that is fulfilled already"
    case .w2: "the same chain built while pending, then resolved"
    case .w3: "one pending promise with many handlers, then resolved"
    case .w4: "`all` of many pending promises that another thread resolves"
    case .w5: "independent promises: create, one handler, resolve"
    case .w6: "a chain whose handlers return promises that are resolved already"
    case .w7: "bytes of a pending promise with one handler and its child"
    case .w8a: "a deep pending chain, resolved and released"
    case .w8b: "a deep pending chain whose root loses its last resolver"
    case .w8c: "a deep pending chain, cancelled"
    case .w9: "a loop: each handler returns the promise of the next iteration"
    case .w10: "W5 on two threads at once: throughput against one"
    case .w11a: "short-lived children of one long-lived settled promise"
    case .w11b: "races against one long-lived pending promise"
    case .w12: "`then` and `resolve` of one promise by two threads at the same instant"
    }
  }

  /// What a figure counts.
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

  /// Measured in a process of its own, so that the peak of its memory is its own and a crash is only its own end.
  package var isAlone: Bool {
    switch self {
    case .w7, .w8a, .w8b, .w8c, .w9, .w11a, .w11b: true
    default: false
    }
  }

  /// How many steps or promises. Two where it is asked whether memory grows with their number.
  package func counts(quick: Bool) -> [Int] {
    switch self {
    case .w7, .w8a, .w8b, .w8c: [quick ? 100_000 : 1_000_000]
    case .w9, .w11a, .w11b: [10_000, quick ? 100_000 : 10_000_000]
    // Long enough for two threads to be under way.
    case .w10: [quick ? 100_000 : 1_000_000]
    default: [quick ? 10_000 : 100_000]
    }
  }

  /// The workloads that `name` stands for: `W1` is itself, `W8` its three.
  package static func named(_ name: String) -> [Workload] {
    allCases.filter { workload in
      let own = workload.rawValue.uppercased()
      let wanted = name.uppercased()
      return own == wanted || own.last!.isLetter && String(own.dropLast()) == wanted
    }
  }
}
