// The place of a promise in its tree: links that hold nothing.

/// The links of one promise, in a piece of memory of its own.
///
/// INVARIANT. Made with its promise or when that gets its first child, and freed in its promise's `deinit`;
/// two promises may exchange theirs (`leaveNodeToParent`).
/// Read and changed under the tree's lock only, freed under it, too, after every link to it has been taken
/// out (`leaveTree`): so what a link names under the lock has not been freed, and neither has its promise.
/// But its `deinit` may have begun, or its last reference may be released at any moment. So no code makes a
/// reference to it, not even for an instant, except by ``promoted()``, or where it is known to be held.
///
/// (Links between the promises would not do. To look through one the compiler may take a reference for a
/// moment; if that has become the last one, giving it up runs a `deinit` that waits for the held lock.)
struct TreeNode: Equatable {
  private struct Fields {
    var owner: Unmanaged<Promise>
    /// The node above, and three marks in the bits that the alignment leaves.
    var up: UInt = 0
    var next: TreeNode?
    /// Of the first one in a list: the last one. `nil`: in no list.
    var before: TreeNode?
    /// The first of the others below: those that do not wait.
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
    assert(fields.pointee.before == nil && fields.pointee.firstChild == nil, "a link to this node is left")
    // A debug build gives it back, so that Address Sanitizer sees who uses it afterwards.
    #if !DEBUG
      if lock.spares.pointee.put(fields) { return }
    #endif
    CurrentThread.deallocate(fields)
  }

  /// The promise, if its `deinit` has not begun. Gives the promise a side table, which is a small allocation:
  /// a weak reference is the one documented way to retain an object only if its `deinit` has not begun. (A
  /// mark that `deinit` sets under the lock comes too late: the last reference was released before.)
  func promoted() -> Promise? {
    let owner = fields.pointee.owner.takeUnretainedValue()
    // If all other references are released now, the returned one is the last, not this one.
    return withExtendedLifetime(owner) { WeakCell(promise: owner).promise }
  }

  private struct WeakCell { weak var promise: Promise? }

  /// The promise, which is known to be held for as long as the lock is held.
  @inline(__always) var held: Promise { fields.pointee.owner.takeUnretainedValue() }

  /// One more reference to the promise, which is known to be held.
  @inline(__always) func retain() { _ = fields.pointee.owner.retain() }

  /// Gives a reference to the promise that was taken with ``retain()`` to the caller.
  @inline(__always) func takeRetained() -> Promise { fields.pointee.owner.takeRetainedValue() }

  /// Each becomes the node of the other's promise. The caller changes the promises.
  func swapOwners(with other: TreeNode) {
    swap(&fields.pointee.owner, &other.fields.pointee.owner)
  }

  /// The parent, or the nearest ancestor that has not been freed.
  @inline(__always) var up: TreeNode? {
    get {
      LockedWork.step()
      let address = fields.pointee.up & ~Self.marks
      return UnsafeMutablePointer<Fields>(bitPattern: address).map { TreeNode(fields: $0) }
    }
    nonmutating set {
      let address = newValue.map { UInt(bitPattern: $0.fields) } ?? 0
      assert(address & Self.marks == 0, "no room for the marks")
      fields.pointee.up = address | fields.pointee.up & Self.marks
    }
  }

  /// Whether something pending may be found here or below.
  @inline(__always) var mayHavePending: Bool {
    get { isMarked(Self.pendingMark) }
    nonmutating set { mark(Self.pendingMark, newValue) }
  }

  /// The promise keeps itself (`Holding.swift`).
  @inline(__always) var isKept: Bool {
    get { isMarked(Self.keptMark) }
    nonmutating set {
      mark(Self.keptMark, newValue)
      if newValue, isListed { up?.mayHaveKeptChildren = true }
    }
  }

  /// Whether one of the children may keep itself. Stays set.
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
  /// The promise keeps itself until ``takeOwnReference()``.
  func retainItself() { _ = Unmanaged.passRetained(self) }

  /// The reference that the promise has kept itself by.
  func takeOwnReference() -> Promise { Unmanaged.passUnretained(self).takeRetainedValue() }
}
