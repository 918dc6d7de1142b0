// Rules that hold in every program. They are checked when a handler begins, and after each outside operation,
// when no user code is on the stack.

import DynamicPromise

extension World {
  /// Checks the rules for the moment when a handler begins.
  func checkStart(of record: Record, _ input: Result<Any, any Error>?) {
    let name = "the handler of \(record.number)"
    if record.runs > 1 { fail("2.2.2.3", "\(name) runs twice") }
    checkUnfinished(record, name)
    if record.place == .immediate || record.place == .atOnce, record.step != .suspending {
      // X3.3: the handler runs on the stack that settles or registers.
      checkNesting(of: record)
    } else if isOnUserStack(record) {
      fail("2.2.4", "\(name) runs on a stack with user code below it")
    } else if contexts[record.place] == nil, lane.registering.contains(record.number) {
      fail("2.2.4", "\(name) runs inside of the call that registers it")
    }
    // C9.1, C9.2: a cancelled promise's handler does not run, unless it is a `finally` (C9.4). Promises that
    // were resolved by hand are excluded, because the Spec does not cover them.
    if record.step != .finally, !record.isResolvedByHand, !isThreaded,
      let child = record.promise.flatMap(Seen.init),
      child.isCancelledByRequest
    {
      fail("C9.2", "\(name) runs, though its promise was cancelled")
    }
    record.begun = all.count
    guard let input, let above = record.parent, let parent = above.promise else { return }
    if parent.isSettled { checkOrder(of: record, below: above, fulfilled: parent.isFulfilled) }
    guard let outcome = Seen(parent) else {
      // C4.11: a rejection handler runs because of a withdrawal from its branch.
      record.beganEarly = true
      if case .success = input { fail("2.2.2.2", "\(name) runs before its parent is fulfilled") }
      return
    }
    switch input {
    case .success:
      if text(input) != outcome.text { fail("2.2.2.1", "\(name) gets \(text(input)), not \(outcome.text)") }
    case .failure:
      // C4.11: the reason may also be the reason of a withdrawal.
      if !outcome.isFulfilled, text(input) != outcome.text, !mayWithdraw {
        fail("2.2.3.1", "\(name) gets \(text(input)), not \(outcome.text)")
      }
    }
  }

  private func isOnUserStack(_ record: Record) -> Bool {
    if record.step == .suspending { return false }
    if contexts[record.place] != nil { return frames.last != .step(record.place) }
    // A blocking wait may run handlers of other contexts on its own stack.
    return lane.waits == 0 && !frames.isEmpty
  }

  /// X6.1: a handler in place begins after the handler or hook that started it has returned.
  private func checkNesting(of record: Record) {
    guard record.place == .immediate || record.place == .atOnce, lane.waits == 0 else { return }
    // A handler that steps a context waits for the job, like a handler that runs a run loop.
    let isStep = { (frame: Frame) in if case .step = frame { true } else { false } }
    for frame in frames.reversed().prefix(while: { !isStep($0) }) {
      switch frame {
      case .handler(let other):
        fail("X6.1", "the handler of \(record.number) begins in place while that of \(other) runs")
      case .hook: fail("X6.1", "the handler of \(record.number) begins in place while a hook runs")
      case .step, .observer, .deinit, .other: break
      }
    }
  }

  /// X6.3: the hooks have run when `cancel` returns, unless the call is in a hook, in a `deinit` or during
  /// a report.
  func checkHooks(of record: Record, wasPending: Bool) {
    guard wasPending, !frames.contains(.hook), !frames.contains(.deinit), !lane.isReporting,
      record.promise.flatMap(Seen.init)?.isCancelledByRequest == true
    else { return }
    if let hook = record.hooks.first(where: { $0.runs == 0 }) {
      fail("X6.3", "\(record.number) was cancelled, and hook \(hook.number) has not run")
    }
  }

  /// Checks all rules after an outside operation.
  func check(since age: Int, isLast: Bool = false) {
    let fresh = all.filter { look(at: $0, since: age) }
    // Older promises are checked last, because a withdrawal moves up to ancestors.
    for record in fresh.reversed() { noteWithdrawal(of: record) }
    for record in fresh.reversed() { noteWithdrawal(of: record) }
    for record in all where record.promise == nil { checkAbandoned(record) }
    for record in all where record.isPending {
      checkReason(ofPending: record)
      checkRing(record)
      checkDecided(record)
    }
    for record in all { checkFollower(record) }
    for record in isLast ? all : fresh { checkOutcome(of: record) }
    // In programs with many promises, each check covers only a part of them.
    for record in all where all.count < 60 || record.age % 16 == steps % 16 { checkRelatives(of: record) }
    steps += 1
    for cancel in cancels { checkBelow(cancel.record, age: cancel.age, "in the end") }
    cancels = []
    if pendingJobs == 0 {
      for record in all {
        checkOwed(record)
        checkEnded(record)
      }
      checkUnwanted()
    }
  }

  /// Reads a settled promise, and compares the result with the first reading.
  ///
  /// - Returns: Whether this was the first reading.
  private func look(at record: Record, since age: Int) -> Bool {
    // In programs with many promises, each check reads only a part of them again.
    if record.seen != nil, all.count > 200, record.age % 16 != steps % 16 { return false }
    guard let promise = record.promise, let seen = Seen(promise) else {
      if record.seen != nil, record.promise != nil { fail("2.1.2.1", "\(record.number) is pending again") }
      return false
    }
    guard let before = record.seen else {
      record.seen = seen
      if seen.isFulfilled, let top = record.top { checkFinished(record, top, since: age) }
      return true
    }
    if let resolver = resolvers[record.number], resolver.isCancelled != seen.isCancelledByRequest {
      fail(
        "C6.9",
        "the resolver of \(record.number) says that it is \(resolver.isCancelled ? "" : "not ")cancelled")
    }
    if seen != before { fail("2.1.2.2", "\(record.number) was \(before.text), and is \(seen.text)") }
    for hook in record.hooks {
      if hook.runs != (seen.isCancelledByRequest ? 1 : 0) {
        fail("C6.1", "hook \(hook.number) of \(record.number) ran \(hook.runs) times")
      }
    }
    for hook in record.terminations where hook.runs != 1 {
      fail("C6.9", "hook \(hook.number) heard of the end of \(record.number) \(hook.runs) times")
    }
    return false
  }

  /// L1.3, L1.4: abandon hooks have run if and only if the resolver reports that its promise was deallocated
  /// unresolved.
  private func checkAbandoned(_ record: Record) {
    guard let resolver = resolvers[record.number] else { return }
    if resolver.isAbandoned, record.seen != nil || resolver.isCancelled {
      fail("L1.4", "\(record.number) was abandoned, though it had settled")
    }
    for hook in record.abandonHooks where hook.runs != (resolver.isAbandoned ? 1 : 0) {
      fail("L1.3", "abandon hook \(hook.number) of \(record.number) ran \(hook.runs) times")
    }
  }

  /// K17.1: when the result settles, no promise is pending that it waits for and that is older than this
  /// operation. No unused resolver that always calls back is left of a cancelled promise (K17.9).
  private func checkFinished(_ result: Record, _ top: Record, since age: Int) {
    guard top.promise != nil else { return }
    let name = "finished \(result.number) of \(top.number)"
    for record in work(of: top) where record.age < age {
      if record.isPending { fail("K17.1", "\(name): \(record.number) is pending") }
      if Self.isAwaited(resolverOf: record.number), resolvers[record.number] != nil, !record.hasUsedResolver,
        record.seen?.isCancelledByRequest == true
      {
        fail("K17.9", "\(name): unused resolver of \(record.number)")
      }
    }
  }

  /// K17.8 to K17.17: while a handler or hook runs, no `finished()` that waits for its promise is fulfilled.
  func checkUnfinished(_ record: Record, _ name: String) {
    for result in all where result.begins > record.ends && result.promise?.isFulfilled == true {
      if let top = result.top, top.promise != nil, work(of: top).contains(where: { $0 === record }) {
        fail("K17.8", "\(name) runs, and \(result.number), finished of \(top.number), is fulfilled")
      }
    }
  }

  /// The promises for which `finished()` of `top` waits: those below, those that they gave up, those that
  /// they followed to the end (K17.13), and so on.
  private func work(of top: Record) -> [Record] {
    var found = [top]
    // Each promise with the time after which nothing below it is awaited; zero if nothing is.
    var (open, known, alone) = ([(top, Int.max)], Set([ObjectIdentifier(top)]), Set<ObjectIdentifier>())
    while let (record, limit) = open.popLast() {
      let below = record.children.filter { $0.ends <= limit }.map { ($0, limit) }
      for (other, limit) in below + record.gaveUp.map({ ($0, record.gaveUpAt) })
      where known.insert(ObjectIdentifier(other)).inserted {
        found.append(other)
        open.append((other, limit))
      }
      if let target = record.followed, target.promise?.isSettled == true, record.promise?.isSettled == true,
        // Promises that were freed in between may have been cancelled before.
        sequence(first: record, next: \.target).prefix(while: { $0 !== target })
          .allSatisfy({ !$0.path.contains(where: \.mayBeCancelled) }), !mayHaveLeftTarget(record),
        alone.insert(ObjectIdentifier(target)).inserted
      {
        found.append(target)
        open.append((target, 0))
      }
    }
    return found
  }

  /// Whether a cancelled follower may have withdrawn from this promise, before its target settled.
  private func mayHaveLeftTarget(_ record: Record) -> Bool {
    all.contains { $0.target === record && $0.promise?.isCancelled == true }
  }

  /// Checks that a pending promise whose parent has settled has a reason to be pending.
  private func checkReason(ofPending record: Record) {
    guard let parent = record.parent, let outcome = parent.seen else { return }
    let name = "\(record.number), below \(parent.number), is pending"
    if record.step.handles(fulfilled: outcome.isFulfilled), record.runs == 0 {
      // The handler must be scheduled.
      if record.isResolvedByHand { return }
      if (contexts[record.place]?.pendingJobs ?? 0) == 0 {
        fail("2.2.2.1", "\(name) and nothing is scheduled")
      }
      return
    }
    if outcome.isCancelledByRequest, !record.isResolvedByHand {
      fail(record.runs > 0 ? "C2.2" : "C2.6", "\(name), though its parent was cancelled")
    } else if record.hasCleanUpToDo, mayWithdraw, (contexts[record.place]?.pendingJobs ?? 0) > 0 {
      // C4.11: a withdrawal from the branch is the reason.
      return
    } else if record.isResolvedByHand || record.step == .delay && outcome.isFulfilled {
      return
    } else if record.runs == 0 {
      fail("2.2.7.3", "\(name), though it has no handler")
    } else if case .promise? = record.handler?.answer {
      return
    } else if case .thenable? = record.handler?.answer {
      return
    } else if record.handler != nil {
      fail("2.2.7.1", "\(name), though its handler has returned")
    }
  }

  /// A2.1: no ring stays pending, whatever its length, even if some members have been deallocated.
  private func checkRing(_ record: Record) {
    var (next, rest) = (record.target, all.count)
    while let place = next, place.seen == nil, place.promise?.isSettled != true, rest > 0 {
      if place === record { return fail("A2.1", "\(record.number) is pending, and follows itself") }
      (next, rest) = (place.target, rest - 1)
    }
  }

  /// 2.3.2, C4.4: a follower settles with the outcome of its target.
  private func checkFollower(_ record: Record) {
    guard let target = record.followed, let outcome = target.seen, target !== record else { return }
    guard let seen = record.seen else {
      if record.isPending { fail("2.3.2.2", "\(record.number) is pending, and \(target.number) has settled") }
      return
    }
    if seen.isCancelledByRequest || seen.text == text(.failure(PromiseError.cycle)) { return }
    if seen != outcome {
      fail("2.3.2.2", "\(record.number) is \(seen.text); it follows \(target.number): \(outcome.text)")
    }
  }

  /// C3.2: after a cancel, no promise older than the cancel is pending below a settled promise. Promises
  /// below a promise that was cancelled by request may clean up, and are checked separately (C2.3, C2.6).
  func checkBelow(_ record: Record, age: Int, _ when: String) {
    let isGone = record.promise == nil
    // If the deallocated promise was cancelled by request before, perhaps unseen, a second cancel does
    // nothing (C3.6).
    guard (record.promise.map(Seen.init) ?? record.seen)?.isCancelledByRequest == false else { return }
    for child in record.children where child.age < age {
      if child.isPending {
        let text = "\(child.number), below \(record.number), is pending after a cancel above it"
        fail(isGone ? "C3.3" : "C3.2", isGone ? text : "\(text), \(when)")
      }
      checkFollowers(ofGone: child, age)
      checkBelow(child, age: age, when)
    }
  }

  /// C3.4: a cancel also cancels a promise that nothing retains, and the followers of that promise.
  private func checkFollowers(ofGone record: Record, _ age: Int) {
    guard record.promise == nil, record.seen == nil, record.target?.isPending == true, !record.hasCleanUpToDo
    else { return }
    for other in all where other.target === record && other.isPending && other.age < age {
      fail("C3.4", "\(other.number) is pending; it follows \(record.number), which was cancelled from above")
    }
  }

  /// Whether an ancestor was cancelled, or may have been.
  private func mayBeCancelledFromAbove(_ record: Record) -> Bool {
    record.path.dropFirst().contains { $0.mayBeCancelled || $0.seen?.isCancelledByRequest != false }
  }

  /// Checks that every due handler and observer has run. All contexts are empty.
  private func checkOwed(_ record: Record) {
    if record.promise != nil, record.seen != nil, !mayBreak,
      record.observers.contains(where: { $0.runs == 0 })
    {
      fail("H12.1", "no observer of \(record.number) has run")
    }
    guard let outcome = record.parent?.seen, record.runs == 0 else { return }
    guard record.step.handles(fulfilled: outcome.isFulfilled) else { return }
    if record.step != .finally {
      // Excluded: a promise that was withdrawn (C9.1), or whose outcome was not seen.
      guard let seen = record.seen, seen.isCancelledByRequest == false else { return }
    }
    // X3.6
    if mayBreak,
      record.step == .finally || record.seen == nil || record.isResolvedByHand || record.seen?.text == broken
    {
      return
    }
    // C9.5
    if record.isResolvedByHand, record.step != .finally, mayBeCancelledFromAbove(record) { return }
    let isDisplaced = record.isResolvedByHand ? " (settled by hand)" : ""
    fail("2.2.2.1\(isDisplaced)", "the handler of \(record.number) has not run")
  }
}
