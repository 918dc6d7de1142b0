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

  /// A new child whose handler for the value starts as it is entered. The caller holds this promise, and nobody else the child, so that
  /// neither is counted unless the child is pending afterwards.
  @inline(never)
  func start(_ handler: Direct, _ kind: UInt, on context: ContextRef) -> Promise {
    let child = Promise(
      bits: kind | State.isDirect | State.started, store: Store(runner: CurrentThread.id),
      up: Up(borrowing: self), context: context, defaultContext: defaultContext)
    var bits = word.lock() | State.observed
    guard bits & State.draining == 0 else {
      word.unlock(bits)
      attach(child, instead: handler)
      return child
    }
    if !isActive { enrol(&bits) }
    pushActive(.passUnretained(child), as: .dispatching)
    word.unlock(bits | State.draining)
    var handlers = Store(handler)
    var result = Store()
    let found = handlers.callDirect(store.value(), nil, &result)
    if !end(child, found, &result) { child.conclude(found, &result) }
    return child
  }

  /// Somebody was faster. Nobody has seen the child yet.
  @inline(never)
  private func attach(_ child: Promise, instead handler: Direct) {
    child.word.unlock(child.word.peek() & ~State.started | State.hasHandlers)
    child.store = Store(handler)
    child.up = Up(parent: .passUnretained(self))
    attach(child)
  }

  /// Fulfills a child and gives it its place among the descendants, under this promise's lock alone, if nobody has come upon it
  /// meanwhile, it came to a plain value, and nothing was added behind it.
  @inline(__always)
  private func end(_ child: Promise, _ found: Found, _ result: inout Store) -> Bool {
    guard result.isPlain(found) else { return false }
    var bits = word.lock()
    let childBits = child.word.peek()
    guard Unmanaged.passUnretained(child).isSole, State.isUnresolved(childBits), child.rare.isNone,
      waiting == nil, rare.isQuiet
    else {
      word.unlock(bits)
      return false
    }
    removeActive(.passUnretained(child))
    bits += State.descendant
    noteHeir(child, bits)
    child.up = Up(ancestor: .passUnretained(self))
    child.store = result
    child.noteSettled(childBits | State.fulfilled)
    child.word.unlock(childBits | State.fulfilled | State.hasAncestor)
    word.unlock(bits & ~State.draining)
    return true
  }

  /// The handler of this child, which nobody but its caller holds, came to something else.
  @inline(never)
  private func conclude(_ found: Found, _ result: inout Store) {
    var agenda = Agenda()
    resolve(found, &result, &agenda)
    if !State.isSettled(word.peek()) { outlastCall(&agenda) }
    agenda.run()
  }

  /// This child is pending although the call of its parent's method is about to return.
  private func outlastCall(_ agenda: inout Agenda) {
    let bits = word.lock()
    if let parent = up.parent { up = Up(parent: parent.retain()) }
    word.unlock(bits)
    releaseDispatching(&agenda)
  }
}
