// `reflect` turns the outcome of a promise into a value.

import DynamicPromise
import DynamicPromiseTesting
import XCTest

final class ReflectTests: LossTestCase {
  private func outcome(_ promise: Promise) throws -> Result<Any, any Error> {
    try promise.value(as: Result<Any, any Error>.self)
  }

  // Spec: K18.1
  func testEveryOutcomeIsAValue() throws {
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
  func testACancelIsAnOutcome() throws {
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

  /// The result is cancelled before `source` notifies the result.
  // Spec: K18.1
  func testOneThatSettlesBecauseOfWhatSettlesItsResult() {
    let top = Promise(on: .immediate)
    let source = top.then { $0 }
    let reflected = source.reflect()
    reflected.bind(top)
    top.cancel()
    XCTAssertTrue(source.isCancelled && reflected.isCancelled)
  }

  // Spec: K18.1
  func testItsPromiseSettlesAgainstACancel() {
    race(lanes: 2, rounds: 10_000) { _ in
      let source = Promise(on: .immediate)
      let reflected = source.reflect()
      let check = { XCTAssertTrue(source.isSettled && reflected.isSettled) }
      return ([{ source.fulfill(1) }, { reflected.cancel() }], check)
    }
  }

  // Spec: K18.1
  func testItsContextIsThatOfThePromise() {
    let context = TestContext()
    let end = Promise.resolved(1, on: context).reflect().then { _ in 2 }
    XCTAssertEqual(context.drain(), 1)
    XCTAssertTrue(end.isFulfilled)
  }

  // Spec: K18.2
  func testARejectionIsHandled() {
    expect(0, "reflected") { failure, _ in _ = Promise.rejected(failure).reflect() }
    expect(0, "reflected before the rejection") { failure, context in
      let source = Promise(on: context)
      let reflected = source.reflect()
      source.reject(failure)
      withExtendedLifetime(reflected) {}
    }
  }

  // Spec: K18.3
  func testCancellingWithdraws() {
    let (source, shared) = (Promise(), Promise())
    source.then { $0 }.reflect().withdraw("enough")
    XCTAssertTrue(source.isCancelled)
    let other = shared.then { $0 }
    shared.reflect().cancel()
    XCTAssertTrue(shared.isPending && other.isPending)
  }

  // Spec: K18.4
  func testAMapThatContinues() throws {
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
