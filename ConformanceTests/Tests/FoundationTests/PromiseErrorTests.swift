import DynamicPromise
import DynamicPromiseFoundation
import Foundation
import TestSupport
import XCTest

/// `PromiseError` as an `NSError` and with localized texts.
final class PromiseErrorTests: XCTestCase {
  private struct Named: LocalizedError { var errorDescription: String? { "the printer is out of paper" } }

  private let all: [PromiseError] = [
    .cycle, .rejected(reason: "no such user"), .cancelled(reason: 7), .timeout, .broken,
    .typeMismatch(expected: Int.self, found: String.self), .noneFulfilled([Named(), NumberedError(2)]),
    .wouldDeadlock,
  ]

  func testLocalizedDescription() {
    for error in all[..<6] + all[7...] {
      XCTAssertEqual((error as any Error).localizedDescription, error.description)
    }
    XCTAssertTrue(all[1].localizedDescription.contains("no such user"))
    let none = all[6].localizedDescription
    XCTAssertTrue(none.hasPrefix("none of 2 was fulfilled: [the printer is out of paper, "), none)
  }

  func testNSError() {
    XCTAssertEqual(all.map { ($0 as NSError).code }, Array(1...8))
    for error in all {
      let bridged = error as NSError
      XCTAssertEqual(bridged.domain, "DynamicPromise.PromiseError")
      XCTAssertEqual(bridged.localizedDescription, error.localizedDescription)
    }
    let userInfo = (all[6] as NSError).userInfo
    XCTAssertTrue(userInfo[NSUnderlyingErrorKey] is Named, "\(userInfo)")
    XCTAssertNil((PromiseError.noneFulfilled([]) as NSError).userInfo[NSUnderlyingErrorKey])
  }

  func testFailureReason() {
    let reasons = all.map { ($0 as NSError).localizedFailureReason }
    XCTAssertEqual(reasons[1], "no such user")
    XCTAssertEqual(reasons[2], "7")
    XCTAssertEqual(reasons[5], "expected Int, found String")
    XCTAssertEqual(reasons[6], "the printer is out of paper")
    for index in [0, 3, 4, 7] { XCTAssertNil(reasons[index], "\(all[index])") }
    XCTAssertEqual(PromiseError.cancelled(reason: Named()).failureReason, "the printer is out of paper")
  }
}
