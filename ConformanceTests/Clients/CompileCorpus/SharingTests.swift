import DynamicPromise
import TestSupport
import XCTest

/// Promises and resolvers are Sendable, and settling publishes earlier writes.
final class SharingTests: XCTestCase {
  // Spec: S1.1
  func testPromisesAndResolversAreSendable() throws {
    func hand<T: Sendable>(_ value: T) -> T { value }
    let (promise, resolver) = Promise.pending()
    _ = hand(promise)
    _ = hand(resolver)
    let queue = DispatchQueue(label: "another thread")
    queue.async { resolver.fulfill(1) }
    XCTAssertEqual(try value(of: promise), 1)
  }

  // Spec: S1.5
  func testSettlementPublishesEarlierWrites() throws {
    for round in 0..<200 {
      let (promise, resolver) = Promise.pending()
      let child = promise.then { (object: NotSendable) in
        object.number += 1
        return object
      }.then { (object: NotSendable) in object.number }
      DispatchQueue.global().async {
        let object = NotSendable(0)
        object.number = round
        resolver.fulfill(object)
      }
      XCTAssertEqual(try value(of: child), round + 1)
    }
  }
}
