// `allSettled` collects the outcomes of all inputs. `AllTests.swift` tests the features shared with `all`.

import DynamicPromise
import XCTest

final class AllSettledTests: XCTestCase {
  // Spec: K1.2, K1.4, K2.4
  func testOutcomesComeInTheOrderOfTheInputs() throws {
    let inputs = [Promise(), Promise(), Promise()]
    let (failure, reason) = (Failure(), Failure("stop"))
    let all = Promise.allSettled([inputs[0], inputs[1], inputs[2], failure, nil, 5])
    inputs[2].cancel(reason)
    inputs[1].reject(failure)
    XCTAssertTrue(all.isPending)
    inputs[0].fulfill(1)
    let outcomes = try all.value(as: [Result<Any, any Error>].self)
    XCTAssertEqual(outcomes.count, 6)
    for (index, value) in [(0, "1"), (4, "nil"), (5, "5")] {
      XCTAssertEqual("\(try outcomes[index].get())", value)
    }
    for (index, expected) in [(1, failure), (2, reason), (3, failure)] {
      XCTAssertThrowsError(try outcomes[index].get()) { XCTAssertTrue($0 as? Failure === expected) }
    }
  }

  // Spec: K2.4
  func testLastOneByDifferentThreads() {
    race(lanes: 4, rounds: 100) { _ in
      let inputs = (0..<4).map { _ in Promise() }
      let all = Promise.allSettled(inputs)
      let parts: [RaceTrack.Part] = inputs.enumerated().map { index, input in
        { if index % 2 == 0 { input.fulfill(index) } else { input.reject(Failure("\(index)")) } }
      }
      let check = {
        let outcomes = try all.value(as: [Result<Any, any Error>].self)
        XCTAssertEqual(try outcomes[2].get() as? Int, 2)
        XCTAssertThrowsError(try outcomes[3].get()) { XCTAssertEqual(($0 as? Failure)?.name, "3") }
      }
      return (parts, check)
    }
  }
}
