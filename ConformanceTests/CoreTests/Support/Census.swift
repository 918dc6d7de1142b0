// Counts of the live promises and objects of a test.

import DynamicPromise
import Foundation
import XCTest

/// Weak references to promises, to count the live promises.
final class Census: @unchecked Sendable {
  private struct Entry {
    weak var promise: Promise?
  }

  private let queue = DispatchQueue(label: "census")
  private var entries: [Entry] = []

  @discardableResult
  func add(_ promise: Promise) -> Promise {
    queue.sync { entries.append(Entry(promise: promise)) }
    return promise
  }

  var alive: Int { queue.sync { entries.count { $0.promise != nil } } }
}

/// Makes canaries, and counts the live canaries.
final class LiveCount: @unchecked Sendable {
  private let condition = NSCondition()
  private var current = 0
  private var highest = 0

  var count: Int { condition.withLock { current } }
  var peak: Int { condition.withLock { highest } }

  func make() -> Canary {
    change(by: 1)
    return Canary { self.change(by: -1) }
  }

  private func change(by difference: Int) {
    condition.withLock {
      current += difference
      highest = max(highest, current)
      if current == 0 { condition.broadcast() }
    }
  }

  /// Waits until all canaries are freed, because a pool's thread may retain a canary for a moment.
  func waitUntilEmpty(file: StaticString = #filePath, line: UInt = #line) {
    let limit = Date(timeIntervalSinceNow: patience)
    condition.lock()
    defer { condition.unlock() }
    while current > 0 {
      guard condition.wait(until: limit) else {
        return XCTFail("\(current) canaries are left", file: file, line: line)
      }
    }
  }
}
