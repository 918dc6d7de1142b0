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
    // Whoever goes on may free what this belongs to.
    let cell = cell
    cell.bits = 0
    Scheduler.point("unlocked", cell)
  }
}

final class Guarded<Value>: @unchecked Sendable {
  private let lock = SpinLock()
  @exclusivity(unchecked) private var value: Value

  init(_ value: Value) { self.value = value }

  func with<Result>(_ body: (inout Value) -> Result) -> Result {
    lock.lock()
    let result = body(&value)
    lock.unlock()
    return result
  }
}

enum Spinning {
  static let rounds = 1
}
