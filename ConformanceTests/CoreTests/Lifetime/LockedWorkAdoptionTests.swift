// The same for adoption and observers.

import DynamicPromise
import XCTest

final class LockedWorkAdoptionTests: XCTestCase {
  private func promises(_ n: Int) -> [Promise] { (0..<n).map { _ in Promise(on: .immediate) } }

  /// A chain of adoptions: each follows the next one.
  private func adoptions(_ n: Int) -> [Promise] {
    let all = promises(n + 1)
    for index in 0..<n { all[index].resolve(all[index + 1]) }
    return all
  }

  // Spec: L4.8
  func testAdoptionOverHeldPromises() throws {
    for isBackwards in [false, true] {
      try assertLinear { n in
        let all = promises(n + 1)
        return {
          for index in 0..<n {
            let place = isBackwards ? n - 1 - index : index
            all[place].resolve(all[place + 1])
          }
          all[n].fulfill(0)
          XCTAssertTrue(all[0].isFulfilled)
        }
      }
    }
  }

  // Spec: L4.8
  func testLateAdoptersOfALongHeldChain() throws {
    try assertConstant { n in
      let all = adoptions(n)
      return {
        for _ in 0..<10 { Promise(on: .immediate).resolve(all[0]) }
        XCTAssertTrue(all[0].isPending)
      }
    }
  }

  // Spec: L4.8
  func testLateAdoptersThatAreFollowedThemselves() throws {
    try assertConstant { n in
      let all = adoptions(n)
      let late = promises(11)
      let followers = late.map { late in
        let follower = Promise(on: .immediate)
        follower.resolve(late)
        return follower
      }
      // They might close a cycle, so the first one walks to the end.
      late[0].resolve(all[0])
      return {
        for late in late.dropFirst() { late.resolve(all[0]) }
        XCTAssertTrue(followers.allSatisfy(\.isPending))
      }
    }
  }

  // Spec: L4.8
  func testCancellingAChainOfAdoptions() throws {
    try assertLinear { n in
      let all = adoptions(n)
      return {
        all[0].cancel()
        XCTAssertTrue(all[n].isCancelled)
      }
    }
  }

  // Spec: L4.8
  func testAChainOfAdoptionsGoesFromEitherEnd() throws {
    for fromTheEnd in [false, true] {
      try assertLinear { n in
        let held = Held(adoptions(n))
        let end = held.promises[n]
        if !fromTheEnd { held.promises.reverse() }
        return {
          while held.promises.count > 1 { held.promises.removeLast() }
          end.fulfill(0)
        }
      }
    }
  }

  // Spec: L4.8
  func testManyAdoptersOfOnePromise() throws {
    try assertLinear { n in
      let all = promises(n)
      // One that follows another, below a root that can be cancelled: who of the adopters could do its work
      // is asked each time.
      let root = Promise(on: .immediate)
      root.fulfill(0)
      let end = Promise(on: .immediate)
      let middle = root.then { _ in end }
      return {
        for promise in all { promise.resolve(middle) }
        for promise in all.dropLast(10) { promise.cancel() }
        end.fulfill(0)
        XCTAssertTrue(all[n - 1].isFulfilled)
      }
    }
  }

  // Spec: L4.8
  func testManyAdoptersOfAPromiseThatIsFreed() throws {
    try assertLinear { n in
      let (all, end) = (promises(n), Promise(on: .immediate))
      let middle = Held([Promise(on: .immediate)])
      middle.promises[0].resolve(end)
      for promise in all { promise.resolve(middle.promises[0]) }
      return {
        middle.promises = []
        end.fulfill(0)
        XCTAssertTrue(all.allSatisfy(\.isFulfilled))
      }
    }
  }

  // Spec: L4.8
  func testRacesAgainstOnePromise() throws {
    try assertLinear { n in
      let (long, all) = (Promise(on: .immediate), promises(n))
      let races = all.map { Promise.race([long, $0]) }
      return {
        for promise in all { promise.fulfill(0) }
        XCTAssertTrue(races.allSatisfy { $0.isFulfilled })
      }
    }
  }

  // Spec: L4.8
  func testACombinatorOfMany() throws {
    try assertLinear { n in
      let all = promises(n)
      return {
        let result = Promise.all(all)
        for promise in all { promise.fulfill(0) }
        XCTAssertTrue(result.isFulfilled)
      }
    }
  }
}
