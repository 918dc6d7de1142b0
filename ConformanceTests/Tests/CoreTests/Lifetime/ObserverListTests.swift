// The list of a promise's observers: its order and its release.

import DynamicPromise
import XCTest

final class ObserverListTests: XCTestCase {
  /// Makes races against `promise`. A race observes each of its inputs until the race is decided.
  private func races(
    _ n: Int, against promise: Promise, _ heard: Log<Int>
  ) -> [(other: Promise, result: Promise)] {
    (0..<n).map { index in
      let other = Promise(on: .immediate)
      let result = Promise.race([promise, other])
      result.then { (_: Any) -> Void in heard.append(index) }
      return (other, result)
    }
  }

  // Spec: K4.8
  func testThoseThatStayKeepTheirOrder() {
    let orders = [
      [0], [5], [2, 3], [0, 1], [5, 4], [1, 0, 5, 3], [0, 1, 2, 3, 4, 5], [5, 4, 3, 2, 1, 0],
    ]
    for leaving in orders {
      let (promise, heard) = (Promise(on: .immediate), Log<Int>())
      let all = races(6, against: promise, heard)
      for index in leaving { all[index].other.fulfill(0) }
      XCTAssertEqual(heard.all, leaving)
      let late = Promise(on: .immediate)
      late.then { (_: Any) -> Void in heard.append(6) }
      late.bind(promise)
      promise.fulfill(1)
      XCTAssertEqual(Array(heard.all.dropFirst(leaving.count)), (0...6).filter { !leaving.contains($0) })
    }
  }

  // Spec: L4.9
  func testManyObserversAreReleased() {
    onSmallStack {
      let n = 20_000
      for settles in [false, true] {
        let released = LiveCount()
        do {
          let promise = Promise(on: .immediate)
          for _ in 0..<n {
            let member = released.make()
            promise.onSuccess(on: .immediate) { (_: Int) in use(member) }
          }
          XCTAssertEqual(released.count, n)
          if settles { promise.fulfill("no number") }
          if settles { XCTAssertEqual(released.count, 0) }
        }
        XCTAssertEqual(released.count, 0)
      }
    }
  }
}
