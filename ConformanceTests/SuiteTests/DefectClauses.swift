extension Defect {
  /// The clause that the defect breaks. The suite must detect the defect in this clause. Other clauses may
  /// also fail.
  var clause: String {
    switch self {
    case .secondFulfilReplaces, .lastFulfilWins, .rejectAfterFulfil, .bothHandlersRun, .bothSettlementsWin,
      .claimUnlocked, .handlerResultReplacesValue:
      "2.1.2.1"
    case .secondRejectReplaces, .fulfilAfterReject, .bothHandlersRunOnRejection, .bothRejectionsWin: "2.1.3.1"
    case .nilFulfilDropsBoth: "2.2.1.1"
    case .nilRejectDropsBoth: "2.2.1.2"
    case .lateHandlerLost, .valueCopied, .nilValuePending, .thenLosesRace: "2.2.2.1"
    case .fulfilHandlerEarly: "2.2.2.2"
    case .fulfilHandlerTwice, .throwingHandlerTwice, .secondFulfilRunsAgain, .thenWinsRaceTwice: "2.2.2.3"
    case .lateRejectionHandlerLost, .reasonReplaced, .rejectedReasonAdopted, .thenLosesRejectionRace:
      "2.2.3.1"
    case .rejectHandlerEarly: "2.2.3.2"
    case .rejectHandlerTwice, .secondRejectRunsAgain: "2.2.3.3"
    case .runsInsideSettle, .runsInsideThen, .runsInsideReject, .runsInsideHandler, .runsInsideAdoption:
      "2.2.4"
    case .reverseOrder, .onlyFirstHandler, .throwStopsSiblings, .oneChildForAll, .addedInsideHandlerLost,
      .overtakenByLateThen:
      "2.2.6.1"
    case .reverseRejectionOrder: "2.2.6.2"
    case .recoveryRejects: "2.2.7.1"
    case .thenReturnsSelf, .thrownErrorFulfils, .thrownErrorLost, .thrownErrorReplaced,
      .thrownByRejectHandlerLost, .ownErrorHandled:
      "2.2.7.2"
    case .nilHandlerSwallowsValue: "2.2.7.3"
    case .nilHandlerSwallowsReason: "2.2.7.4"
    case .cycleIgnored, .cycleOtherError, .cycleFulfils, .longCycleIgnored, .ringOfThreeIgnored,
      .cycleLosesRace:
      "2.3.1"
    case .pendingNotWaitedFor, .adoptionDoesNotLock: "2.3.2.1"
    case .adoptedNeverSettles, .settledNotAdopted, .adoptedValueReplaced, .adoptionLosesRace: "2.3.2.2"
    case .adoptedRejectionFulfils, .adoptedReasonReplaced: "2.3.2.3"
    case .getterReadTwice, .onlyClassesAreThenables: "2.3.3.1"
    case .getterErrorLost, .getterErrorFulfils: "2.3.3.2"
    case .thenableIsAValue, .thenMethodTwice, .getterReadLocked: "2.3.3.3"
    case .resolvedValueKept, .innerThenableKept, .cycleThroughThenable, .foreignThreadIgnored: "2.3.3.3.1"
    case .thenableReasonAdopted, .thenableReasonFulfils: "2.3.3.3.2"
    case .thenableSecondWins, .thenableLocksLate, .throwDoesNotLock, .bothThenableCallsWin: "2.3.3.3.3"
    case .throwAfterResolveCounts: "2.3.3.3.4.1"
    case .throwIgnored: "2.3.3.3.4.2"
    case .nonCallableNeverSettles, .nonCallableRejects: "2.3.3.4"
    case .nilNeverSettles: "2.3.4"
    case .allInOrderOfArrival, .allNoneStaysPending, .allWaitsAfterRejection, .allAsksItself,
      .allKeepsThenables, .allLosesValues, .iteratorErrorEnds, .allWaitsForNil:
      "27.2.4.1"
    case .settledRejects, .settledConfused: "27.2.4.2"
    case .combinatorsRunInside, .answersKept, .elementLosesRace: "27.2.4"
    case .anyRejectedByFirst, .anyInOrderOfArrival, .anyNoneStaysPending: "27.2.4.3"
    case .raceIgnoresRejections, .raceNoneRejects, .raceBothWin: "27.2.4.5"
    case .rejectFollows: "27.2.4.6"
    case .resolveWraps, .resolveRejectsErrors: "27.2.4.7"
    case .tryRunsLater, .tryErrorLost: "27.2.4.8"
    case .resolversFulfilVerbatim, .resolversKeepThenables: "27.2.4.9"
    case .finallyReplacesValue, .finallySwallowsReason, .finallySkipsRejection, .finallyDoesNotWait,
      .finallyErrorIgnored, .finallyRunsInsideSettle, .finallyRunsInsideCall, .finallyRejectionIgnored:
      "27.2.5.3"
    case .cancelIgnored, .cancelFulfils, .cancelOtherReason, .cancelStopsAtSettled, .cancelReachesParent,
      .cancelReplacesOutcome, .cancelRunsInside, .cancelReachesFollowed, .cancelRecovers, .cancelBothWin:
      "cancel.down"
    case .upIgnoresConsumers, .upStaysBelow, .upCountsTwice, .upForgetsFollowed, .upReplacesOutcome,
      .upIgnoresFollowers:
      "cancel.up"
    case .tokenCancelsFirstOnly, .tokenForgetsLate, .tokenShared, .tokenReplacesOutcome,
      .tokenCancelsOriginal:
      "cancel.token"
    case .otherContextIsForgotten, .adoptionRegistersLate: "2.3.2.2"
    case .otherContextRunsHandlers, .adoptionPolls: "on(_:)"
    }
  }

  /// Whether the defect is in a combinator or a cancel, which programs do not use.
  var isOfAChapter: Bool { clause.hasPrefix("27.") || clause.hasPrefix("cancel.") }

  /// Whether only random programs test for the defect.
  var needsPrograms: Bool {
    switch self {
    case .otherContextIsForgotten, .otherContextRunsHandlers, .adoptionRegistersLate, .adoptionPolls,
      .claimUnlocked:
      true
    default: false
    }
  }

  /// Whether the defect prevents an event, so that only a deadline can reveal the defect.
  var hangs: Bool {
    switch self {
    case .nilFulfilDropsBoth, .nilRejectDropsBoth, .lateHandlerLost, .lateRejectionHandlerLost,
      .nilValuePending, .rejectedReasonAdopted, .onlyFirstHandler, .throwStopsSiblings,
      .addedInsideHandlerLost, .thrownErrorLost, .cycleIgnored, .longCycleIgnored, .ringOfThreeIgnored,
      .cycleLosesRace, .adoptedNeverSettles, .settledNotAdopted, .getterErrorLost, .getterReadLocked,
      .cycleThroughThenable, .thenableReasonAdopted, .throwIgnored, .nonCallableNeverSettles,
      .foreignThreadIgnored, .nilNeverSettles, .thenLosesRace, .thenLosesRejectionRace, .adoptionLosesRace,
      .allNoneStaysPending, .allWaitsAfterRejection, .anyNoneStaysPending, .raceIgnoresRejections,
      .tryErrorLost, .cancelIgnored, .cancelStopsAtSettled, .upStaysBelow, .upForgetsFollowed,
      .tokenCancelsFirstOnly, .tokenForgetsLate, .allWaitsForNil:
      true
    default:
      false
    }
  }

  /// Whether the defect appears only if threads meet at the right instant. One run of its clause may miss it
  /// on a busy machine.
  var needsLuck: Bool {
    switch self {
    case .thenLosesRace, .thenLosesRejectionRace, .thenWinsRaceTwice, .bothSettlementsWin, .bothRejectionsWin,
      .adoptionLosesRace, .bothThenableCallsWin, .throwDoesNotLock, .cycleLosesRace, .overtakenByLateThen,
      .elementLosesRace, .raceBothWin, .cancelBothWin, .lastFulfilWins:
      true
    default:
      false
    }
  }
}
