// `race` (K2.7, K2.8), and combinators with shared inputs and on several threads (K4).

import DynamicPromise
import XCTest

final class RaceTests: XCTestCase {
  // Spec: K2.8
  func testTheFirstOutcomeDecidesTheRace() throws {
    let inputs = [Promise(), Promise()]
    let won = Promise.race(inputs)
    inputs[1].fulfill("won")
    inputs[0].reject(Failure())
    XCTAssertEqual(try won.value(), "won")

    let others = [Promise(), Promise()]
    let lost = Promise.race(others)
    let failure = Failure()
    others[0].reject(failure)
    others[1].fulfill("late")
    XCTAssertTrue(try lost.reason() as? Failure === failure)
  }

  // Spec: K2.7
  func testAmongSettledInputsTheFirstDecidesTheRace() throws {
    XCTAssertEqual(try Promise.race([Promise(), Promise.resolved("a"), "b"]).value(), "a")
    let failure = Failure()
    let inputs: [Any] = [Promise(), Promise.rejected(failure), "b"]
    XCTAssertTrue(try Promise.race(inputs).reason() as? Failure === failure)
  }

  // Spec: K2.7
  func testAnInputWhoseHandlersRunCountsAsSettled() throws {
    let (input, races) = (Promise(), Log<Promise>())
    input.thenOn(.immediate) { _ in races.append(Promise.race([input, "plain"])) }
    input.fulfill("input")
    XCTAssertEqual(try races.all[0].value(), "input")
  }

  // Spec: L3.4, K4.5
  func testManyRacesAgainstOnePromiseTakeConstantMemory() {
    let (alive, long) = (LiveCount(), Promise(on: .immediate))
    for index in 0..<manyInputs {
      let short = Promise(on: .immediate)
      let canary = alive.make()
      Promise.race(index % 2 == 0 ? [long, short] : [short, long]).then { _ in use(canary) }
      short.fulfill(canary)
    }
    XCTAssertLessThanOrEqual(alive.peak, 2)
    withExtendedLifetime(long) {}
  }

  // Spec: K4.6
  func testNestedCombinatorsNeedNoDeepStack() {
    @Sendable func nested(_ root: Promise, cancels: Bool = false) -> Promise {
      (0..<manyInputs).reduce(root) { inner, _ in Promise.race([inner], cancellingInputs: cancels) }
    }
    onSmallStack {
      let (settled, cancelled) = (Promise(), Promise())
      let outermost = nested(settled)
      settled.fulfill("deep")
      XCTAssertEqual(try outermost.value(), "deep")
      nested(cancelled, cancels: true).cancel()
      XCTAssertTrue(cancelled.isCancelled)
      let released = Unretained { XCTAssertTrue(nested($0).isPending) }
      XCTAssertEqual(released.abandonments, 1)
    }
  }

  // Spec: K4.7
  func testAnOutcomeAgainstACancelAndARelease() {
    let alive = LiveCount()
    race(lanes: 4, rounds: 500) { round in
      let inputs = [Promise(), Promise()]
      let result = Hold(Promise.race(inputs, cancellingInputs: round % 2 == 0))
      let canary = alive.make()
      inputs[0].thenOn(.immediate, { _ in use(canary) }, { _ in use(canary) })
      let parts: [RaceTrack.Part] = [
        { inputs[0].fulfill(0) }, { inputs[1].reject(Failure()) }, { result.drop() },
        { Promise.any(inputs).cancel() },
      ]
      return (parts, { XCTAssertTrue(inputs.allSatisfy(\.isSettled)) })
    }
    alive.waitUntilEmpty()
  }

  // Spec: K4.8
  func testSeveralCombinatorsOfOneInputAreNotifiedInOrder() {
    for first in combinators {
      let (input, heard) = (Promise(on: .immediate), Log<String>())
      first([input], false).then { _ in heard.append("first") }
      for (index, combine) in combinators.enumerated() {
        combine([input], false).then { _ in heard.append("\(index)") }
      }
      input.follower().then { _ in heard.append("adopted") }
      input.fulfill(1)
      XCTAssertEqual(heard.all, ["first", "0", "1", "2", "3", "adopted"])
    }
  }

  // Spec: K4.8
  func testACancelledCombinatorDoesNotAffectTheOthers() {
    for leaver in 0..<4 {
      let input = Promise(on: .immediate)
      let results = combinators.map { $0([input, input], false) }
      let heard = Log<Int>()
      for (index, result) in results.enumerated() { result.then { _ in heard.append(index) } }
      results[leaver].cancel()
      input.fulfill(1)
      XCTAssertEqual(heard.all.sorted(), (0..<4).filter { $0 != leaver })
      XCTAssertTrue(results[leaver].isCancelled)
    }
  }
}
