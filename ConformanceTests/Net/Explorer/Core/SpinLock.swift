// Replaces the core's `Memory/SpinLock.swift` with the same interface. The scheduler decides which thread
// acquires a lock.

import Scheduler

struct SpinLock: ~Copyable {
  private let cell = Cell(0)

  func lock() {
    Scheduler.point("lock", cell)
    Scheduler.take(cell)
  }

  /// The code after an unlock, which mostly releases objects, is a separate step. Another thread may run
  /// before that step.
  func unlock() {
    // The cell is copied, because the next thread may free the owner of this lock.
    let cell = cell
    Scheduler.release(cell)
    Scheduler.point("unlocked", cell)
  }
}
