import Dispatch
import DynamicPromise
import TestSupport
import XCTest

/// An actor that is also an execution context: its own `execute` receives the jobs.
final class ContextActorTests: XCTestCase {
  private let one = Promise.resolved(1)
  private let failed = Promise.rejected(NumberedError(1))
  private let desk = Desk()

  // Spec: X3.1
  func testFulfillmentHandlers() throws {
    let values: [Promise] = [
      one.thenOn(desk) { $0 }, one.thenOn(desk) { 1 }, one.thenOn(desk) { (number: Int) in number },
      one.thenOn(desk) { value in try await later(value as! Int) },
      one.thenOn(desk) { (number: Int) in try await later(number) },
      one.thenOn(desk) { value in
        if value is Int { return 1 }
        return "text"
      },
      one.thenOn(desk) { (number: Int) -> Any? in number == 1 ? 1 : nil },
      one.thenOn(desk, { $0 }, { $0 }), one.thenOn(desk, { $0 }, nil),
      one.thenOn(desk, { (number: Int) in number }, { $0 }),
      one.thenOn(desk, { (number: Int) in number }, nil),
    ]
    expect(values, toGive: 1)
    XCTAssertEqual(desk.jobs.value, values.count)
    _ = try value(of: one.thenOn(desk) {}, as: Void.self)
    XCTAssertEqual(try reason(of: one.thenOn(desk) { _ in throw NumberedError(2) }), NumberedError(2))
    XCTAssertEqual(desk.jobs.value, values.count + 2)
  }

  // Spec: X3.1
  func testRejectionHandlers() throws {
    let values: [Promise] = [
      failed.catchOn(desk) { _ in 2 }, failed.catchOn(desk) { 2 },
      failed.catchOn(desk) { (error: NumberedError) in error.number + 1 },
      failed.catchOn(desk) { _ in try await later(2) },
      failed.catchOn(desk) { (error: NumberedError) in try await later(error.number + 1) },
      failed.catchOn(desk) { reason in
        if reason is NumberedError { return 2 }
        return nil
      },
      failed.catchOn(desk) { (error: NumberedError) -> Any? in error.number == 1 ? 2 : nil },
      failed.thenOn(desk, nil, { _ in 2 }),
    ]
    expect(values, toGive: 2)
    XCTAssertEqual(desk.jobs.value, values.count)
  }

  // Spec: X3.1
  func testCleaningUp() throws {
    let suspended = Recorded(false)
    XCTAssertEqual(try value(of: one.finallyOn(desk) {}), 1)
    XCTAssertEqual(try reason(of: failed.finallyOn(desk) { 1 }), NumberedError(1))
    let waiting = one.finallyOn(desk) {
      await Task.yield()
      suspended.change { $0 = true }
    }
    XCTAssertEqual(try value(of: waiting), 1)
    XCTAssertTrue(suspended.value)
    XCTAssertEqual(desk.jobs.value, 3)
  }

  /// A handler that takes the actor does not run through the actor's `execute`, because the handler is
  /// isolated to the actor.
  // Spec: X3.18
  func testHandlersThatTakeTheActor() throws {
    XCTAssertEqual(try value(of: one.thenOn(desk) { desk, value in desk.number + (value as! Int) }), 8)
    XCTAssertEqual(try value(of: failed.catchOn(desk) { desk, _ in desk.number }), 7)
    XCTAssertEqual(desk.jobs.value, 0)
  }

  // Spec: X3.18, H3.7, H4.2
  func testTwoHandlersOnAnyActor() throws {
    let place = Place()
    let nothing: [Promise] = [
      failed.thenOn(.actor(place), { (number: Int) in number }, { _ -> Any? in nil }),
      one.thenOn(.actor(place), { (number: Int) -> Any? in number == 1 ? nil : number }, nil),
      one.thenOn(place) { (place, number: Int) -> Any? in number == place.number ? nil : number },
      one.thenOn(
        .actor(place),
        { value in
          if value is Int { return nil }
          return value
        }, { _ in 1 }),
      one.thenOn(.actor(place)) { (number: Int) -> Any? in number == 1 ? nil : number },
      one.thenOn(.actor(place)) { (number: Int) -> Any? in try await later(number) == 1 ? nil : number },
      failed.catchOn(.actor(place)) { (error: NumberedError) -> Any? in
        if error.number == 1 { return nil }
        return error.number
      },
    ]
    for child in nothing { XCTAssertNil(try value(of: child, as: Any?.self)) }
    let caught = failed.catchOn(place) { place, reason in
      let number = (reason as? NumberedError)?.number
      return number == place.number
    }
    XCTAssertEqual(try value(of: caught), true)
  }
}

private actor Desk: ExecutionContext {
  nonisolated let jobs = Recorded(0)
  let number = 7

  nonisolated func execute(_ job: @escaping @Sendable () -> Void) {
    jobs.change { $0 += 1 }
    DispatchQueue.global().async(execute: job)
  }
}

private actor Place {
  var number = 1
}
