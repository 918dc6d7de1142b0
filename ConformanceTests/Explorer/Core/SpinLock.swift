// Takes the place of the core's `Memory/SpinLock.swift`: the same names, but who gets a lock the scheduler
// decides.

import Scheduler

struct SpinLock: ~Copyable {
  private let cell = Cell(0)

  func lock() {
    Scheduler.point("lock", cell)
    Scheduler.take(cell)
  }

  /// What follows an unlock, mostly releases, is another step: another thread may run in between.
  func unlock() {
    // The thread that continues may free the owner of this lock.
    let cell = cell
    Scheduler.release(cell)
    Scheduler.point("unlocked", cell)
  }
}
