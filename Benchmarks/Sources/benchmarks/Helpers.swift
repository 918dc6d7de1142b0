// Helpers of the contenders: a latch that waits for the last handler, and a second thread. `Meeting.swift`
// makes two threads meet.

import Dispatch
import Foundation
import Synchronization

/// A latch: `wait()` returns after `count` hits.
final class Latch: Sendable {
  private let missing: Atomic<Int>
  private let semaphore = DispatchSemaphore(value: 0)

  init(_ count: Int = 1) { missing = Atomic(count) }

  @inline(__always)
  func hit() {
    if missing.subtract(1, ordering: .acquiringAndReleasing).newValue == 0 { semaphore.signal() }
  }

  func wait() { semaphore.wait() }
}

/// A thread that is started in advance.
final class Helper: @unchecked Sendable {
  static let first = Helper()
  static let second = Helper()

  private let wanted = DispatchSemaphore(value: 0)
  private let done = DispatchSemaphore(value: 0)
  private var job: () -> Void = {}

  init() {
    let thread = Thread { [self] in
      while true {
        wanted.wait()
        job()
        done.signal()
      }
    }
    thread.stackSize = 8 << 20
    thread.start()
  }

  /// Runs `job` on the helper's thread. Earlier writes are visible to the job.
  func start(_ job: @escaping () -> Void) {
    self.job = job
    wanted.signal()
  }

  /// Waits until the job has returned. The job's writes are visible afterwards.
  ///
  /// The thread that made the job also frees it, here. If each helper freed its own job, the allocator would
  /// give that memory to the helper. The memory of two jobs is adjacent, so both helpers would work in the
  /// same cache lines.
  func join() {
    done.wait()
    job = {}
  }
}
