// Several threads settle the promises that the tasks of `map` return.

import DynamicPromise
import XCTest

final class MapRaceTests: XCTestCase {
  // Spec: K9.2
  func testSoManyRunAtATimeOnThreads() throws {
    let (entered, left, depths) = (Counter(), Counter(), Log<Int>())
    let result = Promise.map(0..<200, concurrency: 3) { (input: Int) in
      entered.increment()
      depths.append(entered.value - left.value)
      return Promise.delay(0.0001).then { left.increment() }.then { input }
    }
    XCTAssertEqual(try result.value(), Array(0..<200))
    XCTAssertTrue(depths.all.allSatisfy { $0 <= 3 })
  }

  // Spec: K9.7, K9.2
  func testThreadsThatMeet() {
    race(lanes: 3, rounds: 300) { _ in
      let steps = (0..<4).map { _ in Promise() }
      let started = Log<Int>()
      let result = Promise.map(0..<4, concurrency: 2, on: .immediate) { (input: Int) in
        started.append(input)
        return steps[input]
      }
      let parts: [RaceTrack.Part] = [
        { steps[0].fulfill(0) }, { steps[1].fulfill(1) }, { result.cancel() },
      ]
      let check = {
        XCTAssertTrue(result.isCancelled)
        let begun = started.all
        for step in 2..<4 { XCTAssertEqual(steps[step].isCancelled, begun.contains(step)) }
      }
      return (parts, check)
    }
  }

  // Spec: K9.2, K9.10
  func testBlockingWaitsWhileTasksBegin() {
    race(lanes: 3, rounds: 600) { round in
      let steps = (0..<40).map { _ in Promise() }
      let result = Promise.map(0..<40, concurrency: 4, on: .immediate) { (input: Int) in steps[input] }
      let parts: [RaceTrack.Part] = [
        {
          // This thread calls `get` in every second round. In the other rounds, only two threads meet.
          while round % 2 == 0, result.isPending { _ = try? result.get(timeout: 1e-6) }
        },
        { for step in stride(from: 0, to: 40, by: 2) { steps[step].fulfill(step) } },
        { for step in stride(from: 1, to: 40, by: 2) { steps[step].fulfill(step) } },
      ]
      return (parts, { XCTAssertEqual(try result.value(), Array(0..<40)) })
    }
  }
}
