// The links between the promises of a tree. These links retain no promise.

/// The links of one promise, in its own piece of memory.
///
/// INVARIANT. Under the tree's lock, every linked node exists, and so does its promise. A node is made for
/// the first relative of its promise, and freed in the promise's `deinit`, after every link to it has been
/// removed (`leaveTree`). Nodes are read, changed and freed under the lock only. Two promises may exchange
/// their nodes (`leaveNodeToParent`).
///
/// No code retains a node's promise, even for an instant, except by ``promoted()``, or where another
/// reference is known to exist (``held``). The promise's `deinit` may have begun, or its last reference may
/// be released at any moment.
///
/// (Direct links between promises would be unsafe. To read such a link, the compiler may retain the promise
/// for a moment. If that reference becomes the last one, its release runs a `deinit`, which waits for the
/// lock that is held.)
struct TreeNode: Equatable {
  private struct Fields {
    var owner: Unmanaged<Promise>
    /// The node above, and three marks in the low bits, which the alignment leaves unused.
    var up: UInt = 0
    var next: TreeNode?
    /// The previous node in the list; for the first node, the last node. `nil` if the node is in no list.
    var before: TreeNode?
    /// The first child that is not in the waiting list.
    var firstChild: TreeNode?
  }

  private static var pendingMark: UInt { 1 }
  private static var keptMark: UInt { 2 }
  private static var keptBelowMark: UInt { 4 }
  private static var marks: UInt { 7 }

  private let fields: UnsafeMutablePointer<Fields>

  private init(fields: UnsafeMutablePointer<Fields>) { self.fields = fields }

  @inline(__always)
  init(of owner: Promise) {
    let memory = owner.lock.spares.pointee.take() ?? CurrentThread.allocate(MemoryLayout<Fields>.size)
    fields = memory.bindMemory(to: Fields.self, capacity: 1)
    fields.initialize(to: Fields(owner: .passUnretained(owner)))
  }

  @inline(__always)
  func discard(guardedBy lock: TreeLock) {
    assert(fields.pointee.before == nil && fields.pointee.firstChild == nil, "a node still links to this one")
    // A debug build frees the memory, so that Address Sanitizer detects later uses.
    #if !DEBUG
      if lock.spares.pointee.put(fields) { return }
    #endif
    CurrentThread.deallocate(fields)
  }

  /// The promise, if its `deinit` has not begun. A weak reference is the only documented way to retain an
  /// object on this condition. The weak reference costs a side table, which is a small allocation. (A mark
  /// that `deinit` sets under the lock would be too late, because the last reference is released before
  /// `deinit`.)
  func promoted() -> Promise? {
    let owner = fields.pointee.owner.takeUnretainedValue()
    // The result is retained before `owner` is released, so the release of `owner` never runs a `deinit`.
    return withExtendedLifetime(owner) { WeakCell(promise: owner).promise }
  }

  private struct WeakCell { weak var promise: Promise? }

  /// The promise, which another reference retains while the lock is held.
  @inline(__always) var held: Promise { fields.pointee.owner.takeUnretainedValue() }

  /// Calls `body` with the promise, which another reference retains while the lock is held. Borrows that
  /// reference instead of retaining the promise.
  @inline(__always)
  func withHeld<Result>(_ body: (Promise) -> Result) -> Result {
    let borrowed = fields.pointee.owner.takeRetainedValue()
    let result = body(borrowed)
    fields.pointee.owner = .passRetained(borrowed)
    return result
  }

  /// Retains the promise, which another reference retains already.
  @inline(__always) func retain() { _ = fields.pointee.owner.retain() }

  /// Passes a reference of ``retain()`` to the caller.
  @inline(__always) func takeRetained() -> Promise { fields.pointee.owner.takeRetainedValue() }

  /// Exchanges the `owner` fields of two nodes. The caller must also exchange the `node` properties of the
  /// two promises.
  func swapOwners(with other: TreeNode) {
    swap(&fields.pointee.owner, &other.fields.pointee.owner)
  }

  /// The node of the parent, or of the nearest ancestor that has not been freed.
  @inline(__always) var up: TreeNode? {
    get {
      LockedWork.step()
      let address = fields.pointee.up & ~Self.marks
      return UnsafeMutablePointer<Fields>(bitPattern: address).map { TreeNode(fields: $0) }
    }
    nonmutating set {
      let address = newValue.map { UInt(bitPattern: $0.fields) } ?? 0
      assert(address & Self.marks == 0, "the node is not aligned")
      fields.pointee.up = address | fields.pointee.up & Self.marks
    }
  }

  /// Whether this promise or a descendant may be pending.
  @inline(__always) var mayHavePending: Bool {
    get { isMarked(Self.pendingMark) }
    nonmutating set { mark(Self.pendingMark, newValue) }
  }

  /// Whether the promise retains itself (`Holding.swift`).
  @inline(__always) var isKept: Bool {
    get { isMarked(Self.keptMark) }
    nonmutating set {
      mark(Self.keptMark, newValue)
      if newValue, isListed { up?.mayHaveKeptChildren = true }
    }
  }

  /// Whether a child may retain itself. Never reset.
  @inline(__always) var mayHaveKeptChildren: Bool {
    get { isMarked(Self.keptBelowMark) }
    nonmutating set { mark(Self.keptBelowMark, newValue) }
  }

  @inline(__always) private func isMarked(_ bit: UInt) -> Bool { fields.pointee.up & bit != 0 }

  @inline(__always)
  private func mark(_ bit: UInt, _ isSet: Bool) {
    if isSet { fields.pointee.up |= bit } else { fields.pointee.up &= ~bit }
  }

  @inline(__always) var isListed: Bool { fields.pointee.before != nil }
  @inline(__always) var next: TreeNode? {
    LockedWork.step()
    return fields.pointee.next
  }

  @inline(__always) var firstChild: TreeNode? { fields.pointee.firstChild }
  func link(next: TreeNode?) { fields.pointee.next = next }
  func link(before: TreeNode?) { fields.pointee.before = before }
  func link(firstChild: TreeNode?) { fields.pointee.firstChild = firstChild }
  var before: TreeNode? { fields.pointee.before }
}

extension Promise {
  /// Retains the promise until ``takeOwnReference()``.
  func retainItself() { _ = Unmanaged.passRetained(self) }

  /// Passes the reference of ``retainItself()`` to the caller.
  func takeOwnReference() -> Promise { Unmanaged.passUnretained(self).takeRetainedValue() }
}
