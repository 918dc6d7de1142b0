import Foundation

/// The type that the stand-in recognizes as a thenable.
protocol StandInThenable { var then: StandInThenMethod? { get throws } }

typealias StandInThenMethod = (
  _ resolvePromise: @escaping @Sendable (Any) -> Void, _ rejectPromise: @escaping @Sendable (Any) -> Void
) throws -> Void

extension StandIn {
  /// `[[Resolve]](self, x)`, for a promise that has accepted `x` as its only resolution.
  func resolution(_ x: Any) {
    if let other = x as? StandIn { return adopt(other) }
    if let thenable = x as? StandInThenable, !isTakenAsValue(x) { return ask(thenable) }
    if has(.nilNeverSettles), isNil(x) { return }
    settle(.fulfilled(x))
  }

  private func isTakenAsValue(_ x: Any) -> Bool {
    has(.thenableIsAValue) || has(.onlyClassesAreThenables) && !(type(of: x) is AnyClass)
  }

  func isNil(_ x: Any) -> Bool {
    if case Optional<Any>.none = x { return true }
    let mirror = Mirror(reflecting: x)
    return mirror.displayStyle == .optional && mirror.children.isEmpty
  }

  // MARK: Promises

  private func adopt(_ other: StandIn) {
    let isCycle = world.locked { closesCycle(with: other) }
    if isCycle {
      if has(.cycleIgnored) { return }
      if has(.cycleFulfils) { return settle(.fulfilled(other)) }
      return settle(.rejected(has(.cycleOtherError) ? Wrong() : Cycle() as any Error))
    }
    let isPending = world.locked { other.outcome == nil }
    if isPending, has(.pendingNotWaitedFor) { return settle(.fulfilled(())) }
    if has(isPending ? .adoptedNeverSettles : .settledNotAdopted) { return }
    if isPending, other.world !== world, has(.otherContextIsForgotten) { return }
    if isPending, has(.adoptionPolls) { return poll(other) }
    if isPending, has(.adoptionRegistersLate) {
      return world.hand { other.reactions.append(StandInReaction(child: self, isAdoption: true)) }
    }
    if has(.otherContextRunsHandlers) { adoptedWorld = other.world }
    // The worker settles this promise, so that a long chain of adoptions does not deepen the stack.
    other.register(StandInReaction(child: self, isAdoption: true))
  }

  private func poll(_ other: StandIn) {
    world.hand { [self] in
      if let outcome = world.locked({ other.outcome }) { adopted(outcome) } else { poll(other) }
    }
  }

  /// Whether `other` waits for this promise, possibly through more promises. If not, this promise now waits
  /// for `other`.
  private func closesCycle(with other: StandIn) -> Bool {
    var next: StandIn? = other
    var steps = 0
    while let promise = next {
      if promise === self { return true }
      steps += 1
      if has(.longCycleIgnored) || has(.ringOfThreeIgnored) && steps == 2 { break }
      next = promise.target
    }
    if has(.cycleLosesRace) {
      isResolving = true
      world.changed()
      window { other.isResolving }
    }
    target = other
    return false
  }

  /// Settles this promise with the outcome of the adopted promise.
  func adopted(_ outcome: Outcome) {
    switch outcome {
    case .fulfilled:
      settle(
        has(.adoptedValueReplaced) ? .fulfilled(Other()) : outcome, inside: has(.runsInsideAdoption))
    case .rejected(let reason):
      if has(.adoptedRejectionFulfils) { return settle(.fulfilled(reason)) }
      settle(has(.adoptedReasonReplaced) ? .rejected(Wrong()) : outcome)
    }
  }

  // MARK: Thenables

  private func ask(_ thenable: StandInThenable) {
    let method: StandInThenMethod?
    do {
      if has(.getterReadTwice) { _ = try thenable.then }
      method = try has(.getterReadLocked) ? world.locked { try thenable.then } : thenable.then
    } catch {
      if has(.getterErrorLost) { return }
      return settle(has(.getterErrorFulfils) ? .fulfilled(thenable) : .rejected(error))
    }
    guard let method else {
      if has(.nonCallableNeverSettles) { return }
      return settle(has(.nonCallableRejects) ? .rejected(thenable) : .fulfilled(thenable))
    }
    let answer = StandInAnswer(self)
    if has(.thenMethodTwice) { try? method({ answer.resolve($0) }, { answer.reject($0) }) }
    do {
      try method({ answer.resolve($0) }, { answer.reject($0) })
    } catch {
      if has(.throwIgnored) { return }
      if has(.throwAfterResolveCounts) { return settle(.rejected(error)) }
      answer.throwing(error)
    }
  }
}

/// The two functions that a thenable receives. Only the first call of either function counts.
private final class StandInAnswer: @unchecked Sendable {
  private let promise: StandIn
  private let home = Thread.current
  private var calls = 0
  private var visitors = 0

  init(_ promise: StandIn) { self.promise = promise }

  func resolve(_ x: Any) {
    guard isFirst() else { return }
    if has(.cycleThroughThenable), x as? StandIn === promise { return }
    if has(.resolvedValueKept) { return promise.settle(.fulfilled(x)) }
    if has(.innerThenableKept), !(x is StandIn) { return promise.settle(.fulfilled(x)) }
    promise.resolution(x)
  }

  func reject(_ reason: Any) {
    guard isFirst() else { return }
    if has(.thenableReasonFulfils) { return promise.settle(.fulfilled(reason)) }
    if has(.thenableReasonAdopted), reason is StandIn || reason is StandInThenable {
      return promise.resolution(reason)
    }
    promise.settle(.rejected(reason))
  }

  func throwing(_ error: any Error) {
    let counts = has(.throwDoesNotLock) ? promise.world.locked { calls == 0 } : isFirst()
    if counts { promise.settle(.rejected(error)) }
  }

  private func isFirst() -> Bool {
    if has(.foreignThreadIgnored), Thread.current != home { return false }
    if has(.thenableSecondWins) { return true }
    return promise.world.locked {
      if has(.thenableLocksLate) { return promise.outcome == nil }
      if calls > 0 { return false }
      if has(.bothThenableCallsWin) {
        visitors += 1
        promise.world.changed()
        promise.window { visitors > 1 }
      }
      calls += 1
      return true
    }
  }

  private func has(_ defect: Defect) -> Bool { promise.has(defect) }
}
