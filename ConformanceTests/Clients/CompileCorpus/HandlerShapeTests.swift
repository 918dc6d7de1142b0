import Dispatch
import DynamicPromise
import TestSupport
import XCTest

/// Shapes of handlers that compile without unexpected annotations, and their results.
final class HandlerShapeTests: XCTestCase {
  private let one = Promise.resolved(1)
  private let failed = Promise.rejected(NumberedError(1))
  private let queue = DispatchQueue(label: "shapes")

  // Spec: H3.1
  func testHandlerReturningVoid() throws {
    let children = [
      one.then { _ in }, one.then { value in _ = value }, one.then { _ in return }, one.then {},
      failed.catch { _ in }, failed.catch { await Task.yield() },
    ]
    for child in children { _ = try value(of: child, as: Void.self) }
  }

  // Spec: H3.2, R3.1, S1.4
  func testHandlerReturningAValue() throws {
    XCTAssertEqual(try value(of: one.then { $0 as! Int + 1 }), 2)
    XCTAssertEqual(try value(of: one.then { _ in [1, 2] }), [1, 2])
    let pair = try value(of: one.then { _ in (1, "a") }, as: (Int, String).self)
    XCTAssertEqual(pair.1, "a")
    let statements = one.then { value in
      let number = value as! Int
      return number * 3
    }
    XCTAssertEqual(try value(of: statements), 3)
    let child = one.thenOnMain { _ in NotSendable(7) }.then { (object: NotSendable) in object.number }
    XCTAssertEqual(try value(of: child), 7)
  }

  // Spec: H3.3, R3.1
  func testHandlerReturningAnError() throws {
    XCTAssertEqual(try reason(of: one.then { _ in NumberedError(2) }), NumberedError(2))
    XCTAssertEqual(try reason(of: one.then { _ -> any Error in NumberedError(3) }), NumberedError(3))
    XCTAssertEqual(try reason(of: failed.catch { $0 }), NumberedError(1))
  }

  // Spec: H3.4, R3.1
  func testHandlerReturningAPromiseOrThenable() throws {
    XCTAssertEqual(try value(of: one.then { _ in Promise.resolved(5) }), 5)
    XCTAssertEqual(try value(of: one.then { Promise.resolved($0) }), 1)
    XCTAssertEqual(try value(of: failed.catch { _ in Promise.resolved(6) }), 6)
    XCTAssertEqual(try value(of: one.then { _ in Answer(42) }), 42)
    XCTAssertEqual(try value(of: one.then { _ -> any Thenable in Answer(43) }), 43)
  }

  // Spec: H3.5
  func testHandlerReturningAnOptionalOrAny() throws {
    XCTAssertEqual(try value(of: one.then { _ -> Promise? in Promise.resolved(5) }), 5)
    XCTAssertNil(try value(of: one.then { _ -> Promise? in nil }, as: Any?.self))
    XCTAssertEqual(try reason(of: one.then { _ -> (any Error)? in NumberedError(2) }), NumberedError(2))
    XCTAssertEqual(try value(of: one.then { _ -> Int? in 8 }), 8)
    XCTAssertEqual(try value(of: one.then { _ -> Any in Promise.resolved(5) }), 5)
    XCTAssertEqual(try value(of: one.then { _ -> Any? in Promise.resolved(5) }), 5)
  }

  // Spec: H1.6, H3.6, H4.1, R3.1
  func testHandlerReturningBareNil() throws {
    let children: [Promise] = [
      one.then { _ in nil }, one.then { nil }, one.thenOn(.main) { nil }, one.thenOnMain { nil },
      failed.catch { _ in nil }, failed.catchOn(queue) { _ in nil }, failed.catchOnMain { _ in nil },
      one.then { value in
        _ = value
        return nil
      },
      Promise.task { Int?.none }, Promise.task(on: queue) { () -> Any? in nil },
    ]
    for child in children { XCTAssertNil(try value(of: child, as: Any?.self)) }
  }

  // Spec: H3.7
  func testHandlerReturningTwoTypes() throws {
    let children: [Promise] = [
      one.then { value in
        if value as? Int == 1 { return "x" }
        return 1
      },
      one.then { (number: Int) -> Any? in number == 1 ? "x" : nil },
      one.thenOnMain { value in
        if value is Int { return "x" }
        return Promise.resolved(4)
      },
      failed.catch { reason in
        if reason is NumberedError { return "x" }
        return nil
      },
      failed.then(
        { value in
          if value is Int { return 1 }
          return "one"
        },
        { reason in
          if reason is NumberedError { return "x" }
          return nil
        }),
    ]
    expect(children, toGive: "x")
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

  /// An input without an annotation is `Any`, whatever the body does with the input. A string interpolation,
  /// for example, accepts values of many types.
  // Spec: H4.1
  func testInputWithoutAnnotationIsAny() throws {
    let texts: [Promise] = [
      one.then { value in "\(value)" }, one.then { "\($0)" }, one.then { String(describing: $0) },
      one.then({ value in "\(value)" }, { "\($0)" }), one.then({ value in "\(value)" }, nil),
      one.thenOn(.main) { value in "\(value)" }, one.thenOnMain { value in "\(value)" },
      one.then { value in
        await Task.yield()
        return "\(value)"
      },
    ]
    expect(texts, toGive: "1")
    XCTAssertEqual(try value(of: failed.catch { "\(type(of: $0))" }), "NumberedError")
  }

  // Spec: H4.1, H6.5, H6.7
  func testHandlersThatSuspend() throws {
    let children = [
      failed.catch { try await later(5) }, failed.catchOn(queue) { try await later(5) },
      failed.catchOnMain { try await later(5) }, one.then { _ in try await later(5) },
      failed.catch { (_: NumberedError) in try await later(5) },
    ]
    expect(children, toGive: 5)
    let other = failed.catch { (_: PromiseError) in try await later(2) }
    XCTAssertEqual(try reason(of: other), NumberedError(1), "the error is passed on")
  }

  // Spec: H5.2, H10.1, R3.5
  func testOptionalHandlerVariables() throws {
    let onFulfilled: (@Sendable (Any) throws -> Any)? = { _ in 2 }
    let onRejected: (@Sendable (any Error) throws -> Any)? = { _ in 3 }
    let typed: (@Sendable (Int) throws -> Int)? = { $0 + 1 }
    let suspending: (@Sendable (Any) async throws -> Int)? = { try await later($0 as! Int + 1) }
    let noFulfilled: (@Sendable (Any) throws -> Any)? = nil
    let noRejected: (@Sendable (any Error) throws -> Any)? = nil
    expect(
      [one.then(noFulfilled, onRejected), one.then(noFulfilled), one.then(nil), one.then(nil, nil)], toGive: 1
    )
    expect([one.then(onFulfilled, noRejected), one.then(typed), one.thenOn(queue, suspending)], toGive: 2)
    expect([failed.then(noFulfilled, onRejected), failed.then(nil, onRejected)], toGive: 3)
    XCTAssertEqual(try reason(of: failed.then(onFulfilled, noRejected)), NumberedError(1))
    XCTAssertEqual(try reason(of: failed.catch(nil)), NumberedError(1))
  }

  // Spec: H6.1
  func testCatchRecoversAndPassesValuesOn() throws {
    XCTAssertEqual(try value(of: failed.catch { _ in 2 }), 2)
    expect([one.catch { _ in 2 }, one.catchOn(.main) { _ in 2 }, one.catchOnMain { _ in 2 }], toGive: 1)
  }

  // Spec: H6.3
  func testAnErrorOfFinallyReplacesTheOutcome() throws {
    for promise in [one, failed] {
      XCTAssertEqual(try reason(of: promise.finally { throw NumberedError(2) }), NumberedError(2))
    }
  }

  /// Methods, key paths and functions passed by name.
  func testHandlersByName() throws {
    struct Doubler {
      @Sendable func double(_ value: Any) -> Int { value as! Int * 2 }
      @Sendable func shout(_ text: String) -> String { text.uppercased() }
    }
    XCTAssertEqual(try value(of: one.then(Doubler().double)), 2)
    XCTAssertEqual(try value(of: Promise.resolved("a").then(Doubler().shout)), "A")
    XCTAssertEqual(try value(of: Promise.resolved("abc").then(\String.count)), 3)
  }
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
