import Foundation

/// A small and correct untyped promise, with one switch per `Defect`. It shares nothing with any library.
///
/// States: pending -> claimed (a resolution has been accepted) -> settled. `outcome` is set once; before that
/// `reactions` holds, in order, what waits for it. All of it belongs to the lock of the world.
final class StandIn: @unchecked Sendable {
  typealias Handler = @Sendable (Any) throws -> Any

  /// Values are `Any`, so their safety is the business of the tests.
  enum Outcome: @unchecked Sendable {
    case fulfilled(Any)
    case rejected(Any)

    var isRejection: Bool {
      if case .rejected = self { true } else { false }
    }
  }

  struct Cycle: Error {}
  /// Reason of those mutants that lose the right one.
  struct Wrong: Error {}
  /// Value of those mutants that lose the right one.
  final class Other: Sendable {}

  let world: StandInWorld
  private let maker = Thread.current
  var outcome: Outcome?
  /// The promise whose state this one will take over.
  var target: StandIn?
  /// Set by `.otherContextRunsHandlers` alone.
  var adoptedWorld: StandInWorld?
  var claims = 0
  /// Set by `.cycleLosesRace` alone.
  var isResolving = false
  /// How many calls are in the window of `.bothSettlementsWin`.
  private var visitors = 0
  var reactions: [StandInReaction] = []
  /// Set by `.throwStopsSiblings` alone.
  var hasFailedHandler = false
  /// The promise whose `then` made this one.
  weak var parent: StandIn?
  /// The promises that its `then` made, for cancelling.
  var children: [WeakStandIn] = []
  /// Set by `.oneChildForAll` alone.
  var child: StandIn?

  init(_ world: StandInWorld) {
    self.world = world
  }

  deinit {
    StandInGraveyard.bury(&reactions)
  }

  // MARK: Settling, by who made the promise

  func fulfill(_ value: Any) {
    if claim(for: .fulfilled(value)) { settle(.fulfilled(value)) }
  }

  func reject(_ reason: Any) {
    guard claim(for: .rejected(reason)) else { return }
    if has(.rejectedReasonAdopted), reason is StandIn || reason is StandInThenable {
      return resolution(reason)
    }
    settle(.rejected(reason))
  }

  func resolve(_ x: Any) {
    if claim(for: .fulfilled(x)) { resolution(x) }
  }

  /// True for the first caller only.
  private func claim(for outcome: Outcome) -> Bool {
    world.locked {
      if claims > 0 {
        if self.outcome == nil { return has(.adoptionDoesNotLock) }
        secondSettlement(outcome)
        return false
      }
      if has(.bothSettlementsWin) || has(.bothRejectionsWin) && outcome.isRejection {
        visitors += 1
        world.changed()
        window { visitors > 1 }
      }
      claims += 1
      return true
    }
  }

  // MARK: Settling

  /// Takes the outcome and schedules what waited for it. Ignored when there is an outcome already.
  /// `inside`: runs it on the caller's stack instead, as a mutant does.
  func settle(_ outcome: Outcome, inside: Bool = false) {
    let immediate = world.locked { () -> [StandInReaction] in
      if self.outcome != nil {
        if has(.throwDoesNotLock) || has(.bothSettlementsWin) || has(.bothRejectionsWin)
          || has(.bothThenableCallsWin)
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
      if has(.runsInsideAdoption) {
        hand(waiting.filter { !$0.isAdoption }, outcome)
        return waiting.filter(\.isAdoption)
      }
      if has(.overtakenByLateThen) {
        // Hands the list over in a second step, which a `then` in between does not know of.
        world.hand { self.world.locked { self.hand(waiting, outcome) } }
      } else {
        hand(waiting, outcome)
      }
      return []
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
    for reaction in waiting {
      world.hand { [self] in reaction.run(outcome, of: self) }
    }
  }

  private func runsInside(_ outcome: Outcome) -> Bool {
    if case .rejected = outcome, has(.runsInsideReject) { return true }
    return has(.runsInsideSettle) || runsInsideHandler
  }

  /// Whether this call is to run what it sets off at once, since a handler of the worker made it.
  var runsInsideHandler: Bool {
    has(.runsInsideHandler) && world.isInsideHandler
  }

  private var keepsReactions: Bool {
    has(.secondFulfilRunsAgain) || has(.secondRejectRunsAgain)
  }

  /// What the mutants do with a settlement that comes too late; the healthy stand-in does nothing.
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

  /// Holds a race open, see `StandInWorld.window`. The thread that made the promise may settle it and add to
  /// it before anybody else knows of it: it does not race.
  func window(until isOver: () -> Bool) {
    if Thread.current != maker { world.window(until: isOver) }
  }

  func has(_ defect: Defect) -> Bool {
    world.has(defect)
  }
}
