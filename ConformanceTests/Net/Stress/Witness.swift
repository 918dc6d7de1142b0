// A record of a promise that threads use at random.

import DynamicPromise
import Synchronization

/// The time of an event. A later event has a greater age.
enum Age {
  private static let last = Atomic<UInt64>(0)

  static var now: UInt64 { last.load(ordering: .sequentiallyConsistent) }
  static func next() -> UInt64 { last.add(1, ordering: .sequentiallyConsistent).newValue }
}

/// The handlers of a child: the outcomes of its parent for which a handler runs.
enum Handles { case nothing, value, reason, both }

/// A promise under observation.
final class Witness: @unchecked Sendable {
  let handles: Handles
  /// The name of the operation that made the promise.
  let operation: String
  /// Whether the handler is a `finally` on a context that runs every job. Such a handler runs even after a
  /// cancel (C9.4).
  let isFinally: Bool
  private(set) weak var promise: Promise?
  private weak var parent: Promise?
  /// The age of the promise. It is set once, before other threads can see this witness.
  private(set) var age = UInt64.max
  /// The promise and its parent, until the end of a round that keeps its promises.
  private var kept: (Promise, parent: Promise?)?
  private let runs = Atomic<Int>(0)
  private let hooks = Atomic<Int>(0)
  private let hookRuns = Atomic<Int>(0)
  /// Whether an operation has resolved the promise by hand, or has tried to do so.
  private let isByHand = Atomic<Bool>(false)
  /// The promise that the watched promise follows, according to its handler or an operation.
  private let target = Mutexed<Promise?>(nil)
  private let first = Mutexed<Sighting?>(nil)

  init(
    _ operation: String = "", _ handles: Handles = .nothing, isFinally: Bool = false,
    below parent: Promise? = nil
  ) {
    (self.operation, self.handles, self.isFinally) = (operation, handles, isFinally)
    if Round.mode == .kept { self.parent = parent }
  }

  func begin(_ promise: Promise) {
    guard Round.mode != .unseen else { return }
    self.promise = promise
    if Round.mode == .kept { kept = (promise, parent) }
    age = Age.next()
    Round.enter(self)
  }

  /// Checks the start of the handler. `input` is `nil` for a handler without an input.
  func start(_ input: Result<Any, any Error>?) {
    let count = runs.add(1, ordering: .sequentiallyConsistent).newValue
    if count > 1 { Report.fail("2.2.2.3", "a handler of \(name) runs \(count) times") }
    guard case .success(let value)? = input, let parent else { return }
    guard let outcome = Sighting(parent), outcome.isFulfilled else {
      return Report.fail("2.2.2.2", "the handler of \(name) runs, and its parent is not fulfilled")
    }
    let received = Sighting(of: value)
    if outcome != received {
      Report.fail("2.2.2.1", "the handler of \(name) receives \(received.text), not \(outcome.text)")
    }
  }

  func resolveByHand() { isByHand.store(true, ordering: .sequentiallyConsistent) }

  /// Fulfills the promise by hand from its own handler.
  func fulfill(_ value: Value) {
    guard let promise else { return }
    resolveByHand()
    promise.fulfill(value)
    look()
  }

  func addHook() { hooks.add(1, ordering: .sequentiallyConsistent) }
  func runHook() { hookRuns.add(1, ordering: .sequentiallyConsistent) }

  /// Records that the promise will follow another promise, unless it is cancelled before that promise
  /// settles.
  func follows(_ other: Promise) {
    if Round.mode == .kept { target.value = other }
  }

  func letGo() {
    kept = nil
    target.value = nil
    first.value = nil
  }

  var name: String {
    "\(operation) \(age)" + (promise.map { " (\($0.description))" } ?? "")
  }

  /// 2.1.2, 2.1.3: checks that the outcome has not changed since it was first seen.
  func look() {
    guard Round.mode == .kept, let promise, let now = Sighting(promise) else { return }
    var before = now
    first.change { first in
      before = first ?? now
      first = before
    }
    if before != now { Report.fail("2.1.2.2", "\(name) was \(before.text), and is \(now.text)") }
  }

  /// Checks the rules for the end, when all promises have settled and all handlers have run.
  func checkEnd() {
    guard let promise, let outcome = Sighting(promise) else { return }
    look()
    if let target = target.value, target !== promise { checkFollower(outcome, target) }
    if let isByRequest = outcome.isCancelledByRequest {
      let count = hookRuns.load(ordering: .sequentiallyConsistent)
      let due = isByRequest ? hooks.load(ordering: .sequentiallyConsistent) : 0
      if count != due { Report.fail("C6.1", "\(count) hooks of \(name) ran, not \(due)") }
    }
    if let parent = kept?.parent, runs.load(ordering: .sequentiallyConsistent) == 0 {
      checkOwed(outcome, parent)
    }
  }

  /// 2.3.2: checks that a follower has the outcome of its target.
  private func checkFollower(_ outcome: Sighting, _ target: Promise) {
    if outcome.isCancelledByRequest != false || outcome.isCycle { return }
    // C9.5, A3.5: the result of the handler has no effect after a settlement by hand.
    if handles != .nothing, isByHand.load(ordering: .sequentiallyConsistent) { return }
    guard let other = Sighting(target) else {
      return Report.fail("2.3.2.1", "\(name) is \(outcome.text), but its target is pending")
    }
    if outcome != other {
      Report.fail("2.3.2.2", "\(name) is \(outcome.text), but its target is \(other.text)")
    }
  }

  /// 2.2.2.1, 2.2.3.1: fails if the handler for the parent's outcome should have run. Called if it has not
  /// run.
  private func checkOwed(_ outcome: Sighting, _ parent: Promise) {
    guard let input = Sighting(parent) else { return }
    switch handles {
    case .nothing: return
    case .value: if !input.isFulfilled { return }
    case .reason: if input.isFulfilled { return }
    case .both: break
    }
    // Excluded: a handler that was withdrawn (C9.1), or whose context may have lost the job (X3).
    if outcome.isCancelledByRequest != false, !isFinally { return }
    if outcome.isBroken || isByHand.load(ordering: .sequentiallyConsistent) { return }
    Report.fail("2.2.2.1", "the handler of \(name) has not run; its parent is \(input.text)")
  }
}
