import DynamicPromise
import TestSupport
import XCTest

/// The ways to make a promise.
final class MakerTests: XCTestCase {
  // Spec: H1.1
  func testEmptyInitIsAPendingRoot() {
    let promise = Promise()
    XCTAssertTrue(promise.isPending)
    XCTAssertNil(promise.parent)
    XCTAssertTrue(promise.root === promise)
  }

  // Spec: H1.2
  func testPendingHandsOutPromiseAndResolver() {
    let (promise, resolver) = Promise.pending()
    XCTAssertTrue(promise.isPending)
    resolver.fulfill(1)
    XCTAssertTrue(promise.isFulfilled)
    let both = Promise.pending()
    both.resolver.reject("no")
    XCTAssertTrue(both.promise.isRejected)
  }

  // Spec: H1.3
  func testBodyRunsAtOnce() {
    let thread = Recorded<Thread?>(nil)
    let promise = Promise { resolver in
      thread.change { $0 = Thread.current }
      resolver.resolve(1)
    }
    XCTAssertTrue(thread.value === Thread.current)
    XCTAssertEqual(try promise.result?.get() as? Int, 1)
    XCTAssertTrue(Promise { $0.fulfill("short") }.isFulfilled)
    XCTAssertTrue(Promise { (resolver: Resolver) in resolver.reject("typed") }.isRejected)
  }

  // Spec: H1.4, H1.5, R1.3
  func testResolvedAndRejected() throws {
    XCTAssertTrue(Promise.resolved(1).isFulfilled)
    XCTAssertTrue(Promise.resolved(NumberedError(1)).isRejected)
    XCTAssertTrue(Promise.rejected("no").isRejected)
    XCTAssertTrue(Promise.rejected(NumberedError(1)).isRejected)
    let (other, resolver) = Promise.pending()
    let adopter = Promise.resolved(other)
    XCTAssertTrue(adopter.isPending)
    resolver.fulfill(3)
    XCTAssertEqual(try value(of: adopter), 3)
    XCTAssertEqual(try value(of: Promise.resolved(Answer(4))), 4)
  }

  // Spec: H1.6, R1.3
  func testTaskRunsOnItsContextAndResolves() throws {
    let home = MarkedQueue()
    XCTAssertEqual(try value(of: Promise.task(on: home.queue) { home.isCurrent }), true)
    XCTAssertEqual(try value(of: Promise.task(on: home.queue) { Promise.resolved(2) }), 2)
    XCTAssertEqual(try value(of: Promise.task { 3 }), 3)
  }

  // Spec: H1.8, R1.5
  func testBindAdopts() throws {
    let (other, resolver) = Promise.pending()
    let promise = Promise()
    promise.bind(other)
    promise.fulfill("too late")
    XCTAssertTrue(promise.isPending)
    resolver.fulfill(1)
    XCTAssertEqual(try value(of: promise), 1)
    let late = Promise()
    late.bind(other)
    XCTAssertEqual(try late.result?.get() as? Int, 1)
    let settled = Promise.resolved(2)
    settled.bind(other)
    XCTAssertEqual(try settled.result?.get() as? Int, 2)
  }

  // Spec: H10.1
  func testNoArgumentMeansVoid() throws {
    let (promise, resolver) = Promise.pending()
    resolver.fulfill()
    let open = Promise()
    open.fulfill()
    for promise in [promise, open, Promise.resolved()] {
      XCTAssertTrue(promise.isFulfilled)
      XCTAssertTrue(try promise.result?.get() is Void)
    }
  }
}
