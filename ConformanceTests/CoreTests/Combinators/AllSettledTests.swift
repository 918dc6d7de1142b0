// `allSettled`: outcomes of all inputs. What it shares with `all` is in `AllTests.swift`.

import DynamicPromise
import XCTest

final class AllSettledTests: XCTestCase {
  // Spec: K2.4
  func testOutcomesComeInTheOrderOfTheInputs() throws {
    let inputs = [Promise(), Promise(), Promise()]
    let failure = Failure()
    let reason = Failure("stop")
    let all = Promise.allSettled(inputs + [Promise.rejected(failure)])
    inputs[2].cancel(reason)
    inputs[1].reject(failure)
    XCTAssertTrue(all.isPending)
    inputs[0].fulfill(1)
    let outcomes = try all.value(as: [Result<Any, any Error>].self)
    XCTAssertEqual(outcomes.count, 4)
    XCTAssertEqual(try outcomes[0].get() as? Int, 1)
    for (index, expected) in [(1, failure), (2, reason), (3, failure)] {
      XCTAssertThrowsError(try outcomes[index].get()) { XCTAssertTrue($0 as? Failure === expected) }
    }
  }

  // Spec: K1.2, K1.4
  func testPlainInputs() throws {
    let failure = Failure()
    let outcomes = try Promise.allSettled([1, nil, failure]).value(as: [Result<Any, any Error>].self)
    XCTAssertEqual(try outcomes[0].get() as? Int, 1)
    XCTAssertEqual("\(try outcomes[1].get())", "nil")
    XCTAssertThrowsError(try outcomes[2].get()) { XCTAssertTrue($0 as? Failure === failure) }
  }

  // Spec: K1.5
  func testNoInputs() throws {
    XCTAssertTrue(try Promise.allSettled([]).value(as: [Result<Any, any Error>].self).isEmpty)
  }

  // Spec: K2.4
  func testLastOneByDifferentThreads() {
    race(lanes: 4, rounds: 100) { _ in
      let inputs = (0..<4).map { _ in Promise() }
      let all = Promise.allSettled(inputs)
      let parts: [RaceTrack.Part] = inputs.enumerated().map { index, input in
        { if index % 2 == 0 { input.fulfill(index) } else { input.reject(Failure("\(index)")) } }
      }
      return (
        parts,
        {
          let outcomes = try all.value(as: [Result<Any, any Error>].self)
          XCTAssertEqual(try outcomes[2].get() as? Int, 2)
          XCTAssertThrowsError(try outcomes[3].get()) { XCTAssertEqual(($0 as? Failure)?.name, "3") }
        }
      )
    }
  }
}
