// The run of a handler that had to wait (A1), and what comes of it. `Starting` and `Leaves` have those that need less.

extension Promise {
  /// What a context runs: the handler, then everything that its result sets going.
  static func work(_ child: Unmanaged<Promise>, continuesInPlace: Bool) {
    var agenda = Agenda(continuesInPlace: continuesInPlace)
    agenda.run(child)
    agenda.run()
  }

  /// Runs the handler of this child, unless it was withdrawn, and settles by its result.
  func runHandler(_ agenda: inout Agenda) {
    let bits = word.lock()
    guard bits & (State.mask | State.started | State.hasHandlers) == State.hasHandlers, let parent = up.parent
    else {
      let displaced = cold?.displaced
      cold?.displaced = nil
      word.unlock(bits)
      displaced?.runHandler(&agenda)
      return releaseDispatching(&agenda)
    }
    var handlers = store
    store = Store(runner: CurrentThread.id)
    let started = bits & ~State.hasHandlers | State.started
    if bits & (State.isDirect | State.handlesReason) == State.isDirect {
      var result = Store()
      // The copy is made under the lock, where the parent cannot leave.
      let value = parent.use { $0.store.value() }
      word.unlock(started)
      let found = handlers.callDirect(value, nil, &result)
      resolve(found, &result, &agenda)
    } else if bits & State.isFinally != 0 {
      runFinally(handlers, started, below: parent, &agenda)
    } else {
      runOther(handlers, started, below: parent, &agenda)
    }
    if !State.isSettled(word.peek()) { releaseDispatching(&agenda) }
  }

  /// Runs a handler for the reason, or one that was wrapped. The promise is locked; unlocks it with the given bits.
  @inline(never)
  private func runOther(
    _ handlers: Store, _ started: UInt, below parent: Unmanaged<Promise>, _ agenda: inout Agenda
  ) {
    var handlers = handlers
    var result = Store()
    let parentBits = parent.use { $0.word.peek() }
    let isFulfilled = parentBits & State.mask == State.fulfilled
    let value: Any = isFulfilled ? parent.use { $0.store.value() } : ()
    let reason = isFulfilled ? nil : parent.use { $0.store.reason() }
    word.unlock(started)
    let isDirect = started & State.isDirect != 0
    let found =
      isDirect ? handlers.callDirect(value, reason, &result) : handlers.call(value, reason, &result)
    if let reason, parentBits & State.told != 0 {
      concludeTold(result.takeResolution(found), reason, &agenda)
    } else {
      resolve(found, &result, &agenda)
    }
  }

  /// Runs a handler that leaves the outcome as it is. The promise is locked; unlocks it with the given bits.
  @inline(never)
  private func runFinally(
    _ body: Store, _ started: UInt, below parent: Unmanaged<Promise>, _ agenda: inout Agenda
  ) {
    var body = body
    var result = Store()
    let parentBits = parent.use { $0.word.peek() }
    var outcome = parent.use { $0.store.copyOutcome(parentBits) }
    word.unlock(started)
    let found = body.callDirect((), nil, &result)
    if parentBits & State.told != 0 {
      concludeTold(result.takeResolution(found), outcome.takeReason(), &agenda)
    } else {
      concludeFinally(found, &result, outcome, parentBits & State.mask, &agenda)
    }
  }
}

extension Store {
  /// Calls a direct handler and frees it before anything is settled.
  @inline(__always)
  mutating func callDirect(_ value: Any, _ reason: (any Error)?, _ result: inout Store) -> Found {
    let direct = takeDirect()
    defer { destroyHandlers() }
    do {
      let written = direct.call.function(as: Direct.Written.self)
      return try _withUnprotectedUnsafeMutablePointer(to: &result) {
        try written.call(direct.handler, value, reason, $0)
      }
    } catch {
      result.put(reason: error)
      return .reason
    }
  }

  /// Calls the handler for the outcome and frees both before anything is settled.
  fileprivate mutating func call(_ value: Any, _ reason: (any Error)?, _ result: inout Store) -> Found {
    defer { destroyHandlers() }
    let handlers = handlers()
    do {
      if let reason { return result.put(try handlers.rejected!(reason)) }
      return result.put(try handlers.fulfilled!(value))
    } catch {
      result.put(reason: error)
      return .reason
    }
  }
}
