// Programs that every ownership design must pass.

import DynamicPromise
import XCTest

final class OwnershipGateTests: XCTestCase {
  // Spec: L1.1, R3.4
  func testDiscardedChainIsNotAbandoned() throws {
    let abandoned = Counter()
    let uploaded = Event()
    let (login, loginResolver) = Promise.pending()
    loginResolver.onAbandon { abandoned.increment() }
    let uploadStarted = Event()
    let upload = Log<Resolver>()

    func start(_ login: Promise) {
      login.then { _ -> Promise in
        let (promise, resolver) = Promise.pending()
        resolver.onAbandon { abandoned.increment() }
        upload.append(resolver)
        promise.then { _ in uploaded.signal() }
        uploadStarted.signal()
        return promise
      }
    }
    start(login)
    loginResolver.fulfill("token")
    uploadStarted.wait("upload")
    upload.all[0].fulfill("done")
    uploaded.wait("end of upload")
    XCTAssertEqual(abandoned.value, 0)
  }

  // Spec: C3.3
  func testRootCancelReachesGrandchildThroughUnheldLevels() throws {
    let (root, resolver) = Promise.pending()
    let (slow, slowResolver) = Promise.pending()
    let running = Event()
    let grandchild = root.then { _ in 1 }.then { _ in 2 }.then { _ -> Promise in
      running.signal()
      return slow
    }
    resolver.fulfill(0)
    running.wait("third handler")
    // The handler has returned or is about to return. In both cases, the grandchild is pending and the levels
    // above are settled.
    root.cancel(Failure("stop"))
    XCTAssertTrue(grandchild.isCancelled)
    XCTAssertEqual((try grandchild.reason() as? Failure)?.name, "stop")
    withExtendedLifetime(slowResolver) {}
  }

  // Spec: A4.4
  func testLateThenNeverOvertakesAnEarlierOne() {
    let queue = DispatchQueue(label: "serial")
    for round in 0..<300 {
      let order = Log<Int>()
      let promise = Promise()
      for number in 0..<20 { promise.thenOn(queue) { _ in order.append(number) } }
      let go = DispatchSemaphore(value: 0)
      let settled = Event()
      DispatchQueue.global().async {
        go.wait()
        promise.fulfill(round)
        settled.signal()
      }
      go.signal()
      for number in 20..<60 { promise.thenOn(queue) { _ in order.append(number) } }
      settled.wait("the fulfillment")
      queue.sync {}
      XCTAssertEqual(order.all, Array(0..<60))
    }
  }
}
