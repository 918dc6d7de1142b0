import DynamicPromise
import DynamicPromisePatterns
import Foundation
import TestSupport
import XCTest

/// More rows of `docs/migration/futurekit.md`.
final class FromFutureKitPatternsTests: XCTestCase {
  func testQueueAndCache() throws {
    // row: FutureFIFO()
    let fifo = TaskQueue()
    // row: fifo.add { }
    let added = fifo.add { load("user") }
    // row: NSCache with findOrFetch
    let users = PromiseCache<String>(lifetime: 600)
    // row: cache.findOrFetch(key:expireTime:) { }
    let found = users.promise(for: "ann") { load("user") }
    for each in [added, found] { XCTAssertEqual(try value(of: each), "ann") }
  }

  func testBatchAndLifting() throws {
    let (queue, heard) = (DispatchQueue(label: "work"), Recorded([Int]()))
    let batch = Batch([load("user"), load("nothing")])
    // row: onEachComplete { }
    let each = batch.onEach { index, outcome in heard.change { $0.append(index) } }
    // row: onFirstFail { }
    let first = batch.onFirstFailure { index, error in "\(index)" }
    // row: executor.callbackBlockFor(_:)
    let parsing = onQueue(queue)(parse)
    _ = try outcome(of: each)
    XCTAssertEqual(Set(heard.value), [0, 1])
    XCTAssertEqual(try value(of: first), "1")
    XCTAssertEqual(try value(of: parsing("1 2 3")), [1, 2, 3])
  }
}
