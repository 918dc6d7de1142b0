// A handler that is added to a fulfilled promise, on a context that would call it at once: the step of a chain that is built on
// promises that have settled. Nothing has to wait, so nothing is put anywhere to wait: the handler stays on the stack, the child is
// made as started, and neither child nor parent is counted, because whoever called holds both until the call returns. It is in
// its parent's list all the same while its handler runs, for a cancellation to find it (C2, C3), and in front of whatever is added
// meanwhile (A4).

extension Promise {
  /// Whether a handler for the value that is added now would be called at once, on this stack: nothing is in front of it. Says so too
  /// early at most.
  @inline(__always)
  func startsHere(_ context: ContextRef) -> Bool {
    word.peek() & (State.mask | State.draining) == State.fulfilled && context.isImmediate
  }

  /// A new child whose handler starts as it is entered. The caller holds this promise, and nobody else the child, so that
  /// neither is counted unless the child is pending afterwards.
  @inline(never)
  func start(_ handler: Direct, on context: ContextRef) -> Promise {
    var agenda = Agenda()
    let child = Promise(
      bits: State.handlesValue | State.isDirect | State.started, store: Store(runner: CurrentThread.id),
      up: Up(borrowing: self), context: context, defaultContext: defaultContext)
    start(child, handler, &agenda)
    agenda.run()
    return child
  }

  @inline(__always)
  private func start(_ child: Promise, _ handler: Direct, _ agenda: inout Agenda) {
    var bits = word.lock() | State.observed
    guard bits & State.draining == 0 else {
      // Somebody was faster. Nobody has seen the child yet.
      word.unlock(bits)
      child.word.unlock(child.word.peek() & ~State.started | State.hasHandlers)
      child.store = Store(handler)
      child.up = Up(parent: .passRetained(self))
      return attach(child, &agenda)
    }
    if !isActive { enrol(&bits) }
    pushActive(.passUnretained(child), as: .dispatching)
    word.unlock(bits | State.draining)
    var handlers = Store(handler)
    var result = Store()
    let found = handlers.callDirect(store.value(), nil, &result)
    child.resolve(found, &result, &agenda)
    if !State.isSettled(child.word.peek()) { child.outlastCall(&agenda) }
  }

  /// This child is pending although the call of its parent's method is about to return.
  @inline(never)
  private func outlastCall(_ agenda: inout Agenda) {
    let bits = word.lock()
    if let parent = up.parent { up = Up(parent: parent.retain()) }
    word.unlock(bits)
    releaseDispatching(&agenda)
  }
}
