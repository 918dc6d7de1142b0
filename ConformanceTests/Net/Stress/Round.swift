// The checks between two rounds of operations, and the records that they need.

import Dispatch
import DynamicPromise
import Synchronization

/// In a round, each thread performs its operations. Then all threads stop, and unfinished work ends. Finally,
/// the rules that require a quiet state are checked.
enum Round {
  /// The lifetime of the promises of a round.
  enum Mode: Int {
    /// The round retains its promises until its end, so that all rules can be checked.
    case kept
    /// Promises are freed when the library releases them. The remaining promises are checked.
    case watched
    /// The round has no references to its promises, not even weak references.
    case unseen
  }

  private static let current = Atomic<Int>(0)
  private static let witnesses = (0..<16).map { _ in Mutexed<[Witness]>([]) }
  private static let cancels = Mutexed<[Cancel]>([])
  private static let expectations = Mutexed<[Expectation]>([])

  static var mode: Mode { Mode(rawValue: current.load(ordering: .relaxed))! }

  static func begin(_ mode: Mode) { current.store(mode.rawValue, ordering: .sequentiallyConsistent) }

  static func enter(_ witness: Witness) {
    witnesses[Int(witness.age) % witnesses.count].change { $0.append(witness) }
  }

  static func enter(_ expectation: Expectation) { expectations.change { $0.append(expectation) } }

  static func cancel(_ root: Promise) {
    let reason = RootCancel()
    if mode != .unseen {
      let cancel = Cancel(root, reason, isKept: mode == .kept)
      // C3.6: after a cancel by request, another cancel does nothing. This applies even to a promise that was
      // added later, below a child that was settled by hand. The age is read before this check, so that older
      // promises certainly existed before the cancel.
      if !root.description.hasPrefix(Cancel.cancelled) { cancels.change { $0.append(cancel) } }
    }
    root.cancel(reason)
  }

  static var all: [Witness] { witnesses.flatMap(\.value) }

  /// C3.2: waits until every promise that was below a root when it was cancelled has settled. Running
  /// handlers and clean-up end meanwhile.
  static func checkCancels(until deadline: DispatchTime) {
    let pending = all.filter { $0.promise?.isPending == true }
    for cancel in cancels.value {
      for witness in pending where witness.age <= cancel.age {
        wait("C3.2", until: deadline) {
          guard let root = cancel.root, let promise = witness.promise, promise.isPending else { return nil }
          guard promise.root === root, cancel.reaches(promise) else { return nil }
          let path = sequence(first: promise, next: \.parent).map(\.description).joined(separator: " <- ")
          return "\(witness.name) is pending after a cancel of its root; \(path)"
        }
      }
    }
    cancels.value = []
  }

  /// K17.1: checks a settled tree. No promise that existed when the wait began may be pending.
  static func checkTree(below top: Promise, _ age: UInt64) {
    for witness in all where witness.age <= age {
      guard let promise = witness.promise, promise.isPending else { continue }
      if sequence(first: promise, next: \.parent).contains(where: { $0 === top }) {
        Report.fail("K17.1", "\(witness.name) is pending below a tree that has settled")
      }
    }
  }

  /// Waits until all expectations are met and all promises have settled. Then checks the other rules.
  static func checkEnd(until deadline: DispatchTime) {
    for expectation in expectations.value {
      wait(expectation.clause, until: deadline) { expectation.complaint }
    }
    expectations.value = []
    guard mode == .kept else { return }
    let all = all
    for witness in all {
      wait("2.1.1", until: deadline) {
        witness.promise?.isPending == true ? "\(witness.name) is pending at the end" : nil
      }
    }
    for witness in all { witness.checkEnd() }
  }

  /// Releases all references of the round, and waits until the promises are freed.
  static func end(until deadline: DispatchTime) {
    let all = all
    for shard in witnesses { shard.value = [] }
    // Removes the cancels that were recorded after the check.
    cancels.value = []
    for witness in all { witness.letGo() }
    for witness in all {
      wait("L4.1", until: deadline) { witness.promise == nil ? nil : "\(witness.name) is never freed" }
    }
  }

  /// Polls, because no event reports the end of the last promise.
  private static func wait(_ clause: String, until deadline: DispatchTime, _ complaint: () -> String?) {
    while let text = complaint() {
      if DispatchTime.now() > deadline { return Report.fail(clause, text) }
      _ = DispatchSemaphore(value: 0).wait(timeout: .now() + 0.001)
    }
  }
}

/// A cancel of a root. Every promise in the tree that is not younger than the cancel must settle.
private struct Cancel: @unchecked Sendable {
  /// The description of a promise that was cancelled by request. Other rejections have another description.
  static let cancelled = "Promise(cancelled: "

  let age = Age.now
  private(set) weak var root: Promise?
  private let kept: Promise?
  private let reason: RootCancel

  init(_ root: Promise, _ reason: RootCancel, isKept: Bool) {
    self.root = root
    self.reason = reason
    kept = isKept ? root : nil
  }

  /// C3.6: whether the cancel must settle the promise. A cancel has no effect below an ancestor that was
  /// cancelled for another reason.
  func reaches(_ promise: Promise) -> Bool {
    let highest = sequence(first: promise, next: \.parent).dropFirst().prefix { $0 !== root }
      .filter { $0.description.hasPrefix(Self.cancelled) }.last
    guard case .failure(let found)? = highest?.result else { return true }
    return found as? RootCancel === reason
  }
}

/// The reason of one cancel of a root.
private final class RootCancel: Error, Sendable {}

/// An event that must have happened exactly `times` times when the round ends.
final class Expectation: Live, @unchecked Sendable {
  let clause: String
  private let what: String
  private let times: Int
  private let met = Atomic<Int>(0)

  init(_ clause: String, _ what: String, times: Int = 1) {
    (self.clause, self.what, self.times) = (clause, what, times)
    super.init(.expectation)
    Round.enter(self)
  }

  func meet() {
    if met.add(1, ordering: .sequentiallyConsistent).newValue > times { Report.fail(clause, complaint!) }
  }

  fileprivate var complaint: String? {
    let count = met.load(ordering: .sequentiallyConsistent)
    return count == times ? nil : "\(what): \(count) of \(times)"
  }
}
