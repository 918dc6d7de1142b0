// The floor of a promise that can be cancelled: the cost of a step of a promise that only has `then`,
// `resolve`, `reject`, `cancel` and a parent. `ToyPromise`, without rejection, parent and cancellation, is
// the floor below it.

import Synchronization

/// One object and one closure per step; one lock for a whole tree. It has no contexts, following, recovery,
/// or order among late handlers: only what a cancellable chain needs.
///
/// - `cancel()` reaches everything pending below a promise, also below settled and through deallocated
///   ones.
/// - A handler that has been cancelled before it started is not called, and is freed at once.
/// - A pending promise retains its parent. A settled one does not.
///
/// WHO RETAINS WHOM. A pending promise retains its waiting children; a root with children retains itself.
/// The thread that runs a handler retains the child, and the parent until the child has settled. So the
/// parent of a pending promise exists without a reference count.
///
/// LISTS. Children are in their parent's list: those that wait first, then those that have started and, as
/// long as they exist, those that are fulfilled. When a fulfilled promise is freed, its children take its
/// place in the list above. A promise that is rejected or cancelled leaves, for nothing below it can be
/// pending any more.
///
/// Handlers run in place like those of `ToyPromise`, one after the other: no depth of chain recurses.
package final class TreePromise: @unchecked Sendable {
  package typealias Handler = @Sendable (Any) throws -> Any

  /// The address of the tree's lock, and in its lowest bits the state. Changes under the lock.
  let word: Atomic<UInt>
  /// While a handler waits, that in the first two words. Once settled a value, or in the last word an error.
  let store = _Cell<(UInt, UInt, UInt, UInt)>((0, 0, 0, 0))
  /// In whose list it stands: the parent, or the next one above it that exists. Once `nil` it stays so.
  let up: Atomic<Link?>
  /// Its own list, in a circle. Once `nil` it stays so unless somebody adds a child.
  let first: Atomic<Link?>
  @exclusivity(unchecked) var next: Link?
  @exclusivity(unchecked) var previous: Link?

  /// Pending, a root.
  package init() {
    word = Atomic(TreeState.root)
    up = Atomic(nil)
    first = Atomic(nil)
    let lock = TreeLock.ofRoot(at: UInt(bitPattern: Unmanaged.passUnretained(self).toOpaque()))
    word.store(lock | TreeState.root, ordering: .relaxed)
    assert(Link.passUnretained(self).value == UnsafeMutableRawPointer(store._address))
  }

  /// Fulfilled, a root.
  package convenience init(resolved value: Any) {
    self.init()
    let link = Link.passUnretained(self)
    link.value.initialize(to: value)
    link.become(TreeState.fulfilled)
  }

  private init(_ state: UInt, below parent: Link?, _ lock: TreeLock) {
    word = Atomic(lock.address | state)
    up = Atomic(parent)
    first = Atomic(nil)
  }

  private var lock: TreeLock { Link.passUnretained(self).lock }

  private var state: UInt { word.load(ordering: .acquiring) & TreeState.mask }

  /// The outcome, once there is one.
  package var result: Result<Any, any Error>? {
    let link = Link.passUnretained(self)
    switch state {
    case TreeState.fulfilled: return .success(link.value.pointee)
    case TreeState.rejected, TreeState.cancelled: return .failure(link.error.pointee)
    default: return nil
    }
  }

  package var isCancelled: Bool { state == TreeState.cancelled }

  /// Of a pending promise.
  package var parent: TreePromise? {
    lock.lock()
    defer { lock.unlock() }
    guard TreeState.isPending(state) else { return nil }
    return up.load(ordering: .relaxed)?.takeUnretainedValue()
  }

  /// Calls `handler` with the value. What it returns fulfills the new promise, what it throws rejects it.
  @discardableResult
  package func then(_ handler: @escaping Handler) -> TreePromise {
    let parent = Link.passUnretained(self)
    let lock = parent.lock
    let state = word.load(ordering: .acquiring) & TreeState.mask
    if state == TreeState.fulfilled { return start(handler) }
    guard TreeState.isPending(state) else { return ended(like: state) }
    let child = TreePromise(TreeState.waiting, below: parent, lock)
    let entry = Link.passRetained(child)
    entry.handler.initialize(to: TreeHandler(call: handler))
    lock.lock()
    let now = parent.state
    if TreeState.isPending(now) {
      if now == TreeState.root, parent.first == nil { _ = parent.retain() }
      parent.append(entry)
      lock.unlock()
      return child
    }
    // It has settled meanwhile.
    lock.unlock()
    entry.handler.deinitialize(count: 1)
    child.up.store(nil, ordering: .relaxed)
    child.word.store(lock.address | TreeState.root, ordering: .relaxed)
    entry.release()
    return now == TreeState.fulfilled ? start(handler) : ended(like: now)
  }

  /// The child of a promise that was rejected or cancelled.
  @inline(never)
  private func ended(like state: UInt) -> TreePromise {
    let child = TreePromise(state, below: nil, lock)
    let reason = Link.passUnretained(self).error.pointee
    Link.passUnretained(child).error.initialize(to: reason)
    return child
  }

  /// The child of a promise that is fulfilled: its handler runs here. The caller holds this promise, and
  /// nobody else needs to hold the child.
  @inline(__always)
  private func start(_ handler: Handler) -> TreePromise {
    let parent = Link.passUnretained(self)
    let lock = parent.lock
    let child = TreePromise(TreeState.started, below: parent, lock)
    let entry = Link.passUnretained(child)
    lock.lock()
    parent.append(entry)
    lock.unlock()
    do {
      let value = try handler(parent.value.pointee)
      lock.lock()
      guard entry.state == TreeState.started else {
        lock.unlock()
        return child
      }
      entry.value.initialize(to: consume value)
      entry.become(TreeState.fulfilled)
      guard let turn = entry.first else {
        lock.unlock()
        return child
      }
      entry.start(turn)
      let held = entry.retain()
      lock.unlock()
      TreePromise.run(held, turn)
    } catch { entry.fail(with: error) }
    return child
  }

  /// Fulfills with `value`, unchanged, and runs the waiting handlers.
  package func resolve(_ value: Any) {
    let link = Link.passUnretained(self)
    let lock = link.lock
    lock.lock()
    guard link.state == TreeState.root else { return lock.unlock() }
    link.value.initialize(to: value)
    link.become(TreeState.fulfilled)
    guard let turn = link.first else { return lock.unlock() }
    link.start(turn)
    lock.unlock()
    // It no longer holds itself: whoever runs its children does.
    TreePromise.run(link, turn)
  }

  /// Rejects, and everything below.
  package func reject(_ error: any Error) {
    Link.passUnretained(self).end(TreeState.rejected, error) { $0 == TreeState.root }
  }

  /// Cancels this promise, or if it is fulfilled whatever is pending below it.
  package func cancel(_ reason: any Error = CancellationError()) {
    Link.passUnretained(self).cancel(reason)
  }

  deinit {
    let link = Link.passUnretained(self)
    // Neither comes back, and what has let go of it has not touched it since.
    if up.load(ordering: .acquiring) != nil || first.load(ordering: .acquiring) != nil { link.leaveTree() }
    switch word.load(ordering: .relaxed) & TreeState.mask {
    case TreeState.fulfilled: link.value.deinitialize(count: 1)
    case TreeState.rejected, TreeState.cancelled: link.error.deinitialize(count: 1)
    default: break
    }
  }
}
