// Timers: `Sources/PromiseKitNames/After.swift`.

import Dispatch
import DynamicPromiseTesting
import PromiseKitNames
import XCTest

final class AfterTests: XCTestCase {
  private static let former = Promise.defaultContext
  private let time = TestContext()

  override func setUp() {
    _ = Self.former
    Promise.defaultContext = time
  }

  override func tearDown() { Promise.defaultContext = Self.former }

  // Spec: N7.1
  func testSeconds() throws {
    let later = after(seconds: 4)
    time.advance(by: 3.9)
    XCTAssertTrue(later.isPending)
    time.advance(by: 0.2)
    XCTAssertNoThrow(try later.get(as: Void.self))
  }

  // Spec: N7.2
  func testDispatchsMeasures() {
    let intervals: [(DispatchTimeInterval, Double)] = [
      (.seconds(2), 2), (.milliseconds(1500), 1.5), (.microseconds(2500), 0.0025), (.nanoseconds(5000), 5e-6),
    ]
    for (interval, seconds) in intervals {
      let later = after(interval)
      XCTAssertEqual(time.nextTimer.map { $0 - time.now } ?? 0, seconds, accuracy: 1e-9)
      time.advance(by: seconds * 1.01)
      XCTAssertTrue(later.isFulfilled, "\(interval)")
    }
    let never = after(.never)
    time.advance(by: 1e9)
    XCTAssertTrue(never.isPending)
  }
}
