// One lock for all promises of a tree, from a pool of 256. A promise stores the index of its lock in one
// byte. The pool is never freed, so that a lock outlives its users.

/// The lock of the pool that guards a tree. Several trees may share a lock. A thread never holds the locks of
/// two trees.
struct TreeLock: Sendable, Equatable {
  private let index: UInt8

  /// The lock for a new tree. Unrelated threads seldom contend, because each thread uses a few locks that
  /// other threads seldom use.
  @inline(__always) static func forNewTree() -> TreeLock { TreeLock(index: CurrentThread.nextTree()) }

  /// A lock for objects that are never guarded by it.
  static let any = TreeLock(index: 0)

  @inline(__always)
  func lock() {
    LockedWork.begin()
    Pool.slots[Int(index)].lock.lock()
  }

  @inline(__always)
  func unlock() {
    Pool.slots[Int(index)].lock.unlock()
    LockedWork.end()
  }

  /// Runs `body` under the lock.
  @inline(__always)
  func with<Result>(_ body: () -> Result) -> Result {
    lock()
    let result = body()
    unlock()
    return result
  }

  /// Freed memory of cores, for the next core of a tree with this lock. An allocation by the system takes
  /// twenty times as long as the use of a spare. Guarded by the lock.
  @inline(__always) var spares: UnsafeMutablePointer<Spares> { Pool.slots[Int(index)].spares }

  struct Spares {
    private var first: UnsafeMutableRawPointer?
    private var count = 0

    @inline(__always)
    mutating func take() -> UnsafeMutableRawPointer? {
      guard let taken = first else { return nil }
      first = taken.load(as: UnsafeMutableRawPointer?.self)
      count -= 1
      return taken
    }

    /// - Returns: `false` if enough pieces are stored already. In that case the caller frees the memory.
    @inline(__always)
    mutating func put(_ memory: UnsafeMutableRawPointer) -> Bool {
      guard count < 64 else { return false }
      memory.storeBytes(of: first, as: UnsafeMutableRawPointer?.self)
      (first, count) = (memory, count + 1)
      return true
    }
  }

  /// A lock on separate cache lines.
  private struct Slot: ~Copyable {
    let lock = SpinLock()
    let spares: UnsafeMutablePointer<Spares>
    private let padding = SIMD8<UInt64>.zero
  }

  private enum Pool {
    /// One slot for each value of `index`; never freed.
    nonisolated(unsafe) static let slots: UnsafeMutablePointer<Slot> = {
      let slots = UnsafeMutablePointer<Slot>.allocate(capacity: 256)
      let spares = UnsafeMutablePointer<Spares>.allocate(capacity: 256)
      spares.initialize(repeating: Spares(), count: 256)
      for index in 0..<256 { (slots + index).initialize(to: Slot(spares: spares + index)) }
      return slots
    }()
  }
}
