// `any` and `reflect` (K2.5, K2.6, K18).

import DynamicPromise
import DynamicPromiseTesting
import XCTest

final class AnyTests: LossTestCase {
  // Spec: K2.5
  func testAnyIsFulfilledWithTheFirstValue() throws {
    let inputs = [Promise(), Promise(), Promise()]
    let first = Promise.any(inputs)
    inputs[0].reject(Failure())
    inputs[1].cancel()
    XCTAssertTrue(first.isPending)
    inputs[2].fulfill("won")
    XCTAssertEqual(try first.value(), "won")
  }

  // Spec: K2.6
  func testAnyIsRejectedWithAllReasonsInTheOrderOfTheInputs() throws {
    let inputs = [Promise(), Promise(), Promise()]
    let failures = ["a", "b", "c"].map { Failure($0) }
    let first = Promise.any(inputs)
    for index in [2, 0, 1] { inputs[index].reject(failures[index]) }
    guard case PromiseError.noneFulfilled(let errors) = try first.reason() else {
      return XCTFail("\(try first.reason())")
    }
    XCTAssertEqual(errors.compactMap { $0 as? Failure }, failures)
    XCTAssertFalse(first.isCancelled)
  }

  // Spec: K2.7
  func testAmongSettledInputsTheFirstValueCounts() throws {
    let inputs: [Any] = [Promise(), Failure(), Promise.resolved("a"), Promise.resolved("b"), "c"]
    XCTAssertEqual(try Promise.any(inputs).value(), "a")
    XCTAssertEqual(try Promise.any([nil, "a"]).value(as: Any.self) as? String, nil)
  }

  // Spec: K2.5
  func testAnyPassesTheValueOnUnchanged() throws {
    let (inner, input) = (Promise(), Promise())
    input.fulfill(inner)
    XCTAssertTrue(try Promise.any([input]).value(as: Promise.self) === inner)
  }

  private func outcome(_ promise: Promise) throws -> Result<Any, any Error> {
    try promise.value(as: Result<Any, any Error>.self)
  }

  // Spec: K18.1
  func testReflectTurnsEveryOutcomeIntoAValue() throws {
    let (value, failure) = (Promise(), Failure())
    let reflected = value.reflect()
    XCTAssertTrue(reflected.isPending)
    value.fulfill(1)
    XCTAssertEqual(try outcome(reflected).get() as? Int, 1)
    XCTAssertTrue(Promise.resolved(2).reflect().isFulfilled, "a settled promise is reflected at once")
    XCTAssertEqual("\(try outcome(Promise.resolved(nil).reflect()).get())", "nil")
    let rejected = Promise.rejected(failure)
    XCTAssertThrowsError(try outcome(rejected.reflect()).get()) { XCTAssertTrue($0 as? Failure === failure) }
    // An error that is the value of a promise stays a value.
    let odd = Promise()
    odd.fulfill(failure)
    XCTAssertTrue(try outcome(odd.reflect()).get() as? Failure === failure)
  }

  // Spec: K18.1
  func testReflectTurnsACancelIntoAnOutcome() throws {
    let root = Promise()
    let source = root.then { $0 }
    let reflected = source.reflect()
    XCTAssertTrue(reflected.root === reflected)
    let reason = Failure("enough")
    root.cancel(reason)
    XCTAssertFalse(reflected.isCancelled)
    for each in [reflected, source.reflect()] {
      XCTAssertThrowsError(try outcome(each).get()) { XCTAssertTrue($0 as? Failure === reason) }
    }
  }

  // Spec: K18.2
  func testReflectHandlesTheRejection() {
    expect(0, "reflected") { failure, _ in _ = Promise.rejected(failure).reflect() }
    expect(0, "reflected before the rejection") { failure, context in
      let source = Promise(on: context)
      let reflected = source.reflect()
      source.reject(failure)
      withExtendedLifetime(reflected) {}
    }
  }

  // Spec: K18.3
  func testACancelledReflectWithdraws() {
    let (source, shared) = (Promise(), Promise())
    source.then { $0 }.reflect().withdraw("enough")
    XCTAssertTrue(source.isCancelled)
    let other = shared.then { $0 }
    shared.reflect().cancel()
    XCTAssertTrue(shared.isPending && other.isPending)
  }

  // Spec: K18.4
  func testAMapOfReflectedPromisesContinuesAfterARejection() throws {
    let outcomes = Promise.map(1...3, concurrency: 1) { (number: Int) in
      Promise.resolved(number).then { (number: Int) in
        if number == 2 { throw Failure("two") }
        return number
      }.reflect()
    }
    let values = try outcomes.value(as: [Any].self).compactMap { $0 as? Result<Any, any Error> }
    XCTAssertEqual(values.map { (try? $0.get()) as? Int }, [1, nil, 3])
  }
}
