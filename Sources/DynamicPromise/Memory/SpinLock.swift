// The only primitive for mutual exclusion: every lock is built from it. The explorer and a test can replace
// all locks by swapping this file.

#if canImport(Darwin)
  internal import Darwin

  /// Apple's lock: `Atomic` needs macOS 15, and a waiting thread may have a higher priority than the holder.
  /// Type-checked for macOS 13. Nobody has run it on an Apple system yet.
  struct SpinLock: ~Copyable, @unchecked Sendable {
    private let place = os_unfair_lock_t.allocate(capacity: 1)

    init() { place.initialize(to: os_unfair_lock()) }
    deinit { place.deallocate() }

    @inline(__always) func lock() { os_unfair_lock_lock(place) }
    @inline(__always) func unlock() { os_unfair_lock_unlock(place) }
  }
#else
  import Synchronization

  /// A lock for short critical sections. It is never held while foreign code runs.
  struct SpinLock: ~Copyable {
    private let isTaken = Atomic<Bool>(false)

    @inline(__always) func lock() { if !take() { lockSlowly() } }

    /// The fence is for the compiler. Without it, the optimizer may move retains and releases past the atomic
    /// store, out of the critical section. On x86-64, the fence emits no instruction. The store also has a
    /// release ordering, because Thread Sanitizer does not support the fence.
    @inline(__always)
    func unlock() {
      atomicMemoryFence(ordering: .releasing)
      isTaken.store(false, ordering: .releasing)
    }

    @inline(__always)
    private func take() -> Bool {
      isTaken.weakCompareExchange(
        expected: false, desired: true, successOrdering: .acquiring, failureOrdering: .relaxed
      ).exchanged
    }

    @inline(never)
    private func lockSlowly() {
      var spins = 0
      while isTaken.load(ordering: .relaxed) || !take() {
        spins += 1
        // Sleeps, so that the holder, which was probably preempted, runs even if its priority is lower.
        if spins > 200 { CurrentThread.sleep(microseconds: 20) }
      }
    }
  }
#endif
