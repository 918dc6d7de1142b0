// Reads the children of a promise, in slices: for a cancel, for `finished()`, and for
// `DynamicPromiseDiagnostics`.

extension Core {
  /// The children that are pending or may have a pending descendant, each with a hold. Settled and running
  /// children come first, then waiting children, oldest first. Children that change meanwhile may
  /// be missing. No child occurs twice. Called with nothing locked; the caller has a hold.
  func readChildren(_ turn: Turn) -> [Core] {
    // Waiting children are read before the others, so that a child that stops waiting meanwhile is found
    // among the others.
    let waiting = read({ firstWaiting }) { $0.flags.contains(.waiting) }
    let others = read({ firstChild }) { $0.mayHavePending }
    let found = others.reversed() + waiting
    // In one list that was read at once no child occurs twice.
    if found.count < Limits.slice, waiting.isEmpty || others.isEmpty { return found }
    var seen: Set<Core> = []
    let isFirst = found.map { seen.insert($0).inserted }
    zip(found, isFirst).filter { !$0.1 }.map(\.0).drop(lock, turn)
    return zip(found, isFirst).filter(\.1).map(\.0)
  }

  /// The members of a list, each with a hold. Each slice begins behind the last member that is still there.
  private func read(_ first: () -> Core?, while isMember: (Core) -> Bool) -> [Core] {
    var found: [Core] = []
    while true {
      var places = found[...]
      let size = found.count
      lock.lock()
      while let last = places.last, !last.isListed || last.up != self || !isMember(last) {
        places.removeLast()
      }
      var next = places.last.map { $0.next } ?? first()
      while let child = next, isMember(child), found.count < size + Limits.slice {
        child.hold()
        found.append(child)
        next = child.next
      }
      lock.unlock()
      if found.count < size + Limits.slice { return found }
    }
  }
}

extension [Core] {
  /// Drops a hold on each. Called with nothing locked.
  func drop(_ lock: TreeLock, _ turn: Turn) {
    for begin in stride(from: 0, to: count, by: Limits.slice) {
      lock.with { for core in self[begin...].prefix(Limits.slice) { core.drop(turn) } }
    }
  }
}
