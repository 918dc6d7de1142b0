/// A reaction that waits for a promise: the handlers of one `then` call, or an adopter without handlers.
struct StandInReaction: Sendable {
  let child: StandIn
  var onFulfilled: StandIn.Handler?
  var onRejected: StandIn.Handler?
  var isAdoption = false

  /// Calls the handler and resolves the child with its result. Runs on the worker, without a lock.
  func run(_ outcome: StandIn.Outcome, of source: StandIn) {
    if source.has(.throwStopsSiblings), source.hasFailedHandler { return }
    if isAdoption { return child.adopted(outcome) }
    switch outcome {
    case .fulfilled(let value):
      guard let onFulfilled else {
        return child.settle(.fulfilled(source.has(.nilHandlerSwallowsValue) ? () : value))
      }
      if source.has(.bothHandlersRun) { _ = try? onRejected?(value) }
      if source.has(.fulfilHandlerTwice) { _ = try? onFulfilled(value) }
      call(onFulfilled, source.has(.valueCopied) ? copy(of: value) : value, outcome, source)
    case .rejected(let reason):
      guard let onRejected else {
        return child.settle(source.has(.nilHandlerSwallowsReason) ? .fulfilled(reason) : outcome)
      }
      if source.has(.bothHandlersRunOnRejection) { _ = try? onFulfilled?(reason) }
      if source.has(.rejectHandlerTwice) { _ = try? onRejected(reason) }
      call(onRejected, source.has(.reasonReplaced) ? StandIn.Wrong() : reason, outcome, source)
    }
  }

  private func call(
    _ handler: StandIn.Handler, _ argument: Any, _ outcome: StandIn.Outcome, _ source: StandIn
  ) {
    do {
      let x = try handler(argument)
      if source.has(.handlerResultReplacesValue) { source.world.locked { source.outcome = .fulfilled(x) } }
      if source.has(.recoveryRejects), case .rejected = outcome { return child.settle(.rejected(x)) }
      child.resolution(x)
    } catch {
      source.world.locked { source.hasFailedHandler = true }
      if source.has(.throwingHandlerTwice) { _ = try? handler(argument) }
      if source.has(.ownErrorHandled), case .fulfilled = outcome, let onRejected {
        return call(onRejected, error, .rejected(error), source)
      }
      if source.has(.thrownErrorFulfils) { return child.settle(.fulfilled(error)) }
      if source.has(.thrownErrorLost) { return }
      if source.has(.thrownErrorReplaced) { return child.settle(.rejected(StandIn.Wrong())) }
      if source.has(.thrownByRejectHandlerLost), case .rejected = outcome { return child.settle(outcome) }
      child.settle(.rejected(error))
    }
  }

  /// Replaces an object with a new object, because objects are compared by identity.
  private func copy(of value: Any) -> Any {
    type(of: value) is AnyClass ? StandIn.Other() : value
  }
}

extension StandIn {
  /// Registers the handlers. Returns the promise for their result.
  func then(_ onFulfilled: Handler?, _ onRejected: Handler?) -> StandIn {
    let child = has(.thenReturnsSelf) ? self : has(.oneChildForAll) ? onlyChild() : StandIn(world)
    var reaction = StandInReaction(child: child, onFulfilled: onFulfilled, onRejected: onRejected)
    if has(.nilFulfilDropsBoth), onFulfilled == nil { reaction.onRejected = nil }
    if has(.nilRejectDropsBoth), onRejected == nil { reaction.onFulfilled = nil }
    register(reaction)
    return child
  }

  private func onlyChild() -> StandIn {
    world.locked {
      let child = self.child ?? StandIn(world)
      self.child = child
      return child
    }
  }

  /// Stores the reaction, or schedules it at once if the promise has settled already.
  func register(_ reaction: StandInReaction) {
    let immediate = world.locked { () -> Outcome? in
      guard let outcome else {
        wait(reaction)
        return nil
      }
      return late(reaction, outcome)
    }
    if let immediate { reaction.run(immediate, of: self) }
  }

  private func wait(_ reaction: StandInReaction) {
    if !reaction.isAdoption {
      if has(.fulfilHandlerEarly), let handler = reaction.onFulfilled {
        world.hand { _ = try? handler(()) }
      }
      if has(.rejectHandlerEarly), let handler = reaction.onRejected {
        world.hand { _ = try? handler(Wrong()) }
      }
    }
    if reaction.isAdoption, has(.adoptionLosesRace) { window { outcome != nil } }
    reactions.append(reaction)
  }

  /// Schedules the reaction and returns `nil`. If a mutant must run the reaction on the caller's stack,
  /// returns the outcome.
  private func late(_ reaction: StandInReaction, _ outcome: Outcome) -> Outcome? {
    if has(.secondFulfilRunsAgain) || has(.secondRejectRunsAgain) { reactions.append(reaction) }
    if !reaction.isAdoption {
      switch outcome {
      case .fulfilled: if has(.lateHandlerLost) { return nil }
      case .rejected: if has(.lateRejectionHandlerLost) { return nil }
      }
      if has(.addedInsideHandlerLost), world.isInsideHandler { return nil }
      if has(.runsInsideThen) || runsInsideHandler { return outcome }
    }
    world.hand { [self] in reaction.run(outcome, of: self) }
    return nil
  }
}
