import DynamicPromise
import TestSupport
import XCTest

/// Shapes in combination: where overloads are most likely to be ambiguous.
final class MixedShapeTests: XCTestCase {
  private let one = Promise.resolved(1)
  private let failed = Promise.rejected(NumberedError(1))

  // Spec: H4.1
  func testHandlersWithoutInput() throws {
    XCTAssertEqual(try value(of: one.then { 2 }), 2)
    XCTAssertEqual(try value(of: one.then { Promise.resolved(3) }), 3)
    XCTAssertEqual(try value(of: one.thenOn(.main) { 4 }), 4)
    XCTAssertEqual(try value(of: one.thenOnMain { 5 }), 5)
    XCTAssertEqual(try value(of: failed.catch { 6 }), 6)
    XCTAssertEqual(try value(of: failed.catchOnMain { 7 }), 7)
    _ = try value(of: one.then {}, as: Void.self)
  }

  // Spec: H3.7
  func testTwoTypesFromEveryShape() throws {
    let typed = one.then { (number: Int) -> Any? in
      if number == 1 { return "typed" }
      return 1
    }
    XCTAssertEqual(try value(of: typed), "typed")
    let typedNil = one.then { (number: Int) -> Any? in
      if number == 1 { return nil }
      return "text"
    }
    XCTAssertNil(try value(of: typedNil, as: Any?.self))
    let onContext = one.thenOn(.main) { value in
      if value is Int { return "context" }
      return nil
    }
    XCTAssertEqual(try value(of: onContext), "context")
    let onMain = one.thenOnMain { value in
      if value is Int { return "main" }
      return 1
    }
    XCTAssertEqual(try value(of: onMain), "main")
    let typedOnMain = one.thenOnMain { (number: Int) -> Any? in
      if number == 1 { return "typed main" }
      return 1
    }
    XCTAssertEqual(try value(of: typedOnMain), "typed main")
    let caught = failed.catchOn(.main) { reason in
      if reason is NumberedError { return "caught" }
      return 1
    }
    XCTAssertEqual(try value(of: caught), "caught")
    let typedCatch = failed.catch { (error: NumberedError) -> Any? in
      if error.number == 1 { return "typed catch" }
      return 1
    }
    XCTAssertEqual(try value(of: typedCatch), "typed catch")
    let both = failed.then(
      { value in
        if value is Int { return 1 }
        return "one"
      },
      { reason in
        if reason is NumberedError { return "both" }
        return nil
      })
    XCTAssertEqual(try value(of: both), "both")
    let half = one.then(
      { _ in 1 },
      { reason in
        if reason is NumberedError { return "half" }
        return nil
      })
    XCTAssertEqual(try value(of: half), 1)
  }

  // Spec: H5.1
  func testNilLiteralBesideEveryShape() throws {
    let twoTypes = one.then(
      { value in
        if value as? Int == 1 { return "x" }
        return 1
      }, nil)
    XCTAssertEqual(try value(of: twoTypes), "x")
    let rejectionOfTwoTypes = failed.then(
      nil,
      { reason in
        if reason is NumberedError { return "y" }
        return 1
      })
    XCTAssertEqual(try value(of: rejectionOfTwoTypes), "y")
    _ = try value(of: one.then({ _ in }, nil), as: Void.self)
    XCTAssertEqual(try reason(of: one.then({ _ in throw NumberedError(2) }, nil)), NumberedError(2))
    XCTAssertEqual(try value(of: one.thenOn(.main, { (number: Int) in number + 1 }, nil)), 2)
    XCTAssertEqual(try value(of: failed.thenOn(.main, nil) { _ in 3 }), 3)
    XCTAssertEqual(try value(of: failed.thenOnMain(nil, { _ in 4 })), 4)
    XCTAssertEqual(try value(of: one.thenOnMain({ $0 }, nil)), 1)
    XCTAssertEqual(try value(of: one.thenOnMain(nil, nil)), 1)
    XCTAssertEqual(try value(of: one.thenOnMain(nil)), 1)
    XCTAssertEqual(try value(of: one.thenOn(.main, nil)), 1)
    XCTAssertEqual(try reason(of: failed.catch(nil)), NumberedError(1))
  }

  // Spec: H6.5, X2.5
  func testAsyncHandlersOnMain() throws {
    let onMain = one.thenOnMain { value in
      MainActor.assertIsolated()
      await Task.yield()
      return "\(value)"
    }
    XCTAssertEqual(try value(of: onMain), "1")
    let typed = one.thenOnMain { (number: Int) in
      await Task.yield()
      MainActor.assertIsolated()
      return NotSendable(number)
    }
    XCTAssertEqual(try value(of: typed.then { (object: NotSendable) in object.number }), 1)
    let caught = failed.catchOnMain { _ in
      await Task.yield()
      return 5
    }
    XCTAssertEqual(try value(of: caught), 5)
  }

  // Spec: H6.5
  func testAsyncHandlersOnNamedContexts() throws {
    let onContext = one.thenOn(.serial("async")) { value in
      await Task.yield()
      return value as! Int + 1
    }
    XCTAssertEqual(try value(of: onContext), 2)
    let typed = one.thenOn(.main) { (number: Int) in
      await Task.yield()
      return number + 2
    }
    XCTAssertEqual(try value(of: typed), 3)
    let caught = failed.catchOn(.main) { _ in
      await Task.yield()
      return 5
    }
    XCTAssertEqual(try value(of: caught), 5)
    let cleaned = one.finally { await Task.yield() }
    XCTAssertEqual(try value(of: cleaned), 1)
    XCTAssertEqual(try value(of: one.finallyOn(.main) { await Task.yield() }), 1)
    let failing = one.finallyOnMain {
      await Task.yield()
      MainActor.assertIsolated()
      throw NumberedError(6)
    }
    XCTAssertEqual(try reason(of: failing), NumberedError(6))
  }

  // Spec: H6.7
  func testAsyncHandlersForErrorsOfOneType() throws {
    let take: @Sendable (NumberedError) async -> Int = { error in
      await Task.yield()
      return error.number
    }
    XCTAssertEqual(try value(of: failed.catch { (error: NumberedError) in await take(error) }), 1)
    XCTAssertEqual(try value(of: failed.catchOn(.main) { (error: NumberedError) in await take(error) }), 1)
    let onMain = failed.catchOnMain { (error: NumberedError) in
      let number = await take(error)
      MainActor.assertIsolated()
      return number
    }
    XCTAssertEqual(try value(of: onMain), 1)
    let others = [
      failed.catch { (error: PromiseError) in await take(NumberedError(2)) },
      failed.catchOn(.main) { (error: PromiseError) in await take(NumberedError(2)) },
      failed.catchOnMain { (error: PromiseError) in await take(NumberedError(2)) },
    ]
    for other in others { XCTAssertEqual(try reason(of: other), NumberedError(1), "is passed on") }
  }

  // Spec: H3.8
  func testThrowingShapes() throws {
    XCTAssertEqual(try reason(of: one.thenOnMain { _ in throw NumberedError(2) }), NumberedError(2))
    XCTAssertEqual(try reason(of: one.thenOn(.main) { _ in throw NumberedError(3) }), NumberedError(3))
    XCTAssertEqual(try reason(of: one.then { (_: Int) in throw NumberedError(4) }), NumberedError(4))
    XCTAssertEqual(try reason(of: failed.catch { (error: NumberedError) in throw error }), NumberedError(1))
    XCTAssertEqual(try reason(of: failed.catchOnMain { throw $0 }), NumberedError(1))
    XCTAssertEqual(try reason(of: one.finallyOnMain { throw NumberedError(5) }), NumberedError(5))
  }

  /// What a body does with an input that has no annotation must not make it an input of some other type: a
  /// string interpolation takes values of many types, and each of them could be what is meant.
  // Spec: H4.1
  func testInputWithoutAnnotationIsAny() throws {
    XCTAssertEqual(try value(of: one.then { value in "\(value)" }), "1")
    XCTAssertEqual(try value(of: one.then { "\($0)" }), "1")
    XCTAssertEqual(try value(of: one.then { String(describing: $0) }), "1")
    XCTAssertEqual(try value(of: one.then { Promise.resolved("got \($0)") }), "got 1")
    XCTAssertEqual(try value(of: one.then { value in [value].count }), 1)
    XCTAssertEqual(try value(of: one.then({ value in "\(value)" }, { "\($0)" })), "1")
    XCTAssertEqual(try value(of: one.then({ value in "\(value)" }, nil)), "1")
    XCTAssertEqual(try value(of: one.thenOn(.main) { value in "\(value)" }), "1")
    XCTAssertEqual(try value(of: one.thenOnMain { value in "\(value)" }), "1")
    XCTAssertEqual(try value(of: failed.catch { "\(type(of: $0))" }), "NumberedError")
    let awaited = one.then { value in
      await Task.yield()
      return "\(value)"
    }
    XCTAssertEqual(try value(of: awaited), "1")
    _ = try value(of: one.then { value in print(value, terminator: "") }, as: Void.self)
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
