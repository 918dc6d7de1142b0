// What contenders share: waiting for the last handler, and a second thread. `Meeting.swift`: two threads that
// meet.

import Dispatch
import Foundation
import Synchronization

/// Opens when it has been hit so many times.
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

/// A thread that is there already when it is needed.
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

  /// Runs `job` on the helper's thread. What was written before is visible to it.
  func start(_ job: @escaping () -> Void) {
    self.job = job
    wanted.signal()
  }

  /// Waits until the job has returned. What it wrote is visible afterwards.
  ///
  /// The job is freed here, by the thread that made it. An allocator gives a thread what that thread has
  /// freed, and what the maker allocates for two helpers lies side by side: they would then work in the same
  /// cache lines for as long as they run.
  func join() {
    done.wait()
    job = {}
  }
}
