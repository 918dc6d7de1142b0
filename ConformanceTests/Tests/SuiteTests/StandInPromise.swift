import Foundation

/// A small and correct untyped promise, with one switch per `Defect`. It shares no code with any library.
///
/// States: pending -> claimed (a resolution has been accepted) -> settled. `outcome` is set once. Until then,
/// `reactions` contains the waiting reactions, in order. The lock of the world guards all of this state.
final class StandIn: @unchecked Sendable {
  typealias Handler = @Sendable (Any) throws -> Any

  /// The conformance is unchecked, because values are `Any`. The tests must use values safely.
  enum Outcome: @unchecked Sendable {
    case fulfilled(Any)
    case rejected(Any)
  }

  struct Cycle: Error {}
  /// The reason that mutants use when they lose the right reason.
  struct Wrong: Error {}
  /// The value that mutants use when they lose the right value.
  final class Other: Sendable {}

  let world: StandInWorld
  private let maker = Thread.current
  var outcome: Outcome?
  /// The promise whose state this promise will adopt.
  var target: StandIn?
  /// Only `.otherContextRunsHandlers` sets this property.
  var adoptedWorld: StandInWorld?
  var claims = 0
  /// Only `.cycleLosesRace` sets this property.
  var isResolving = false
  /// The number of calls in the window of `.bothSettlementsWin`.
  private var visitors = 0
  var reactions: [StandInReaction] = []
  /// Only `.throwStopsSiblings` sets this property.
  var hasFailedHandler = false
  /// Only `.oneChildForAll` sets this property.
  var child: StandIn?

  init(_ world: StandInWorld) { self.world = world }

  deinit { StandInGraveyard.bury(&reactions) }

  // MARK: Settling, by the owner of the promise

  func fulfill(_ value: Any) { if claim(for: .fulfilled(value)) { settle(.fulfilled(value)) } }

  func reject(_ reason: Any) {
    guard claim(for: .rejected(reason)) else { return }
    if has(.rejectedReasonAdopted), reason is StandIn || reason is StandInThenable {
      return resolution(reason)
    }
    settle(.rejected(reason))
  }

  func resolve(_ x: Any) { if claim(for: .fulfilled(x)) { resolution(x) } }

  /// Returns `true` only for the first caller.
  private func claim(for outcome: Outcome) -> Bool {
    if has(.claimUnlocked) {
      guard claims == 0 else { return false }
      claims += 1
      return true
    }
    return world.locked {
      if claims > 0 {
        if self.outcome == nil { return has(.adoptionDoesNotLock) }
        secondSettlement(outcome)
        return false
      }
      if has(.bothSettlementsWin) {
        visitors += 1
        world.changed()
        window { visitors > 1 }
      }
      claims += 1
      return true
    }
  }

  // MARK: Settling

  /// Sets the outcome and schedules the reactions, unless an outcome exists already. With `inside`, a mutant
  /// runs the reactions on the caller's stack instead.
  func settle(_ outcome: Outcome, inside: Bool = false) {
    let immediate = world.locked { () -> [StandInReaction] in
      if self.outcome != nil {
        if has(.throwDoesNotLock) || has(.bothSettlementsWin)
          || has(.bothThenableCallsWin) || has(.claimUnlocked)
          || has(.thenableSecondWins)
          || has(.throwAfterResolveCounts)
        {
          self.outcome = outcome
        }
        return []
      }
      if has(.nilValuePending), case .fulfilled(let value) = outcome, isNil(value) { return [] }
      let waiting = inOrder(reactions, outcome)
      self.outcome = outcome
      target = nil
      if !keepsReactions { reactions = [] }
      world.changed()
      if inside || runsInside(outcome) { return waiting }
      let isInside = { (reaction: StandInReaction) in
        self.has(.runsInsideAdoption) && reaction.isAdoption
      }
      if has(.overtakenByLateThen) {
        // The mutant schedules the list in a second step. A `then` call in between overtakes the list.
        world.hand { self.world.locked { self.hand(waiting, outcome) } }
      } else {
        hand(waiting.filter { !isInside($0) }, outcome)
      }
      return waiting.filter(isInside)
    }
    for reaction in immediate { reaction.run(outcome, of: self) }
  }

  private func inOrder(_ waiting: [StandInReaction], _ outcome: Outcome) -> [StandInReaction] {
    if has(.onlyFirstHandler) { return Array(waiting.prefix(1)) }
    switch outcome {
    case .fulfilled: return has(.reverseOrder) ? waiting.reversed() : waiting
    case .rejected: return has(.reverseRejectionOrder) ? waiting.reversed() : waiting
    }
  }

  func hand(_ waiting: [StandInReaction], _ outcome: Outcome) {
    let world = has(.otherContextRunsHandlers) ? adoptedWorld ?? world : world
    for reaction in waiting { world.hand { [self] in reaction.run(outcome, of: self) } }
  }

  private func runsInside(_ outcome: Outcome) -> Bool {
    if case .rejected = outcome, has(.runsInsideReject) { return true }
    return has(.runsInsideSettle) || runsInsideHandler
  }

  /// Whether this call must run its reactions at once, because a handler made the call.
  var runsInsideHandler: Bool { has(.runsInsideHandler) && world.isInsideHandler }

  private var keepsReactions: Bool { has(.secondFulfilRunsAgain) || has(.secondRejectRunsAgain) }

  /// Applies a late settlement in some mutants. The healthy stand-in ignores late settlements.
  private func secondSettlement(_ late: Outcome) {
    switch (outcome, late) {
    case (.fulfilled, .fulfilled):
      if has(.secondFulfilReplaces) { outcome = late }
      if has(.secondFulfilRunsAgain) { hand(reactions, late) }
    case (.rejected, .rejected):
      if has(.secondRejectReplaces) { outcome = late }
      if has(.secondRejectRunsAgain) { hand(reactions, late) }
    case (.fulfilled, .rejected):
      if has(.rejectAfterFulfil) { outcome = late }
    case (.rejected, .fulfilled):
      if has(.fulfilAfterReject) { outcome = late }
    case (nil, _):
      break
    }
  }

  /// Holds a race open; see `StandInWorld.window`. The thread that made the promise does not wait, because it
  /// may settle the promise and add handlers before other threads have a reference to the promise.
  func window(until isOver: () -> Bool) { if Thread.current != maker { world.window(until: isOver) } }

  func has(_ defect: Defect) -> Bool { world.has(defect) }
}
