import DynamicPromise
import TestSupport
import XCTest

/// Shapes of handlers that compile without unexpected annotations, and their results.
final class HandlerShapeTests: XCTestCase {
  private let one = Promise.resolved(1)
  private let failed = Promise.rejected(NumberedError(1))

  // Spec: H3.1
  func testHandlerReturningVoid() throws {
    let children = [
      one.then { _ in }, one.then { value in _ = value }, one.then { _ in return }, one.then {},
      failed.catch { _ in },
    ]
    for child in children { _ = try value(of: child, as: Void.self) }
  }

  // Spec: H3.2, R3.1
  func testHandlerReturningAValue() throws {
    XCTAssertEqual(try value(of: one.then { $0 as! Int + 1 }), 2)
    XCTAssertEqual(try value(of: one.then { _ in "text" }), "text")
    XCTAssertEqual(try value(of: one.then { _ in [1, 2] }), [1, 2])
    let pair = try value(of: one.then { _ in (1, "a") }, as: (Int, String).self)
    XCTAssertEqual(pair.1, "a")
    let statements = one.then { value in
      let number = value as! Int
      return number * 3
    }
    XCTAssertEqual(try value(of: statements), 3)
  }

  // Spec: H3.2, S1.4
  func testHandlerReturningNonSendable() throws {
    let child = one.then { _ in NotSendable(7) }.then { (object: NotSendable) in object.number }
    XCTAssertEqual(try value(of: child), 7)
    let onMain = one.thenOnMain { _ in NotSendable(8) }
    XCTAssertEqual(try value(of: onMain.then { (object: NotSendable) in object.number }), 8)
  }

  // Spec: H3.3, R3.1
  func testHandlerReturningAnError() throws {
    XCTAssertEqual(try reason(of: one.then { _ in NumberedError(2) }), NumberedError(2))
    let existential = one.then { _ -> any Error in NumberedError(3) }
    XCTAssertEqual(try reason(of: existential), NumberedError(3))
    XCTAssertEqual(try reason(of: failed.catch { $0 }), NumberedError(1))
  }

  // Spec: H3.4, R3.1
  func testHandlerReturningAPromise() throws {
    XCTAssertEqual(try value(of: one.then { _ in Promise.resolved(5) }), 5)
    XCTAssertEqual(try value(of: one.then { Promise.resolved($0) }), 1)
    XCTAssertEqual(try reason(of: one.then { _ in Promise.rejected(NumberedError(4)) }), NumberedError(4))
    XCTAssertEqual(try value(of: failed.catch { _ in Promise.resolved(6) }), 6)
  }

  // Spec: H3.4
  func testHandlerReturningAThenable() throws {
    XCTAssertEqual(try value(of: one.then { _ in Answer(42) }), 42)
    let existential = one.then { _ -> any Thenable in Answer(43) }
    XCTAssertEqual(try value(of: existential), 43)
  }

  // Spec: H3.5
  func testHandlerReturningAnOptionalPromise() throws {
    XCTAssertEqual(try value(of: one.then { _ -> Promise? in Promise.resolved(5) }), 5)
    let none = try value(of: one.then { _ -> Promise? in nil }, as: Any?.self)
    XCTAssertNil(none)
    XCTAssertEqual(try reason(of: one.then { _ -> (any Error)? in NumberedError(2) }), NumberedError(2))
    XCTAssertEqual(try value(of: one.then { _ -> Int? in 8 }), 8)
  }

  // Spec: H3.6, R3.1
  func testHandlerReturningBareNil() throws {
    XCTAssertNil(try value(of: one.then { _ in nil }, as: Any?.self))
    let statements = one.then { value in
      _ = value
      return nil
    }
    XCTAssertNil(try value(of: statements, as: Any?.self))
    XCTAssertNil(try value(of: failed.catch { _ in nil }, as: Any?.self))
  }

  // Spec: H3.7
  func testHandlerReturningTwoTypes() throws {
    let child = one.then { value in
      if value as? Int == 1 { return "x" }
      return 1
    }
    XCTAssertEqual(try value(of: child), "x")
    let orNil = one.then { value in
      if value as? Int == 2 { return nil }
      return 3
    }
    XCTAssertEqual(try value(of: orNil), 3)
    let orPromise = one.then { value in
      if value as? Int == 2 { return 2 }
      return Promise.resolved(4)
    }
    XCTAssertEqual(try value(of: orPromise), 4)
    let recovered = failed.catch { reason in
      if reason is NumberedError { return "y" }
      return 1
    }
    XCTAssertEqual(try value(of: recovered), "y")
  }

  // Spec: H3.8
  func testHandlerThatOnlyThrows() throws {
    let children: [Promise] = [
      one.then { _ in throw NumberedError(2) }, one.then { (_: Int) in throw NumberedError(2) },
      one.thenOn(.main) { _ in throw NumberedError(2) }, one.thenOnMain { _ in throw NumberedError(2) },
      failed.catch { _ in throw NumberedError(2) }, one.finallyOnMain { throw NumberedError(2) },
    ]
    for child in children { XCTAssertEqual(try reason(of: child), NumberedError(2)) }
  }

  // Spec: H4.1
  func testUntypedInputs() throws {
    let children = [
      one.then { value in value }, one.then { (value: Any) in value }, one.then { (value) -> Any in value },
      one.then(identity),
    ]
    expect(children, toGive: 1)
    XCTAssertEqual(try value(of: one.then(addOne)), 2)
    XCTAssertEqual(
      try value(of: failed.catch { (error: any Error) in "\(type(of: error))" }), "NumberedError")
  }

  // Spec: H5.2, H10.1, R3.5
  func testOptionalHandlerVariables() throws {
    let onFulfilled: (@Sendable (Any) throws -> Any)? = { _ in 2 }
    let onRejected: (@Sendable (any Error) throws -> Any)? = { _ in 3 }
    let noFulfilled: (@Sendable (Any) throws -> Any)? = nil
    let noRejected: (@Sendable (any Error) throws -> Any)? = nil
    expect([one.then(noFulfilled, onRejected), one.then(noFulfilled)], toGive: 1)
    expect([one.then(onFulfilled, noRejected), one.then(onFulfilled, nil)], toGive: 2)
    expect([failed.then(noFulfilled, onRejected), failed.then(nil, onRejected)], toGive: 3)
    XCTAssertEqual(try reason(of: failed.then(onFulfilled, noRejected)), NumberedError(1))
    XCTAssertEqual(try value(of: failed.then(onFulfilled) { _ in 4 }), 4)
  }

  // Spec: H6.1
  func testCatchRecoversAndPassesValuesOn() throws {
    XCTAssertEqual(try value(of: failed.catch { _ in 2 }), 2)
    XCTAssertEqual(try value(of: failed.catch { "\($0 as! NumberedError)".isEmpty }), false)
    XCTAssertEqual(try value(of: failed.then({ _ in 5 }) { _ in 6 }), 6)
    expect([one.catch { _ in 2 }, one.catchOn(.main) { _ in 2 }, one.catchOnMain { _ in 2 }], toGive: 1)
  }

  // Spec: H6.3
  func testAnErrorOfFinallyReplacesTheOutcome() throws {
    for promise in [one, failed] {
      XCTAssertEqual(try reason(of: promise.finally { throw NumberedError(2) }), NumberedError(2))
    }
    let suspending = failed.finallyOnMain {
      await Task.yield()
      throw NumberedError(3)
    }
    XCTAssertEqual(try reason(of: suspending), NumberedError(3))
  }
}

@Sendable private func identity(_ value: Any) -> Any { value }

@Sendable private func addOne(_ value: Any) throws -> Int {
  guard let number = value as? Int else { throw NumberedError(0) }
  return number + 1
}

final class NotSendable {
  var number: Int
  init(_ number: Int) { self.number = number }
}

/// A thenable that resolves at once.
struct Answer: Thenable {
  let value: Int
  init(_ value: Int) { self.value = value }
  var then: ThenMethod? {
    { [value] resolve, _ in resolve(value) }
  }
}
