// What is counted, so that nothing is left in the end: values, what handlers capture, and what the pool
// holds.

import Dispatch
import DynamicPromise
import Seeds
import Synchronization

class Live: @unchecked Sendable {
  enum Kind: Int, CaseIterable { case capture, entry, expectation, context, value, reason, thenable }

  private final class Count: Sendable {
    let alive = Atomic<Int>(0)
    let made = Atomic<Int>(0)
  }

  private static let counts = Kind.allCases.map { _ in Count() }
  private static let someGone = DispatchSemaphore(value: 0)
  private static let isAwaited = Atomic<Bool>(false)

  static var made: Int { counts.reduce(0) { $0 + $1.made.load(ordering: .relaxed) } }

  /// What promises do not hold when they have settled.
  static let ofHandlers: [Kind] = [.capture, .entry, .expectation]

  /// What is left, by kind.
  static func alive(_ kinds: [Kind]) -> [(kind: Kind, count: Int)] {
    kinds.map { ($0, counts[$0.rawValue].alive.load(ordering: .sequentiallyConsistent)) }
      .filter { $0.1 != 0 }
  }

  private let kind: Kind

  init(_ kind: Kind = .capture) {
    self.kind = kind
    Live.counts[kind.rawValue].alive.add(1, ordering: .relaxed)
    Live.counts[kind.rawValue].made.add(1, ordering: .relaxed)
  }

  deinit {
    Live.counts[kind.rawValue].alive.subtract(1, ordering: .sequentiallyConsistent)
    if Live.isAwaited.load(ordering: .sequentiallyConsistent) { Live.someGone.signal() }
  }

  /// Waits until none is left; reports it if that lasts too long. A `deinit` may have made another one, so
  /// that is asked twice.
  static func waitForNone(of kinds: [Kind] = Kind.allCases, until deadline: DispatchTime) {
    isAwaited.store(true, ordering: .sequentiallyConsistent)
    defer { isAwaited.store(false, ordering: .sequentiallyConsistent) }
    while !alive(kinds).isEmpty || !alive(kinds).isEmpty {
      guard someGone.wait(timeout: deadline) == .timedOut, !alive(kinds).isEmpty else { continue }
      let left = alive(kinds).map { "\($0.count) (\($0.kind))" }.joined(separator: ", ")
      return Report.fail("L4.1", "of \(made) objects are left: \(left)")
    }
  }
}

/// Something whose `deinit` may act, wherever that runs.
class Mine: Live, @unchecked Sendable {
  private let random: Random?

  init(_ kind: Kind, _ random: inout Random) {
    self.random = random.once(in: 8) ? random.fork() : nil
    super.init(kind)
  }

  deinit {
    if var random { Deed.run(&random) }
  }
}

/// What a handler captures.
final class Capture: Mine, @unchecked Sendable {
  init(_ random: inout Random) { super.init(.capture, &random) }
}

/// What promises are fulfilled with.
final class Value: Mine, @unchecked Sendable {
  init(_ random: inout Random) { super.init(.value, &random) }
}

/// What promises are rejected and cancelled with.
final class Reason: Mine, Error, @unchecked Sendable {
  init(_ random: inout Random) { super.init(.reason, &random) }
}

/// Cancels a promise in its `deinit`.
final class Canceller: Live, @unchecked Sendable {
  private let promise: Promise

  init(_ promise: Promise) {
    self.promise = promise
    super.init(.value)
  }

  deinit { promise.cancel() }
}
