// The lock of a whole tree of `TreePromise`s.

import Dispatch
import Synchronization

/// One of a few locks that always exist. A root chooses one, and its descendants share it. So the lock
/// needs no reference count, and a change of several promises costs one exchange. Trees that share a lock
/// wait for each other.
struct TreeLock {
  /// Its lowest six bits are zero.
  let address: UInt

  private static let count: UInt = 64
  private static let size = 64

  private static let first: UInt = {
    let memory = UnsafeMutableRawPointer.allocate(byteCount: Int(count) * size, alignment: size)
    for index in 0..<Int(count) {
      (memory + index * size).bindMemory(to: Atomic<UInt>.self, capacity: 1).initialize(to: Atomic(0))
    }
    return UInt(bitPattern: memory)
  }()

  /// The lock for a root at that address, and its descendants.
  @inline(__always)
  static func ofRoot(at address: UInt) -> UInt { first + (address >> 5 & (count - 1)) * UInt(size) }

  @inline(__always)
  private var word: UnsafeMutablePointer<Atomic<UInt>> { .init(bitPattern: address).unsafelyUnwrapped }

  @inline(__always)
  func lock() {
    if word.pointee.exchange(1, ordering: .acquiring) != 0 { lockSlowly() }
  }

  /// The fence keeps the compiler from moving what counts references across the store; it is no instruction
  /// on x86-64.
  @inline(__always)
  func unlock() {
    atomicMemoryFence(ordering: .releasing)
    word.pointee.store(0, ordering: .releasing)
  }

  @inline(never)
  private func lockSlowly() {
    var spins = 0
    while true {
      if word.pointee.load(ordering: .relaxed) == 0, word.pointee.exchange(1, ordering: .acquiring) == 0 {
        return
      }
      spins += 1
      // The thread that holds the lock may not be running.
      if spins > 200 { _ = DispatchSemaphore(value: 0).wait(timeout: .now() + .microseconds(20)) }
    }
  }
}
