// Counts of the live promises and objects of a test.

import DynamicPromise
import TestSupport
import XCTest

/// Weak references to promises, to count the live promises.
final class Census: Sendable {
  private let entries = Log<WeakReference<Promise>>()

  @discardableResult
  func add(_ promise: Promise) -> Promise {
    entries.append(WeakReference(promise))
    return promise
  }

  var alive: Int { entries.all.count { $0.object != nil } }
}

/// Runs `body`, and expects that all promises of its census are freed when it returns.
func assertAllFreed(
  _ what: String = "", file: StaticString = #filePath, line: UInt = #line, _ body: (Census) -> Void
) {
  let census = Census()
  body(census)
  XCTAssertEqual(census.alive, 0, what, file: file, line: line)
}

/// Makes canaries, and counts the live canaries.
final class LiveCount: @unchecked Sendable {
  private let lock = NSLock()
  private var current = 0
  private var highest = 0

  var count: Int { lock.withLock { current } }
  var peak: Int { lock.withLock { highest } }

  func make() -> Canary {
    change(by: 1)
    return Canary { self.change(by: -1) }
  }

  private func change(by difference: Int) {
    lock.withLock {
      current += difference
      highest = max(highest, current)
    }
  }

  /// Waits until all canaries are freed, because a pool's thread may retain a canary for a moment.
  func waitUntilEmpty(file: StaticString = #filePath, line: UInt = #line) {
    eventually("the release of \(count) canaries", file: file, line: line) { count == 0 }
  }
}
