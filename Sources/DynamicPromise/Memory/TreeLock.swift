// One lock for all promises of a tree, out of a pool that is never freed: so a promise needs a byte to name
// its lock, and the lock outlives its users.

/// Which lock of the pool guards a tree. Two trees may share one; two are never held at once.
struct TreeLock: Sendable, Equatable {
  private let index: UInt8

  /// For a new tree. Trees that one thread makes use a few locks that other threads seldom use, so that
  /// threads which have nothing to do with each other do not meet.
  @inline(__always)
  static func forNewTree() -> TreeLock { TreeLock(index: CurrentThread.nextTree()) }

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

  /// Pieces of memory that trees of this lock do not need any more, for the next that needs one: to ask the
  /// system takes twenty times as long. Guarded by the lock.
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

    /// - Returns: Whether it was taken over; else there are enough.
    @inline(__always)
    mutating func put(_ memory: UnsafeMutableRawPointer) -> Bool {
      guard count < 64 else { return false }
      memory.storeBytes(of: first, as: UnsafeMutableRawPointer?.self)
      (first, count) = (memory, count + 1)
      return true
    }
  }

  /// A lock in cache lines of its own.
  private struct Slot: ~Copyable {
    let lock = SpinLock()
    let spares: UnsafeMutablePointer<Spares>
    private let padding = SIMD8<UInt64>.zero
  }

  private enum Pool {
    /// One for each value of `index`; never freed.
    nonisolated(unsafe) static let slots: UnsafeMutablePointer<Slot> = {
      let slots = UnsafeMutablePointer<Slot>.allocate(capacity: 256)
      let spares = UnsafeMutablePointer<Spares>.allocate(capacity: 256)
      spares.initialize(repeating: Spares(), count: 256)
      for index in 0..<256 { (slots + index).initialize(to: Slot(spares: spares + index)) }
      return slots
    }()
  }
}
