// The child of a `finally` waits for the promise that the body returned. Other promises follow the child.

import DynamicPromise
import XCTest

final class FinallyAdoptionTests: XCTestCase {
  // Spec: H6.2
  func testFollowersOfOneThatNothingRetainsGetItsOutcome() throws {
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

  // Spec: C4.18
  func testAFollowerOfOneThatNothingRetainsDoesNotWithdrawFromWhatItReturned() {
    let context = SteppedContext()
    let cleanUp = Promise(on: context)
    let follower = Promise.resolved(1, on: context).finally { cleanUp }.follower(on: context)
    context.drain()
    follower.cancel()
    XCTAssertTrue(follower.isCancelled)
    XCTAssertTrue(cleanUp.isPending)
  }

  // Spec: H6.2, L3.8
  func testItIsFreedWhenItHasSettled() throws {
    let context = SteppedContext()
    let cleanUp = Promise(on: context)
    let middle = WeakReference(Promise.resolved("value", on: context).finally { cleanUp })
    let follower = try XCTUnwrap(middle.object).follower(on: context)
    context.drain()
    XCTAssertNotNil(middle.object, "the follower still needs the promise")
    cleanUp.fulfill(1)
    XCTAssertEqual(try follower.value(), "value")
    XCTAssertNil(middle.object)
  }
}
