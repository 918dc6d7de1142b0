import Foundation
import PromisesAPlusSuite

/// A promise as in a tutorial, with one subtle mistake. Unlike in the stand-in, nothing holds a race open.
final class SubtlePromise: @unchecked Sendable {
  enum Mistake: String, CaseIterable {
    case errorAsValueRejects = "fulfill(error) rejects"
    case calledTwice = "a handler that is added while the promise settles is called twice (race)"
    case handlerLost = "a handler that is added while the promise settles is lost (race)"
    case lastWins = "of two settlements at the same instant, both win (race)"
    case adoptsBlindly = "a promise that settles while it is adopted never tells (race)"
    case bothAnswers = "of two answers of a thenable at the same instant, both win (race)"
    case overtaken = "a handler that is added while the promise settles overtakes earlier ones (race)"
    case catchesItsOwnThrow = "then catches what its own onFulfilled throws"
    case forgetsInHandlers = "handlers that are added inside a handler are forgotten"
    case lateAtOnce = "a handler of a settled promise runs inside then"
    case resolvedIsOpen = "a promise that follows another one can still be settled"
    case settlesAgain = "every settlement counts and calls the handlers again"
  }

  typealias Reaction = @Sendable (Outcome) -> Void

  enum Outcome: @unchecked Sendable {
    case value(Any)
    case reason(Any)
  }

  struct Cycle: Error {}

  private let mistake: Mistake?
  private let context: @Sendable (@escaping @Sendable () -> Void) -> Void
  private let lock = NSRecursiveLock()
  private var isResolved = false
  private var isInHandler = false
  private var outcome: Outcome?
  private var reactions: [Reaction] = []
  private var followed: SubtlePromise?

  init(_ mistake: Mistake?, _ context: @escaping @Sendable (@escaping @Sendable () -> Void) -> Void) {
    (self.mistake, self.context) = (mistake, context)
  }

  // MARK: Settling

  func fulfill(_ value: Any) {
    guard claim() else { return }
    if mistake == .errorAsValueRejects, value is any Error { return settle(.reason(value)) }
    settle(.value(value))
  }

  func reject(_ reason: Any) { if claim() { settle(.reason(reason)) } }

  func resolve(_ x: Any) { if claim() { resolution(x) } }

  private func claim() -> Bool {
    if mistake == .settlesAgain { return true }
    if mistake == .lastWins, !lock.withLock({ isResolved }) {
      lock.withLock { isResolved = true }
      return true
    }
    return lock.withLock {
      defer { isResolved = true }
      return !isResolved || mistake == .resolvedIsOpen && outcome == nil
    }
  }

  private func settle(_ outcome: Outcome) {
    let late = lock.withLock { () -> [Reaction] in
      self.outcome = outcome
      let waiting = reactions
      if mistake == .settlesAgain || mistake == .overtaken { return waiting }
      reactions = []
      // Scheduled with the lock held, so that no later handler overtakes them.
      for reaction in waiting { reaction(outcome) }
      return []
    }
    for reaction in late { reaction(outcome) }
  }

  private func resolution(_ x: Any) {
    if let other = x as? SubtlePromise { return follow(other) }
    guard let thenable = x as? SubtleThenable else { return settle(.value(x)) }
    let answered = Locked(false)
    let isFirst = { @Sendable [mistake] in
      if mistake == .bothAnswers, !answered.value {
        answered.withLock { $0 = true }
        return true
      }
      return answered.withLock { answered in
        defer { answered = true }
        return !answered
      }
    }
    do {
      guard let then = try thenable.source.readThen() else { return settle(.value(x)) }
      do {
        try then(
          { x in if isFirst() { self.resolution(x) } }, { x in if isFirst() { self.settle(.reason(x)) } })
      } catch { if isFirst() { settle(.reason(error)) } }
    } catch { settle(.reason(error)) }
  }

  private static let rings = NSLock()

  private func follow(_ other: SubtlePromise) {
    let isRing = Self.rings.withLock {
      followed = other
      return sequence(first: other, next: { $0.followed }).contains { $0 === self }
    }
    if isRing {
      followed = nil
      return settle(.reason(Cycle()))
    }
    let adopt: Reaction = { [self] outcome in
      context { [self] in
        Self.rings.withLock { followed = nil }
        settle(outcome)
      }
    }
    if mistake == .adoptsBlindly {
      if let outcome = other.lock.withLock({ other.outcome }) { return adopt(outcome) }
      return other.lock.withLock { other.reactions.append(adopt) }
    }
    other.react(adopt)
  }

  // MARK: Handlers

  func then(_ onFulfilled: Handler?, _ onRejected: Handler?) -> SubtlePromise {
    let child = SubtlePromise(mistake, context)
    let run: Reaction = { [self] outcome in
      lock.withLock { isInHandler = true }
      defer { lock.withLock { isInHandler = false } }
      do {
        switch outcome {
        case .value(let value):
          guard let onFulfilled else { return child.settle(outcome) }
          do { child.resolution(try onFulfilled(value)) } catch {
            guard mistake == .catchesItsOwnThrow, let onRejected else { throw error }
            child.resolution(try onRejected(error))
          }
        case .reason(let reason):
          guard let onRejected else { return child.settle(outcome) }
          child.resolution(try onRejected(reason))
        }
      } catch { child.settle(.reason(error)) }
    }
    if mistake == .lateAtOnce, let outcome = lock.withLock({ outcome }) {
      run(outcome)
    } else if !(mistake == .forgetsInHandlers && lock.withLock { isInHandler }) {
      react { [context] outcome in context { run(outcome) } }
    }
    return child
  }

  /// Stores a reaction, or runs it if there is an outcome.
  private func react(_ reaction: @escaping Reaction) {
    switch mistake {
    case .calledTwice:
      lock.withLock { reactions.append(reaction) }
      if let outcome = lock.withLock({ outcome }) { reaction(outcome) }
    case .handlerLost:
      if let outcome = lock.withLock({ outcome }) { return reaction(outcome) }
      lock.withLock { reactions.append(reaction) }
    default:
      lock.withLock {
        if mistake == .settlesAgain || outcome == nil { reactions.append(reaction) }
        if let outcome { reaction(outcome) }
      }
    }
  }
}

private struct SubtleThenable { let source: ThenableSource }

struct SubtleAdapter: PromiseAdapter {
  var mistake: SubtlePromise.Mistake?
  var context: @Sendable (@escaping @Sendable () -> Void) -> Void

  init(_ mistake: SubtlePromise.Mistake?) {
    let queue = DispatchQueue(label: "subtle")
    (self.mistake, context) = (mistake, { queue.async(execute: $0) })
  }

  func pending() -> Deferred<SubtlePromise> {
    let promise = SubtlePromise(mistake, context)
    return Deferred(
      promise: promise, resolve: { promise.resolve($0) }, fulfill: { promise.fulfill($0) },
      reject: { promise.reject($0) })
  }

  func then(_ promise: SubtlePromise, _ onFulfilled: Handler?, _ onRejected: Handler?) -> SubtlePromise {
    promise.then(onFulfilled, onRejected)
  }

  func thenable(_ source: ThenableSource) -> Any { SubtleThenable(source: source) }

  func isCycleError(_ reason: Any) -> Bool { reason is SubtlePromise.Cycle }

  func on(_ context: SteppedContext) -> SubtleAdapter? {
    var copy = self
    copy.context = { context.enqueue($0) }
    return copy
  }
}
