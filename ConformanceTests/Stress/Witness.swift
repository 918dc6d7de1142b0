// What is noted of a promise while threads do with it what they like.

import DynamicPromise
import Synchronization

/// When something was made or done: the later, the greater.
enum Age {
  private static let last = Atomic<UInt64>(0)

  static var now: UInt64 { last.load(ordering: .sequentiallyConsistent) }
  static func next() -> UInt64 { last.add(1, ordering: .sequentiallyConsistent).newValue }
}

/// What handlers a child has, and so for which outcomes of its parent one of them runs.
enum Handles { case nothing, value, reason, both }

/// A promise under observation.
final class Witness: @unchecked Sendable {
  let handles: Handles
  /// Which operation made it.
  let operation: String
  /// Runs all the same if it is cancelled (C9.4), on a context that runs every job.
  let isFinally: Bool
  private(set) weak var promise: Promise?
  private weak var parent: Promise?
  /// Set once, before others can see this: what is younger was made later.
  private(set) var age = UInt64.max
  /// Both until the end of a round that keeps its promises.
  private var kept: (Promise, parent: Promise?)?
  private let runs = Atomic<Int>(0)
  private let hooks = Atomic<Int>(0)
  private let hookRuns = Atomic<Int>(0)
  /// It was resolved by hand, or an operation has tried to.
  private let isByHand = Atomic<Bool>(false)
  /// What it follows from now on, as its handler or another operation says.
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

  /// Its handler begins; `input` is `nil` for one that is not given any.
  func start(_ input: Result<Any, any Error>?) {
    let count = runs.add(1, ordering: .sequentiallyConsistent).newValue
    if count > 1 { Report.fail("2.2.2.3", "a handler of \(name) runs \(count) times") }
    guard case .success(let value)? = input, let parent else { return }
    guard let outcome = Sighting(parent), outcome.isFulfilled else {
      return Report.fail("2.2.2.2", "the handler of \(name) runs, and its parent is not fulfilled")
    }
    let received = Sighting(of: value)
    if outcome != received {
      Report.fail("2.2.2.1", "the handler of \(name) gets \(received.text), not \(outcome.text)")
    }
  }

  func resolveByHand() { isByHand.store(true, ordering: .sequentiallyConsistent) }

  /// Its own handler, while it runs, fulfills it by hand.
  func fulfill(_ value: Value) {
    guard let promise else { return }
    resolveByHand()
    promise.fulfill(value)
    look()
  }

  func addHook() { hooks.add(1, ordering: .sequentiallyConsistent) }
  func runHook() { hookRuns.add(1, ordering: .sequentiallyConsistent) }

  /// It will follow another one, unless it is cancelled before that has settled.
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

  /// 2.1.2, 2.1.3: it stays as it was seen first.
  func look() {
    guard Round.mode == .kept, let promise, let now = Sighting(promise) else { return }
    var before = now
    first.change { first in
      before = first ?? now
      first = before
    }
    if before != now { Report.fail("2.1.2.2", "\(name) was \(before.text), and is \(now.text)") }
  }

  /// What must hold in the end, when everything has settled and has run.
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

  /// 2.3.2
  private func checkFollower(_ outcome: Sighting, _ target: Promise) {
    if outcome.isCancelledByRequest != false || outcome.isCycle { return }
    // C9.5, A3.5: what its handler returned came too late.
    if handles != .nothing, isByHand.load(ordering: .sequentiallyConsistent) { return }
    guard let other = Sighting(target) else {
      return Report.fail("2.3.2.1", "\(name) is \(outcome.text), and follows one that is pending")
    }
    if outcome != other {
      Report.fail("2.3.2.2", "\(name) is \(outcome.text), and follows one that is \(other.text)")
    }
  }

  /// 2.2.2.1, 2.2.3.1: the handler for the parent's outcome has not run.
  private func checkOwed(_ outcome: Sighting, _ parent: Promise) {
    guard let input = Sighting(parent) else { return }
    switch handles {
    case .nothing: return
    case .value: if !input.isFulfilled { return }
    case .reason: if input.isFulfilled { return }
    case .both: break
    }
    // Withdrawn (C9.1); or its context has lost the job (X3).
    if outcome.isCancelledByRequest != false, !isFinally { return }
    if outcome.isBroken || isByHand.load(ordering: .sequentiallyConsistent) { return }
    Report.fail("2.2.2.1", "the handler of \(name) has not run; its parent is \(input.text)")
  }
}
