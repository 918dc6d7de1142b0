// `race` settles with the first outcome. `AllTests.swift` tests the features shared with `all`.

import DynamicPromise
import XCTest

final class RaceCombinatorTests: XCTestCase {
  // Spec: K2.8
  func testFirstOutcomeWins() throws {
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

  // Spec: K2.8
  func testAnInputThatSettlesWithItsParentIsFasterThanWhatTheNextHandlerSettles() throws {
    let shapes: [@Sendable (Promise) -> Promise] = [
      { $0.catch { _ in 0 } }, { $0.setTimeout(100) }, { $0.follower(on: .shared) },
    ]
    let combinators: [@Sendable (Promise, Promise) -> Promise] = [
      { Promise.race([$0, $1]) }, { Promise.any([$0, $1]) }, { Promise.race([Promise.all([$0]), $1]) },
    ]
    for shape in shapes {
      for combine in combinators {
        let (root, other) = (Promise(), Promise())
        let first = shape(root)
        let result = combine(first, other)
        root.thenOn(.immediate) { _ in
          XCTAssertTrue(first.isFulfilled)
          other.fulfill("second")
        }
        root.fulfill("first")
        XCTAssertNotEqual(try result.value(as: Any.self) as? String, "second")
      }
    }
  }

  // Spec: K2.7
  func testFirstOfSettledInputsWins() throws {
    XCTAssertEqual(try Promise.race([Promise(), Promise.resolved("a"), "b"]).value(), "a")
    let failure = Failure()
    let inputs: [Any] = [Promise(), Promise.rejected(failure), "b"]
    XCTAssertTrue(try Promise.race(inputs).reason() as? Failure === failure)
  }

  // Spec: K2.7
  func testSettledInputWhoseHandlersRunCountsAsSettled() throws {
    let (input, races) = (Promise(), Log<Promise>())
    input.thenOn(.immediate) { _ in races.append(Promise.race([input, "plain"])) }
    input.fulfill("input")
    XCTAssertEqual(try races.all[0].value(), "input")
  }

  // Spec: L3.4, K4.5
  func testManyRacesAgainstALongLivedPromise() {
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
  func testDeepNestingTakesNoStack() {
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
  func testOutcomeAgainstCancelAndReleaseOfTheResult() {
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

  // Spec: K4.7, K4.1
  func testDecidedWhileInputsAreRegistered() {
    let alive = LiveCount()
    race(lanes: 2, rounds: 500) { _ in
      let (first, held, results) = (Promise(), Log<Promise>(), Log<Promise>())
      held.append(first)
      for _ in 0..<20 {
        held.append(Promise(onCancel: nil, onAbandon: { [canary = alive.make()] in use(canary) }))
      }
      let check = { XCTAssertTrue(results.all[0].isFulfilled) }
      return ([{ first.fulfill(1) }, { results.append(Promise.race(held.all)) }], check)
    }
    alive.waitUntilEmpty()
  }

  // Spec: K4.7
  func testRegistrationAgainstSettling() {
    race(lanes: 2, rounds: 1000) { round in
      let inputs = [Promise(), Promise(), Promise()]
      let results = Log<Promise>()
      let parts: [RaceTrack.Part] = [
        { inputs[round % 3].fulfill(round) },
        {
          results.append(Promise.race(inputs))
          results.append(Promise.all(inputs))
        },
      ]
      let check = {
        XCTAssertEqual(try results.all[0].value(), round)
        for input in inputs { input.fulfill(round) }
        XCTAssertEqual(try results.all[1].value(), [round, round, round])
      }
      return (parts, check)
    }
  }
}
