/// The ways in which the stand-in can be broken, one at a time. The raw value has the clause that the mistake
/// breaks, and describes what a user would see. A promise library could ship each of these mistakes.
enum Defect: String, CaseIterable, Sendable {
  // The states (2.1)
  case secondFulfilReplaces = "2.1.2.1 a second fulfillment silently replaces the value"
  case secondRejectReplaces = "2.1.3.1 a second rejection silently replaces the reason"
  case rejectAfterFulfil = "2.1.2.1 a late rejection replaces the outcome of a fulfilled promise"
  case fulfilAfterReject = "2.1.3.1 a late fulfillment replaces the outcome of a rejected promise"
  case bothHandlersRun = "2.1.2.1 the rejection handler is also called upon fulfillment"
  case bothHandlersRunOnRejection = "2.1.3.1 the fulfillment handler is also called upon rejection"
  case handlerResultReplacesValue = "2.1.2.1 the result of a handler replaces the value of its own promise"

  // The handlers (2.2.1 to 2.2.3)
  case nilFulfilDropsBoth = "2.2.1.1 without a fulfillment handler, the rejection handler is also lost"
  case nilRejectDropsBoth = "2.2.1.2 without a rejection handler, the fulfillment handler is also lost"
  case lateHandlerLost = "2.2.2.1 a handler that is added after the fulfillment never runs"
  case lateRejectionHandlerLost = "2.2.3.1 a handler that is added after the rejection never runs"
  case valueCopied = "2.2.2.1 handlers receive a copy of the value"
  case reasonReplaced = "2.2.3.1 handlers receive a different reason"
  case nilValuePending = "2.2.2.1 a promise that is fulfilled with nil stays pending"
  case fulfilHandlerEarly = "2.2.2.2 the fulfillment handler runs while the promise is pending"
  case rejectHandlerEarly = "2.2.3.2 the rejection handler runs while the promise is pending"
  case fulfilHandlerTwice = "2.2.2.3 the fulfillment handler is called twice"
  case rejectHandlerTwice = "2.2.3.3 the rejection handler is called twice"
  case throwingHandlerTwice = "2.2.2.3 a handler that throws is called again"
  case secondFulfilRunsAgain = "2.2.2.3 a second fulfillment runs the handlers again"
  case secondRejectRunsAgain = "2.2.3.3 a second rejection runs the handlers again"
  case rejectedReasonAdopted = "2.2.3.1 a promise that is given as a reason is adopted"

  // The stack (2.2.4)
  case runsInsideSettle = "2.2.4 handlers run on the stack of the call that settles"
  case runsInsideThen = "2.2.4 a late handler runs on the stack of then"
  case runsInsideReject = "2.2.4 rejection handlers run on the stack of the call that rejects"
  case runsInsideHandler = "2.2.4 handlers that a handler triggers run on its stack"
  case runsInsideAdoption = "2.2.4 an adopter's handlers run on the stack that settles the adopted promise"

  // Several handlers (2.2.6)
  case reverseOrder = "2.2.6.1 fulfillment handlers run in reverse order"
  case reverseRejectionOrder = "2.2.6.2 rejection handlers run in reverse order"
  case onlyFirstHandler = "2.2.6.1 only the first handler of a promise runs"
  case throwStopsSiblings = "2.2.6.1 a handler that throws keeps the next ones from running"
  case oneChildForAll = "2.2.6.1 all then calls of a promise return the same child"
  case addedInsideHandlerLost = "2.2.6.1 a handler that is added inside a handler is lost"

  // The promise that then returns (2.2.7)
  case thenReturnsSelf = "2.2.7.2 then returns the promise itself"
  case recoveryRejects = "2.2.7.1 the value returned by a rejection handler rejects"
  case thrownErrorFulfils = "2.2.7.2 an error thrown by a handler fulfills"
  case thrownErrorLost = "2.2.7.2 an error thrown by a handler is swallowed, the child stays pending"
  case thrownErrorReplaced = "2.2.7.2 an error thrown by a handler is replaced by another"
  case thrownByRejectHandlerLost = "2.2.7.2 the old reason replaces an error thrown by a rejection handler"
  case ownErrorHandled =
    "2.2.7.2 an error thrown by a fulfillment handler reaches the rejection handler beside it"
  case nilHandlerSwallowsValue = "2.2.7.3 a missing fulfillment handler swallows the value"
  case nilHandlerSwallowsReason = "2.2.7.4 a missing rejection handler counts as recovered"

  // Resolution with itself or with another promise (2.3.1, 2.3.2)
  case cycleIgnored = "2.3.1 a promise that is resolved with itself stays pending"
  case cycleOtherError = "2.3.1 a promise that is resolved with itself has an arbitrary reason"
  case cycleFulfils = "2.3.1 a promise that is resolved with itself is fulfilled with itself"
  case longCycleIgnored = "2.3.1 a cycle through other promises is not noticed"
  case ringOfThreeIgnored = "2.3.1 a cycle of three promises is not noticed"
  case cycleLosesRace = "2.3.1 a cycle that two threads close at the same instant is not noticed"
  case pendingNotWaitedFor = "2.3.2.1 a pending promise fulfills its adopter at once"
  case adoptedNeverSettles = "2.3.2.2 the adopter of a pending promise is forgotten"
  case settledNotAdopted = "2.3.2.2 the adopter of a settled promise is forgotten"
  case adoptedValueReplaced = "2.3.2.2 the value of an adopted promise is replaced"
  case adoptedRejectionFulfils = "2.3.2.3 an adopted rejection fulfills"
  case adoptedReasonReplaced = "2.3.2.3 the reason of an adopted promise is replaced"
  case adoptionDoesNotLock = "2.3.2.1 a promise that waits for another can still be settled"

  // Thenables (2.3.3)
  case getterReadTwice = "2.3.3.1 the getter of then is read twice"
  case getterErrorLost = "2.3.3.2 an error thrown by the getter of then is lost"
  case getterErrorFulfils = "2.3.3.2 an object whose getter of then throws is treated as a value"
  case thenableIsAValue = "2.3.3.3 a thenable is treated as a plain value"
  case thenMethodTwice = "2.3.3.3 the method of a thenable is called twice"
  case getterReadLocked = "2.3.3.3 the getter of then is read with the promise's lock held"
  case resolvedValueKept = "2.3.3.3.1 what a thenable resolves with is not resolved again"
  case innerThenableKept = "2.3.3.3.1 a thenable that a thenable resolves with is treated as a value"
  case cycleThroughThenable = "2.3.3.3.1 a thenable that resolves with the promise itself is not noticed"
  case onlyClassesAreThenables = "2.3.3.1 a thenable that is a struct or an enum is treated as a value"
  case thenableReasonAdopted = "2.3.3.3.2 a thenable given as a thenable's reason is adopted"
  case thenableReasonFulfils = "2.3.3.3.2 a thenable that rejects fulfills"
  case thenableSecondWins = "2.3.3.3.3 the last call of a thenable wins"
  case thenableLocksLate = "2.3.3.3.3 a thenable may call again until its first answer has settled"
  case throwAfterResolveCounts = "2.3.3.3.4.1 an error thrown after resolving counts"
  case throwIgnored = "2.3.3.3.4.2 an error thrown by a thenable's method is ignored"
  case throwDoesNotLock = "2.3.3.3.3 after a thenable's method threw, a later call still counts"
  case nonCallableNeverSettles = "2.3.3.4 an object whose then is no function leaves the promise pending"
  case nonCallableRejects = "2.3.3.4 an object whose then is no function rejects"
  case foreignThreadIgnored = "2.3.3.3.1 the answer of a thenable from another thread is ignored"

  // Plain values (2.3.4)
  case nilNeverSettles = "2.3.4 a handler that returns nil leaves the child pending"

  // Threads
  case bothSettlementsWin = "2.1.2.1 two threads that settle at the same instant both win"
  case adoptionLosesRace = "2.3.2.2 an adoption at the instant of settling is lost"
  case bothThenableCallsWin = "2.3.3.3.3 two threads of a thenable that answer at the same instant both win"
  case claimUnlocked = "2.1.2.1 the flag that a promise is resolved has no lock, so two threads can both win"
  case overtakenByLateThen = "2.2.6.1 a late handler overtakes waiting handlers"

  // Several contexts, which only random programs have
  case otherContextIsForgotten = "2.3.2.2 the adopter of a pending promise on another context is forgotten"
  case otherContextRunsHandlers = "on(_:) handlers of an adopter run on the context of the adopted promise"
  case adoptionRegistersLate = "2.3.2.2 an adopter registers in a later job, and misses earlier settlements"
  case adoptionPolls = "on(_:) an adopter polls whether the adopted promise has settled"

  /// The clause that the defect breaks. The suite must detect the defect in this clause. Other clauses may
  /// also fail.
  var clause: String { String(rawValue.prefix { $0 != " " }) }

  /// Whether only random programs test for the defect.
  var needsPrograms: Bool {
    [
      .otherContextIsForgotten, .otherContextRunsHandlers, .adoptionRegistersLate, .adoptionPolls,
      .claimUnlocked,
    ].contains(self)
  }

  /// Whether the defect prevents an event, so that only a deadline can reveal the defect.
  var hangs: Bool {
    switch self {
    case .nilFulfilDropsBoth, .nilRejectDropsBoth, .lateHandlerLost, .lateRejectionHandlerLost,
      .nilValuePending, .rejectedReasonAdopted, .onlyFirstHandler, .throwStopsSiblings,
      .addedInsideHandlerLost, .thrownErrorLost, .cycleIgnored, .longCycleIgnored, .ringOfThreeIgnored,
      .cycleLosesRace, .adoptedNeverSettles, .settledNotAdopted, .getterErrorLost, .getterReadLocked,
      .cycleThroughThenable, .thenableReasonAdopted, .throwIgnored, .nonCallableNeverSettles,
      .foreignThreadIgnored, .nilNeverSettles, .adoptionLosesRace:
      true
    default:
      false
    }
  }

  /// Whether the defect appears only if threads meet at the right instant. One run of its clause may miss it
  /// on a busy machine.
  var needsLuck: Bool {
    switch self {
    case .bothSettlementsWin, .adoptionLosesRace, .bothThenableCallsWin, .throwDoesNotLock, .cycleLosesRace,
      .overtakenByLateThen:
      true
    default:
      false
    }
  }
}
