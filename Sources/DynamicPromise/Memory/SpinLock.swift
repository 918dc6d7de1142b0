// The only primitive for mutual exclusion. Every lock is built from it, so the explorer and a test can
// replace it by swapping this file.

import Synchronization

/// A lock for short critical sections. It is never held while foreign code runs.
struct SpinLock: ~Copyable {
  private let isTaken = Atomic<Bool>(false)

  @inline(__always)
  func lock() {
    let (won, _) = isTaken.weakCompareExchange(
      expected: false, desired: true, successOrdering: .acquiring, failureOrdering: .relaxed)
    if !won { lockSlowly() }
  }

  /// The fence is for the compiler. Without it, the optimizer may move retains and releases past the atomic
  /// store, out of the critical section. On x86-64, the fence emits no instruction. Thread Sanitizer
  /// understands the ordering of the store, not the fence.
  @inline(__always)
  func unlock() {
    atomicMemoryFence(ordering: .releasing)
    isTaken.store(false, ordering: .releasing)
  }

  @inline(never)
  private func lockSlowly() {
    var spins = 0
    while true {
      if !isTaken.load(ordering: .relaxed) {
        let (won, _) = isTaken.weakCompareExchange(
          expected: false, desired: true, successOrdering: .acquiring, failureOrdering: .relaxed)
        if won { return }
      }
      spins += 1
      // Probably the holder was preempted. Sleeping lets the holder run even if its priority is lower.
      if spins > 200 { CurrentThread.sleep(microseconds: 20) }
    }
  }
}
