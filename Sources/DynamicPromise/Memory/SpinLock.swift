// The only primitive for mutual exclusion: every lock is built from it. The explorer and a test can replace
// all locks by swapping this file.

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
  /// store, out of the critical section. On x86-64, the fence emits no instruction. The store also has a
  /// release ordering, because Thread Sanitizer does not support the fence.
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
      // Sleeps, so that the holder, which was probably preempted, runs even if its priority is lower.
      if spins > 200 { CurrentThread.sleep(microseconds: 20) }
    }
  }
}
