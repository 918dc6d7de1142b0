struct WeakStandIn: @unchecked Sendable {
  weak var promise: StandIn?

  init(_ promise: StandIn) { self.promise = promise }
}

/// The three ways to cancel a stand-in.
extension StandIn {
  /// Cancels this promise and everything below it. Promises are settled from the bottom up, so that no
  /// handler settles a promise before the cancel does.
  func cancel() {
    if has(.cancelIgnored) { return }
    world.locked {
      guard has(.cancelBothWin), outcome == nil else { return }
      window { outcome != nil }
      if outcome != nil { outcome = cancelled }
    }
    var next = [self]
    if has(.cancelReachesParent), let parent { next.append(parent) }
    var reached: [StandIn] = []
    while let promise = next.popLast() {
      let (isSettled, followed) = world.locked { (promise.outcome != nil, promise.target) }
      if has(.cancelReachesFollowed), let followed { next.append(followed) }
      if isSettled, has(.cancelReplacesOutcome) { world.locked { promise.outcome = promise.cancelled } }
      reached.append(promise)
      // With `.cancelRecovers`, the promises below are not cancelled, and receive the rejection.
      if has(isSettled ? .cancelStopsAtSettled : .cancelRecovers) { continue }
      next += world.locked { promise.children.compactMap(\.promise) }
    }
    for promise in reached.reversed() { promise.settleCancelled() }
  }

  /// Cancels upward, to the last promise without another consumer.
  func giveUp() {
    let isSettled = world.locked { outcome != nil }
    if isSettled, has(.upReplacesOutcome) { world.locked { outcome = cancelled } }
    if isSettled, !has(.upCountsTwice) { return }
    if !isSettled, !has(.upIgnoresConsumers), hasConsumers { return }
    let above = world.locked { [parent, has(.upForgetsFollowed) ? nil : target].compactMap { $0 } }
    settleCancelled()
    if has(.upStaysBelow) { return }
    for promise in above {
      // Only the mutant that counts twice reaches this line with a settled promise.
      if isSettled { promise.settleCancelled() } else { promise.giveUp() }
    }
  }

  /// Whether this promise has a pending child, or a pending promise that follows it.
  private var hasConsumers: Bool {
    world.locked {
      children.contains { $0.promise.map { $0.outcome == nil } ?? false }
        || !has(.upIgnoresFollowers) && reactions.contains { $0.isAdoption && $0.child.outcome == nil }
    }
  }

  /// Rejects the promise if it is pending, even if it follows another promise.
  func settleCancelled() {
    world.locked { claims += 1 }
    settle(cancelled, inside: has(.cancelRunsInside))
  }

  var cancelled: Outcome {
    if has(.cancelFulfils) { return .fulfilled(Other()) }
    return .rejected(has(.cancelOtherReason) ? Wrong() as any Error : CancellationError())
  }
}

final class StandInToken: @unchecked Sendable {
  private let world: StandInWorld
  private var tied: [StandIn] = []
  private var isCancelled = false

  init(_ world: StandInWorld) {
    self.world = world
    world.locked { world.tokens.append(self) }
  }

  func tie(_ promise: StandIn) -> StandIn {
    let child = world.has(.tokenCancelsOriginal) ? promise : promise.then(nil, nil)
    let isLate = world.locked {
      tied.append(child)
      return isCancelled
    }
    if isLate, !world.has(.tokenForgetsLate) { child.settleCancelled() }
    return child
  }

  func cancel() {
    let tokens = world.has(.tokenShared) ? world.locked { world.tokens } : [self]
    for token in tokens {
      let tied = world.locked {
        token.isCancelled = true
        return token.tied
      }
      for promise in world.has(.tokenCancelsFirstOnly) ? Array(tied.prefix(1)) : tied {
        world.locked {
          if world.has(.tokenReplacesOutcome), promise.outcome != nil { promise.outcome = promise.cancelled }
        }
        promise.settleCancelled()
      }
    }
  }
}
