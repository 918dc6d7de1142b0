// The operations of handlers and of the outside on promises.

import DynamicPromise

extension World {
  /// Runs a handler. `input` is `nil` for a `finally`.
  func handle(_ number: Int, _ input: Result<Any, any Error>?, _ handler: Handler) throws -> Any? {
    try inside { try handleInside(number, input, handler) }
  }

  private func handleInside(
    _ number: Int, _ input: Result<Any, any Error>?, _ handler: Handler
  ) throws -> Any? {
    guard let record = records[number], violation == nil else { return nil }
    record.runs += 1
    record.isRunning = true
    defer { record.isRunning = false }
    checkStart(of: record, input)
    // C4.11: whether a withdrawal runs the handler. If so, the reason is not the parent's, or no consumer is
    // left.
    var isWithdrawn = false
    if case .failure? = input, let input {
      let hasOwnReason = record.parent?.promise.map { Seen($0)?.text != text(input) } ?? false
      isWithdrawn = hasOwnReason || mayBeWithdrawnFrom(record) && !isWanted(record)
    }
    perform(handler.body, in: record.step == .suspending ? .other : .handler(number))
    checkUnfinished(record, "the handler of \(number)")
    return try result(of: handler.answer, by: record, isWithdrawn)
  }

  private func result(of answer: Answer, by record: Record, _ isWithdrawn: Bool) throws -> Any? {
    guard case .promise(let number) = answer else {
      if case .thenable = answer { record.hasThenable = true }
      return try object(answer)
    }
    let promise = promises[number]
    if promise != nil, record.step != .finally, !record.step.isTap, !record.isResolvedByHand, !isWithdrawn,
      // C2.5: a child of a promise that was cancelled by request does not wait for the returned promise.
      record.parent?.promise.flatMap(Seen.init)?.isCancelledByRequest == false,
      record.promise?.isSettled != true
    {
      record.target = records[number]
    } else {
      // A child that no variable holds may follow the promise.
      records[number]?.hasUnknownConsumers = true
    }
    records[number]?.mayBeObserved = true
    return promise
  }

  /// The result of a handler or task whose answer is not a promise.
  func object(_ answer: Answer) throws -> Any? {
    switch answer {
    case .nothing, .promise: return nil
    case .value(let payload): return Token(payload, self)
    case .failure(let payload): return Failure(payload, self)
    case .thrown(let payload): throw Failure(payload, self)
    case .thenable(let call): return Thing(call, self)
    }
  }

  func settle(_ number: Int, _ answer: Answer, by hand: (any Hand)?) {
    guard let hand, let record = records[number] else { return }
    let hasWon: Bool
    let (jobs, waiting, exists) = (jobs, pendingJobs, record.promise != nil || record.ends == .max)
    switch answer {
    case .nothing: hasWon = calling { hand.fulfill(nil) }
    case .value(let payload): hasWon = calling { hand.fulfill(Token(payload, self)) }
    case .failure(let payload), .thrown(let payload):
      hasWon = calling { hand.reject(Failure(payload, self)) }
    case .promise(let other): return bind(number, other, by: hand)
    case .thenable(let call):
      record.hasThenable = true
      // These properties are set before the thenable acts.
      let before = (record.isResolvedByHand, record.target)
      (record.isResolvedByHand, record.target) = (true, nil)
      if calling({ hand.resolve(Thing(call, self)) }) {
        checkMaker(record, hand)
      } else {
        (record.isResolvedByHand, record.target) = before
      }
      return
    }
    if hasWon {
      checkMaker(record, hand)
      record.isResolvedByHand = true
      record.settledByHandWith = answer.text
      // The promise does not follow the result of its handler.
      record.target = nil
    }
    if hasWon, !exists { fail("L2.6", "a resolver settles \(number), which does not exist any more") }
    guard let promise = record.promise else { return }
    if hasWon, self.jobs == jobs, !isThreaded { checkScheduled(below: record, promise, since: waiting) }
    if hasWon, promise.isPending { fail("A3.5", "\(number) was settled by hand and is pending") }
  }

  func bind(_ number: Int, _ other: Int, by hand: (any Hand)?) {
    guard let hand, let target = promises[other] else { return }
    guard let record = records[number], let followed = records[other] else { return }
    if hand is Promise, !record.isOpen {
      if calling({ (hand as? Promise)?.bind(target) }) == true { checkMaker(record, hand) }
      return
    }
    let promise = record.promise
    // C4.8, L2.6
    func noteIfCancelled() {
      guard promise?.isCancelled != false else { return }
      followed.wasWithdrawnFrom = true
      record.lateTargets.append(followed)
    }
    noteIfCancelled()
    // L5.5: the call observes `followed` even if it has no effect, and may do so if the promise was freed.
    if followed !== record || isThreaded { followed.mayBeObserved = true }
    guard calling({ (hand as? Promise)?.bind(target) ?? hand.resolve(target) }) else {
      // Another thread may have cancelled it meanwhile.
      return noteIfCancelled()
    }
    checkMaker(record, hand)
    record.isResolvedByHand = true
    record.target = followed
  }

  private func checkMaker(_ record: Record, _ hand: any Hand) {
    if hand is Promise, !record.isOpen {
      fail("S2.2", "a call on \(record.number) has settled it, although its maker has not made it")
    }
  }

  func cancel(_ number: Int, _ reason: Int) {
    guard let promise = promises[number], let record = records[number] else { return }
    let (age, wasPending) = (all.count, promise.isPending)
    (mayWithdraw, record.wasCancelled) = (true, true)
    noteGivenUp(by: record, climbs: false) {
      promise.cancel(Failure(Payload(number: reason, onDeinit: []), self))
    }
    cancels.append((record, age))
    if !isThreaded {
      checkBelow(record, age: age, "at once")
      checkHooks(of: record, wasPending: wasPending)
    }
    if wasPending, promise.isPending { fail("C1.1", "\(number) is pending after its cancel") }
  }

  func withdraw(_ number: Int, _ reason: Int) {
    guard let promise = promises[number], let record = records[number] else { return }
    mayWithdraw = true
    // The mark precedes the cancel, because handlers that run during the cancel check the mark.
    mark(record)
    let before = Seen(promise)
    var isCancelled = false
    noteGivenUp(by: record, climbs: true) {
      isCancelled = promise.withdraw(Failure(Payload(number: reason, onDeinit: []), self))
    }
    let after = Seen(promise)
    if let before, isCancelled != before.isCancelledByRequest {
      fail("C4.24", "withdraw() says \(isCancelled) of \(number), which had settled before: \(before.text)")
    }
    if let after, before == nil, isCancelled, !after.isCancelledByRequest, !record.isResolvedByHand {
      fail("C4.24", "withdraw() says that \(number) is cancelled, which is \(after.text)")
    }
    if after == nil, !isCancelled, frames.isEmpty, !isThreaded, record.step != .shield, !isWanted(record) {
      fail("C4.24", "\(number) is pending, withdrawn from, and has no consumer")
    }
  }

  func addHook(_ event: Event, _ number: Int, _ root: Int, _ body: [Operation]) {
    guard let resolver = resolvers[root], let record = records[root] else { return }
    let hook = Hook(number)
    let token = Token(Payload(number: number, onDeinit: [.look(root)]), self)
    switch event {
    case .cancel:
      // C6.4: a late hook runs at once.
      let isLate = resolver.isCancelled
      record.hooks.append(hook)
      let run: @Sendable () -> Void = { [self] in
        hook.runs += 1
        if hook.runs > 1 { fail("C6.1", "hook \(number) runs twice") }
        let waiting = record.hooks.prefix { $0 !== hook }.first { $0.runs == 0 }
        if let earlier = waiting, !isLate, !isThreaded {
          fail("C6.8", "hook \(number) of \(root) runs before hook \(earlier.number)")
        }
        if record.isPending { fail("C6.3", "hook \(number) runs while \(root) is pending") }
        perform(body, in: .hook)
        if !isLate, !isThreaded { checkUnfinished(record, "hook \(number)") }
      }
      calling { resolver.onCancel { [self] _ in withExtendedLifetime(token) { inside(run) } } }
    case .abandon:
      record.abandonHooks.append(hook)
      let run: @Sendable () -> Void = { [self] in
        hook.runs += 1
        if hook.runs > 1 { fail("L1.3", "abandon hook \(number) runs twice") }
        if let seen = record.seen { fail("L1.4", "abandon hook \(number) of \(root) runs: \(seen.text)") }
        if record.promise != nil { fail("L1.3", "abandon hook \(number) of \(root) runs, which exists") }
        perform(body, in: .hook)
      }
      calling { resolver.onAbandon { [self] in withExtendedLifetime(token) { inside(run) } } }
    case .end:
      record.terminations.append(hook)
      let run: @Sendable (Resolver.Termination) -> Void = { [self] end in
        hook.runs += 1
        let name = "hook \(number) of \(root) hears of its end"
        if hook.runs > 1 { fail("C6.9", "\(name) twice") }
        let seen = record.promise.map(Seen.init) ?? record.seen
        switch end {
        case .settled:
          if seen.map(\.isCancelledByRequest) ?? (record.promise != nil) { fail("C6.9", "\(name)") }
        case .cancelled: if seen?.isCancelledByRequest == false { fail("C6.9", "\(name): a cancel") }
        case .abandoned:
          if seen != nil || record.promise != nil { fail("C6.9", "\(name): it is abandoned") }
        }
        perform(body, in: .hook)
      }
      calling { resolver.onTermination { [self] end in inside { run(end) } } }
    }
  }

  func observe(_ number: Int, _ place: Place?, _ body: [Operation], _ capture: Payload?) {
    guard let promise = promises[number], let record = records[number] else { return }
    let token = capture.map { Token($0, self) }
    let hook = Hook(number)
    record.observers.append(hook)
    record.isObserved = true
    let hear: @Sendable ((Promise) -> Bool) -> Void = { [self] fits in
      defer { withExtendedLifetime(token) {} }
      inside {
        hook.runs += 1
        if hook.runs > 1 { fail("H12.1", "of the observers of \(number) two run") }
        let isRight = record.promise.map(fits)
        if isRight == false { fail("H12.1", "an observer of \(number) runs for another outcome") }
        perform(body, in: .observer)
      }
    }
    let context = context(place)
    calling {
      _ = promise.onSuccess(on: context) { (_: Any) in hear { $0.isFulfilled } }
        .onFail(on: context) { _ in hear { $0.isRejected && !$0.isCancelled } }
        .onCancel(on: context) { _ in hear { $0.isCancelled } }
    }
  }

  func loseResolver(_ number: Int) {
    let isUnresolved = records[number]?.isPending == true && records[number]?.isResolvedByHand == false
    let lost = resolvers.removeValue(forKey: number)
    guard let record = records[number], lost != nil else { return }
    if isUnresolved { record.lostResolver = true }
    discard(lost)
  }

  func dropBag(_ number: Int) {
    for record in all where record.bag == number && record.isPending {
      mayWithdraw = true
      record.wasCancelled = true
      record.parent?.wasWithdrawnFrom = true
      // A promise that was bound by hand withdraws from its target.
      if let target = record.isResolvedByHand ? record.followed : record.parent { mark(target) }
    }
    discard(bags.removeValue(forKey: number))
  }
}

/// The means to settle a promise: the promise itself or its resolver.
protocol Hand {
  func fulfill(_ value: consuming Any?) -> Bool
  func reject(_ reason: Any?) -> Bool
  func resolve(_ x: Any?) -> Bool
}

extension Promise: Hand {}
extension Resolver: Hand {}

struct Thing: Thenable, @unchecked Sendable {
  let call: Call
  let world: World

  init(_ call: Call, _ world: World) { (self.call, self.world) = (call, world) }

  var then: ThenMethod? {
    get throws {
      world.perform(call.getter, in: .other)
      return { [call, world] resolve, reject in
        world.perform(call.method, in: .other)
        switch call.answer {
        case .nothing, .thenable: break
        case .value(let payload): resolve(Token(payload, world))
        case .failure(let payload): reject(Failure(payload, world))
        case .thrown(let payload): throw Failure(payload, world)
        case .promise(let number):
          let promise = world.inside { () -> Promise? in
            guard let promise = world.promises[number] else { return nil }
            world.records[number]?.hasUnknownConsumers = true
            world.records[number]?.mayBeObserved = true
            return promise
          }
          if let promise { resolve(promise) }
        }
      }
    }
  }
}
