// Leaves: children that nobody holds but the list in which they wait, with a handler for the value that is called at once. What
// ends a chain is one, and so is each of many handlers on one promise. Nobody can come upon a leaf but through its parent, under the
// parent's lock; so that is the only one that is taken, once to start the next leaf and end the last one. Nobody can ask for its outcome
// either: it only has to be there while its handler runs, for a cancellation to find it (C2).

extension Unmanaged where Instance == Promise {
  /// Whether this first child of a promise, which is fulfilled and locked, is a leaf.
  @inline(__always) var isLeaf: Bool {
    isSole
      && use {
        $0.word.peek() & ~State.mayDiffer == State.waitingLeaf && $0.waiting == nil && $0.rare.isNone
          && $0.context.isImmediate
      }
  }
}

extension State {
  fileprivate static var waitingLeaf: UInt { handlesValue | isDirect | hasHandlers }
  fileprivate static var startedLeaf: UInt { handlesValue | isDirect | started }
  /// What makes no difference to a leaf.
  fileprivate static var mayDiffer: UInt { observed | handlesReason }
}

extension Promise {
  /// Runs the first children of this promise as long as they are leaves, and leaves the rest to the agenda, which has nothing else to
  /// do. The promise is locked, `bits` says that it is fulfilled, and whoever settles it holds it; gives the lock back, and lets
  /// go of `debris`.
  @inline(never)
  func runLeaves(_ bits: UInt, _ debris: consuming Debris, _ agenda: inout Agenda) {
    var bits = bits | State.draining
    var leaf = popWaiting()!
    var handler = startLeaf(leaf)
    word.unlock(bits)
    debris.clear()
    agenda.submitContinuation()
    while true {
      var result = Store()
      let found = handler.callDirect(store.value(), nil, &result)
      bits = word.lock()
      guard endLeaf(leaf, found, &result) else {
        word.unlock(bits)
        return agenda.withinTurn { $0.conclude(leaf, found, &result) }
      }
      let ended = leaf
      let goesOn = rare.isQuiet && waiting?.isLeaf ?? false
      if goesOn {
        leaf = popWaiting()!
        handler = startLeaf(leaf)
      } else if waiting == nil, rare.isQuiet {
        bits &= ~State.draining
      }
      word.unlock(bits)
      ended.release()
      // It was held by that child, too.
      Unmanaged.passUnretained(self).release()
      guard goesOn else {
        if bits & State.draining != 0 { agenda.addDispatch(of: self) }
        return
      }
    }
  }

  /// Enters a leaf that was taken out of the list as started, and takes its handler.
  @inline(__always)
  private func startLeaf(_ leaf: Unmanaged<Promise>) -> Store {
    pushActive(leaf, as: .dispatching)
    return leaf.use {
      let handler = $0.store
      $0.store = Store(runner: CurrentThread.id)
      $0.word.unlock($0.word.peek() & State.mayDiffer | State.startedLeaf)
      return handler
    }
  }

  /// Fulfills a leaf and takes it out of the tree, if nobody has come upon it meanwhile and it came to a plain value.
  @inline(__always)
  private func endLeaf(_ leaf: Unmanaged<Promise>, _ found: Found, _ result: inout Store) -> Bool {
    guard result.isPlain(found), leaf.isSole else { return false }
    let bits = leaf.use { $0.word.peek() }
    guard bits & ~State.mayDiffer == State.startedLeaf, leaf.use({ $0.rare.isNone && $0.waiting == nil })
    else { return false }
    removeActive(leaf)
    leaf.use {
      let now = bits | State.fulfilled
      $0.store = result
      $0.up = .none
      $0.noteSettled(now)
      $0.word.unlock(now)
    }
    return true
  }
}
