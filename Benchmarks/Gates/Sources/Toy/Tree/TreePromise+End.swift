// Ending without a value: by an error, or a cancel.

extension Unmanaged where Instance == TreePromise {
  /// Its handler has thrown. It was not cancelled, or its outcome is known already.
  @inline(never)
  func fail(with error: any Error) {
    end(TreeState.rejected, error) { $0 == TreeState.started }
  }

  /// Ends it, and all below it, if it is in a state that allows it. The caller holds it.
  func end(_ state: UInt, _ error: any Error, if allows: (UInt) -> Bool) {
    let lock = lock
    lock.lock()
    guard allows(self.state) else { return lock.unlock() }
    var ended = Ended()
    ended.end(self, state, error)
    lock.unlock()
    ended.free()
  }

  /// Cancels it, or if it is fulfilled whatever is pending below it. The caller holds it.
  func cancel(_ reason: any Error) {
    let lock = lock
    lock.lock()
    var ended = Ended()
    let state = state
    if TreeState.isPending(state) { ended.end(self, TreeState.cancelled, reason) }
    if state == TreeState.fulfilled { ended.endBelow(self, reason) }
    lock.unlock()
    ended.free()
  }
}

/// Promises that have ended under the lock, with one reference to each, to be released after it.
private struct Ended {
  private var first: Link?
  private var last: Link?
  /// A root that has lost its last child, and no longer holds itself.
  private var childless: Link?

  /// Cancels what is pending below a promise that is fulfilled.
  mutating func endBelow(_ start: Link, _ reason: any Error) {
    var fulfilled = [start]
    while let promise = fulfilled.popLast() {
      // Each leaves the list or stays and is fulfilled, so that the circle closes where it began.
      guard let last = promise.first?.previous else { continue }
      var child = promise.first.unsafelyUnwrapped
      while true {
        let next = child.next
        let isLast = child.isSame(as: last)
        if child.state == TreeState.fulfilled {
          fulfilled.append(child)
        } else {
          end(child, TreeState.cancelled, reason)
        }
        if isLast { break }
        child = next
      }
    }
  }

  /// Ends a pending promise and all below it: those wait, every one of them.
  mutating func end(_ promise: Link, _ state: UInt, _ error: any Error) {
    let former = promise.state
    if let parent = promise.up {
      parent.remove(promise)
      if parent.first == nil, parent.state == TreeState.root { childless = parent }
    }
    let children = promise.first
    mark(promise, state, error)
    // What has started is held by whoever runs it; a root holds itself while it has children.
    if former == TreeState.waiting || former == TreeState.root && children != nil { add(promise, promise) }
    guard let children else { return }
    add(children, children.previous)
    var current: Link? = children
    while let child = current {
      if let further = child.first { add(further, further.previous) }
      mark(child, state, error)
      current = child._withUnsafeGuaranteedRef { $0.next }
    }
  }

  private func mark(_ promise: Link, _ state: UInt, _ error: any Error) {
    promise.first = nil
    promise.up = nil
    promise.error.initialize(to: error)
    promise.become(state)
  }

  private mutating func add(_ from: Link, _ to: Link) {
    to._withUnsafeGuaranteedRef { $0.next = nil }
    if let last { last.next = from } else { first = from }
    last = to
  }

  /// Frees the handlers, and the promises that nobody else holds.
  func free() {
    var current = first
    while let promise = current {
      current = promise._withUnsafeGuaranteedRef { $0.next }
      // A root has none.
      UnsafeMutableRawPointer(promise.handler).assumingMemoryBound(to: TreeHandler?.self).pointee = nil
      promise.release()
    }
    childless?.release()
  }
}
