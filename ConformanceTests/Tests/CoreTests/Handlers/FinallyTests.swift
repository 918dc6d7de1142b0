// `finally` and its followers (H6.2).

import DynamicPromise
import XCTest

final class FinallyTests: XCTestCase {
  // Spec: H6.2
  func testFollowersOfAnUnretainedFinallyGetItsOutcome() throws {
    let failure = Failure()
    for isRejected in [false, true] {
      let context = SteppedContext()
      let cleanUp = Promise(on: context)
      let start = Promise(on: context)
      let returned = start.then { _ in
        Promise.resolved(isRejected ? failure : "outcome", on: context).finally { cleanUp }
      }
      let bound = Promise.resolved(isRejected ? failure : "outcome", on: context).finally { cleanUp }
        .follower(on: context)
      start.fulfill(1)
      context.drain()
      XCTAssertTrue(returned.isPending && bound.isPending)
      cleanUp.fulfill("cleaned up")
      context.drain()
      for follower in [returned, bound] {
        if isRejected {
          XCTAssertTrue(try follower.reason() as? Failure === failure)
        } else {
          XCTAssertEqual(try follower.value(), "outcome")
        }
      }
    }
  }
}
