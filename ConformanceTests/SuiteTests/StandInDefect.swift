/// The ways in which the stand-in can be broken, one at a time. The raw value says what a user would see.
///
/// Each is a mistake that a promise library could ship: the group says what its author misread.
enum Defect: String, CaseIterable, Sendable {
  // The states (2.1)
  case secondFulfilReplaces = "a second fulfilment silently replaces the value"
  case secondRejectReplaces = "a second rejection silently replaces the reason"
  case rejectAfterFulfil = "a late rejection turns a fulfilled promise over"
  case fulfilAfterReject = "a late fulfilment turns a rejected promise over"
  case bothHandlersRun = "the rejection handler is called upon fulfilment as well"
  case bothHandlersRunOnRejection = "the fulfilment handler is called upon rejection as well"
  case handlerResultReplacesValue = "the result of a handler replaces the value of its own promise"

  // The handlers (2.2.1 to 2.2.3)
  case nilFulfilDropsBoth = "without a fulfilment handler the rejection handler is lost, too"
  case nilRejectDropsBoth = "without a rejection handler the fulfilment handler is lost, too"
  case lateHandlerLost = "a handler that is added after the fulfilment never runs"
  case lateRejectionHandlerLost = "a handler that is added after the rejection never runs"
  case valueCopied = "handlers get a copy of the value"
  case reasonReplaced = "handlers get another reason than the one given"
  case nilValuePending = "a promise that is fulfilled with nil stays pending"
  case fulfilHandlerEarly = "the fulfilment handler runs while the promise is pending"
  case rejectHandlerEarly = "the rejection handler runs while the promise is pending"
  case fulfilHandlerTwice = "the fulfilment handler is called twice"
  case rejectHandlerTwice = "the rejection handler is called twice"
  case throwingHandlerTwice = "a handler that throws is called again"
  case secondFulfilRunsAgain = "a second fulfilment runs the handlers again"
  case secondRejectRunsAgain = "a second rejection runs the handlers again"
  case rejectedReasonAdopted = "a promise that is given as a reason is adopted"

  // The stack (2.2.4)
  case runsInsideSettle = "handlers run on the stack of the call that settles"
  case runsInsideThen = "a late handler runs on the stack of then"
  case runsInsideReject = "rejection handlers run on the stack of the call that rejects"
  case runsInsideHandler = "what a handler sets off runs on its own stack"
  case runsInsideAdoption = "an adopter's handlers run on the stack of the call that settles the adopted"

  // Several handlers (2.2.6)
  case reverseOrder = "fulfilment handlers run in reverse order"
  case reverseRejectionOrder = "rejection handlers run in reverse order"
  case onlyFirstHandler = "only the first handler of a promise runs"
  case throwStopsSiblings = "a handler that throws keeps the next ones from running"
  case oneChildForAll = "all then calls of a promise return the same child"
  case addedInsideHandlerLost = "a handler that is added inside a handler is lost"

  // What then returns (2.2.7)
  case thenReturnsSelf = "then returns the promise itself"
  case recoveryRejects = "the value returned by a rejection handler rejects"
  case thrownErrorFulfils = "an error thrown by a handler fulfils"
  case thrownErrorLost = "an error thrown by a handler is swallowed, the child stays pending"
  case thrownErrorReplaced = "an error thrown by a handler is replaced by another"
  case thrownByRejectHandlerLost = "an error thrown by a rejection handler gives way to the old reason"
  case ownErrorHandled = "an error thrown by a fulfilment handler goes to the rejection handler beside it"
  case nilHandlerSwallowsValue = "a missing fulfilment handler swallows the value"
  case nilHandlerSwallowsReason = "a missing rejection handler counts as recovered"

  // Itself and other promises (2.3.1, 2.3.2)
  case cycleIgnored = "a promise that is resolved with itself stays pending"
  case cycleOtherError = "a promise that is resolved with itself gets an arbitrary reason"
  case cycleFulfils = "a promise that is resolved with itself is fulfilled with itself"
  case longCycleIgnored = "a cycle through other promises is not noticed"
  case ringOfThreeIgnored = "a cycle of three promises is not noticed"
  case cycleLosesRace = "a cycle that two threads close at the same instant is not noticed"
  case pendingNotWaitedFor = "a pending promise fulfils its adopter at once"
  case adoptedNeverSettles = "the adopter of a pending promise is forgotten"
  case settledNotAdopted = "the adopter of a settled promise is forgotten"
  case adoptedValueReplaced = "the value of an adopted promise is replaced"
  case adoptedRejectionFulfils = "an adopted rejection fulfils"
  case adoptedReasonReplaced = "the reason of an adopted promise is replaced"
  case adoptionDoesNotLock = "a promise that waits for another can still be settled"

  // Thenables (2.3.3)
  case getterReadTwice = "the getter of then is read twice"
  case getterErrorLost = "an error thrown by the getter of then is lost"
  case getterErrorFulfils = "an object whose getter of then throws is taken as a value"
  case thenableIsAValue = "a thenable is taken as a plain value"
  case thenMethodTwice = "the method of a thenable is called twice"
  case getterReadLocked = "the getter of then is read with the promise's lock held"
  case resolvedValueKept = "what a thenable resolves with is not resolved again"
  case innerThenableKept = "a thenable that a thenable resolves with is taken as a value"
  case cycleThroughThenable = "a thenable that resolves with the promise itself is not noticed"
  case onlyClassesAreThenables = "a thenable that is a struct or an enum is taken as a value"
  case thenableReasonAdopted = "a thenable given as a thenable's reason is adopted"
  case thenableReasonFulfils = "a thenable that rejects fulfils"
  case thenableSecondWins = "the last call of a thenable wins"
  case thenableLocksLate = "a thenable may call again until its first answer has settled"
  case throwAfterResolveCounts = "an error thrown after resolving counts"
  case throwIgnored = "an error thrown by a thenable's method is ignored"
  case throwDoesNotLock = "after a thenable's method threw, a later call still counts"
  case nonCallableNeverSettles = "an object whose then is no function leaves the promise pending"
  case nonCallableRejects = "an object whose then is no function rejects"
  case foreignThreadIgnored = "a thenable that answers from another thread is not heard"

  // Plain values (2.3.4)
  case nilNeverSettles = "a handler that returns nil leaves the child pending"

  // Threads
  case thenLosesRace = "a handler that is added at the instant of settling is lost"
  case thenLosesRejectionRace = "a handler that is added at the instant of rejecting is lost"
  case thenWinsRaceTwice = "a handler that is added at the instant of settling runs twice"
  case bothSettlementsWin = "two threads that settle at the same instant both win"
  case bothRejectionsWin = "two threads that reject at the same instant both win"
  case adoptionLosesRace = "an adoption at the instant of settling is lost"
  case bothThenableCallsWin = "two threads of a thenable that answer at the same instant both win"
  case overtakenByLateThen = "a late handler overtakes those that wait"

  // Several contexts, which only random programs have
  case otherContextIsForgotten = "the adopter of a pending promise on another context is forgotten"
  case otherContextRunsHandlers = "handlers of an adopter run on the context of the adopted promise"
  case adoptionRegistersLate = "an adopter registers in a later job, and misses what happens before"
  case adoptionPolls = "an adopter asks again and again whether the adopted promise has settled"
}
