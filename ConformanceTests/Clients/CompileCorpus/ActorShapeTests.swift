import DynamicPromise
import TestSupport
import XCTest

/// Handlers on an actor, in every shape, for promises and futures.
final class ActorShapeTests: XCTestCase {
  private let one = Promise.resolved(1)
  private let failed = Promise.rejected(NumberedError(1))
  private let tally = Tally()

  // Spec: X3.18
  func testFulfillmentHandlers() throws {
    XCTAssertEqual(try value(of: one.thenOn(tally) { tally, value in tally.add(value as! Int) }), 1)
    XCTAssertEqual(try value(of: one.thenOn(tally) { (tally, number: Int) in tally.add(number) }), 2)
    XCTAssertEqual(try value(of: one.thenOn(tally) { "\($1) \($0.total)" }), "1 2")
    XCTAssertEqual(try reason(of: one.thenOn(tally) { _, _ in throw NumberedError(2) }), NumberedError(2))
    let mismatch = one.thenOn(tally) { (tally, text: String) in tally.total }
    guard case .typeMismatch = try reason(of: mismatch, as: PromiseError.self) else {
      return XCTFail("\(mismatch)")
    }
  }

  // Spec: X3.18
  func testRejectionHandlers() throws {
    XCTAssertEqual(try value(of: failed.catchOn(tally) { tally, _ in tally.add(1) }), 1)
    XCTAssertEqual(try value(of: failed.catchOn(tally) { $0.add("\(type(of: $1))".count) }), 14)
    XCTAssertEqual(
      try value(of: failed.catchOn(tally) { (tally, error: NumberedError) in tally.add(error.number) }), 15)
    let another = failed.catchOn(tally) { (tally, error: PromiseError) in tally.add(100) }
    XCTAssertEqual(try reason(of: another), NumberedError(1), "an error of another type is passed on")
    let typedTwoTypes = failed.catchOn(tally) { (tally, error: NumberedError) -> Any? in
      if error.number == 1 { return tally.total }
      return "text"
    }
    XCTAssertEqual(try value(of: typedTwoTypes), 15)
    XCTAssertEqual(try reason(of: failed.catchOn(tally) { throw $1 }), NumberedError(1))
    XCTAssertEqual(try value(of: one.catchOn(tally) { tally, _ in tally.add(100) }), 1)
  }

  // Spec: X3.18
  func testHandlersThatDoNotTakeTheActor() throws {
    let tally = tally
    let here: @Sendable (Int) -> Int = { number in
      tally.assertIsolated()
      return number
    }
    let children: [Promise] = [
      one.thenOn(.actor(tally)) { here($0 as! Int) }, one.thenOn(.actor(tally)) { (number: Int) in number },
      one.thenOn(.actor(tally)) { 1 }, failed.thenOn(.actor(tally), { $0 }, { _ in 1 }),
      one.thenOn(.actor(tally), { (number: Int) in number }, { _ in 0 }),
      one.thenOn(.actor(tally), { $0 }, nil), one.thenOn(.actor(tally), { (number: Int) in number }, nil),
      failed.thenOn(.actor(tally), nil, { _ in here(1) }), one.thenOn(.actor(tally), nil),
      one.thenOn(.actor(tally), nil, nil), failed.catchOn(.actor(tally)) { _ in here(1) },
      failed.catchOn(.actor(tally)) { (error: NumberedError) in error.number },
      failed.catchOn(.actor(tally)) { 1 },
    ]
    expect(children, toGive: 1)
    let nothing = one.thenOn(.actor(tally)) { value in
      if value is Int { return nil }
      return value
    }
    XCTAssertNil(try value(of: nothing, as: Any?.self))
    XCTAssertEqual(try reason(of: failed.catchOn(.actor(tally), nil)), NumberedError(1))
  }

  // Spec: X3.19
  func testCleaningUp() throws {
    let tally = tally
    XCTAssertEqual(try value(of: one.finallyOn(tally) { $0.total += 1 }), 1)
    XCTAssertEqual(try reason(of: failed.finallyOn(tally) { tally in tally.total += 1 }), NumberedError(1))
    let suspending = one.finallyOn(tally) { tally in
      await Task.yield()
      tally.total += 1
    }
    XCTAssertEqual(try value(of: suspending), 1)
    XCTAssertEqual(try value(of: one.finallyOn(.actor(tally)) { tally.assertIsolated() }), 1)
    XCTAssertEqual(try value(of: one.finallyOn(.actor(tally)) {}), 1)
    XCTAssertEqual(try reason(of: one.finallyOn(.actor(tally)) { throw NumberedError(2) }), NumberedError(2))
    XCTAssertEqual(try reason(of: one.finallyOn(tally) { _ in throw NumberedError(3) }), NumberedError(3))
    XCTAssertEqual(try value(of: one.thenOn(tally) { tally, _ in tally.total }), 3)
  }
}

private actor Tally {
  var total = 0

  func add(_ number: Int) -> Int {
    total += number
    return total
  }
}
