// Counted objects: values, captures of handlers, and entries of the pool. None may be left at the end.

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

  /// The number of objects left, by kind.
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

  /// Waits until no object is left, and reports a failure at the deadline. Checks twice, because a `deinit`
  /// may have made another object.
  static func waitForNone(of kinds: [Kind] = Kind.allCases, until deadline: DispatchTime) {
    isAwaited.store(true, ordering: .sequentiallyConsistent)
    defer { isAwaited.store(false, ordering: .sequentiallyConsistent) }
    while !alive(kinds).isEmpty || !alive(kinds).isEmpty {
      guard someGone.wait(timeout: deadline) == .timedOut, !alive(kinds).isEmpty else { continue }
      let left = alive(kinds).map { "\($0.count) (\($0.kind))" }.joined(separator: ", ")
      return Report.fail("L4.1", "objects left of \(made): \(left)")
    }
  }
}

/// An object whose `deinit` may perform an action, on any thread.
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

/// A capture of a handler.
final class Capture: Mine, @unchecked Sendable {
  init(_ random: inout Random) { super.init(.capture, &random) }
}

/// A value with which promises are fulfilled.
final class Value: Mine, @unchecked Sendable {
  init(_ random: inout Random) { super.init(.value, &random) }
}

/// A reason with which promises are rejected and cancelled.
final class Reason: Mine, Error, @unchecked Sendable {
  init(_ random: inout Random) { super.init(.reason, &random) }
}

/// Runs a closure in its `deinit`.
final class Goer: Live, @unchecked Sendable {
  private let body: @Sendable () -> Void

  init(_ kind: Kind = .capture, _ body: @escaping @Sendable () -> Void) {
    self.body = body
    super.init(kind)
  }

  deinit { body() }
}
