// Chains on one queue run in batches, with the order of single blocks (X2.7).

import Dispatch
import DynamicPromise
import XCTest

final class BatchTests: XCTestCase {
  private let queues = [
    DispatchQueue(label: "serial"), DispatchQueue(label: "concurrent", attributes: .concurrent),
  ]

  // Spec: X2.2, X2.7
  func testBlocksOfAHandlerRunBeforeTheNextStep() {
    for queue in queues {
      for count in [1, 150] {
        let (trail, group) = (Log<String>(), DispatchGroup())
        let promise = Promise(on: queue)
        for number in 0..<count {
          group.enter()
          promise.then { _ in
            trail.append("handler \(number)")
            queue.async(flags: .barrier) { trail.append("block \(number)") }
          }.thenOn(queue) { _ in
            trail.append("next \(number)")
            group.leave()
          }
        }
        promise.fulfill(0)
        XCTAssertEqual(group.wait(timeout: .now() + patience), .success)
        let all = trail.all
        for number in 0..<count {
          let places = ["handler", "block", "next"].compactMap { all.firstIndex(of: "\($0) \(number)") }
          XCTAssertEqual(places, places.sorted(), "\(number)")
        }
        for kind in ["handler", "block", "next"] {
          XCTAssertEqual(all.filter { $0.hasPrefix(kind) }, (0..<count).map { "\(kind) \($0)" })
        }
      }
    }
  }
}
