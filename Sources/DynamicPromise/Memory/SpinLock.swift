// The only primitive for mutual exclusion. Every lock is built from it, so the explorer and a test can
// replace it by swapping this file.

import Synchronization

/// A lock for a few instructions: never held while foreign code runs.
struct SpinLock: ~Copyable {
  private let isTaken = Atomic<Bool>(false)

  @inline(__always)
  func lock() {
    let (won, _) = isTaken.weakCompareExchange(
      expected: false, desired: true, successOrdering: .acquiring, failureOrdering: .relaxed)
    if !won { lockSlowly() }
  }

  /// The fence is for the compiler: its reference counting optimizer does not take an atomic store for
  /// something that a retain or release must stay in front of, and would move them out of the critical
  /// section. It is no instruction on x86-64; the store's own order is what Thread Sanitizer understands.
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
      // The holder was preempted: sleeping lets it run even if its priority is lower.
      if spins > 200 { CurrentThread.sleep(microseconds: 20) }
    }
  }
}
