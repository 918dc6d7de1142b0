// Replaces the core's `Memory/SpinLock.swift` with the same interface. The scheduler decides which thread
// gets a lock.

import Scheduler

struct SpinLock: ~Copyable {
  private let cell = Cell(0)

  func lock() {
    Scheduler.point("lock", cell)
    Scheduler.take(cell)
  }

  /// The code after an unlock, which mostly releases objects, is a separate step: another thread may run
  /// before it.
  func unlock() {
    // A copy, because the next thread may free the owner of this lock.
    let cell = cell
    Scheduler.release(cell)
    Scheduler.point("unlocked", cell)
  }
}
