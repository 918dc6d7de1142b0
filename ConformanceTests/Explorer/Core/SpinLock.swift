// Takes the place of the core's `Memory/SpinLock.swift`: the same names, but who gets a lock the scheduler
// decides.

import Scheduler

struct SpinLock: ~Copyable {
  private let cell = Cell(0)

  func lock() {
    Scheduler.point("lock", cell)
    Scheduler.take(cell)
  }

  /// What follows an unlock, mostly releases, is another step: somebody may come in between.
  func unlock() {
    // Whoever continues may free what this belongs to.
    let cell = cell
    Scheduler.release(cell)
    Scheduler.point("unlocked", cell)
  }
}
