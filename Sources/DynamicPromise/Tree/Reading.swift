// Reads the children of a promise: for a cancel, for `finished()`, and for `DynamicPromiseDiagnostics`.
// Children are read in slices, so that no critical section grows with their number. Each slice begins behind
// the last child read that is still in its list.

extension Promise {
  /// The promise that this promise follows.
  package var followed: Promise? {
    let adoption: Adoption? = lock.with {
      if case .following(let adoption) = state { adoption } else { nil }
    }
    return adoption?.followed
  }

  /// The children that are pending or may have a pending descendant. Settled and running children come first,
  /// then waiting children, each group oldest first. Children that change meanwhile may be missing. No child
  /// occurs twice.
  package func readChildren() -> [Promise] {
    var seen: Set<ObjectIdentifier> = []
    // Waiting children are read before the others, so that a child that stops waiting meanwhile is found
    // among the others.
    let waiting = read(&seen) { $0.readWaiting(after: $1, &$2) }
    let others = read(&seen) { $0.readOthers(after: $1, &$2) }
    return others.reversed() + waiting
  }

  /// The result of one critical section.
  private struct Slice {
    enum End {
      case more, done
      /// The child behind which to continue has left the list.
      case lost
      /// Children were added in front.
      case again
    }

    var children: [Promise] = []
    /// To be released when the lock is free.
    var released: [Promise] = []
  }

  private func read(
    _ seen: inout Set<ObjectIdentifier>, _ next: (Promise, Promise?, inout Slice) -> Slice.End
  ) -> [Promise] {
    var found: [Promise] = []
    // All children read so far: the places to continue if the last child has left the list.
    var places: [Promise] = []
    while true {
      var slice = Slice()
      lock.lock()
      let end = next(self, places.last, &slice)
      lock.unlock()
      places += slice.children
      found += slice.children.filter { seen.insert(ObjectIdentifier($0)).inserted }
      switch end {
      case .done: return found
      case .more: break
      case .lost: places.removeLast()
      case .again: places = []
      }
    }
  }

  private func readWaiting(after last: Promise?, _ slice: inout Slice) -> Slice.End {
    if let last, !last.flags.contains(.waiting) || last.heldParent !== self { return .lost }
    var child = last.map(waiting.following) ?? waiting.first
    while let current = child {
      if slice.children.count == Limits.slice { return .more }
      slice.children.append(current)
      child = waiting.following(current)
    }
    return .done
  }

  private func readOthers(after last: Promise?, _ slice: inout Slice) -> Slice.End {
    var child = node?.firstChild
    if let last {
      guard !last.flags.contains(.waiting), let place = last.node, place.isListed, place.mayHavePending,
        place.up == node
      else { return .lost }
      child = place.next
    }
    while let current = child, current.mayHavePending {
      if slice.children.count == Limits.slice { return .more }
      child = current.next
      if let promise = current.promoted() {
        slice.children.append(promise)
      } else if current.firstChild != nil {
        // The child's children move to this promise now, because the child's `deinit` waits for the lock.
        _ = current.passChildrenUp(&slice.released)
        return .again
      } else {
        current.clearPendingMark()
      }
    }
    return .done
  }
}
