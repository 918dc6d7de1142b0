import DynamicPromise
import TestSupport
import XCTest

/// Handlers that name the type that they expect.
final class TypedHandlerTests: XCTestCase {
  // Spec: H4.2, X3.2
  func testValueIsCast() throws {
    XCTAssertEqual(try value(of: Promise.resolved(1).then { (number: Int) in number + 1 }), 2)
    XCTAssertEqual(try value(of: Promise.resolved("a").then { (text: String) -> Any in text + "b" }), "ab")
    let derived = Promise.resolved(Derived())
    XCTAssertEqual(try value(of: derived.then { (object: Base) in object.name }), "derived")
    XCTAssertEqual(try value(of: derived.then { (object: any Named) in object.name }), "derived")
    let onContext = Promise.resolved(1).thenOn(.serial("typed")) { (number: Int) in number + 1 }
    XCTAssertEqual(try value(of: onContext), 2)
    XCTAssertEqual(
      try value(of: Promise.resolved(1).then { (number: Int) in Promise.resolved(number + 1) }), 2)
    _ = try value(of: Promise.resolved(1).then { (_: Int) in }, as: Void.self)
  }

  // Spec: H4.2
  func testOptionalInputTakesNil() throws {
    let handler: @Sendable (Int?) -> String = { $0.map { "\($0)" } ?? "none" }
    XCTAssertEqual(try value(of: Promise.resolved(Int?.none as Any).then(handler)), "none")
    XCTAssertEqual(try value(of: Promise.resolved(Any?.none as Any).then(handler)), "none")
    XCTAssertEqual(try value(of: Promise.resolved(3).then(handler)), "3")
  }

  // Spec: H4.3
  func testOtherTypeRejects() throws {
    let ran = Recorded(false)
    let child = Promise.resolved("text").then { (_: Int) in ran.change { $0 = true } }
    guard case .typeMismatch(let expected, let found, _, _) = try reason(of: child, as: PromiseError.self)
    else {
      return XCTFail("rejected with \(String(describing: child.result))")
    }
    XCTAssertTrue(expected == Int.self)
    XCTAssertTrue(found == String.self)
    XCTAssertFalse(ran.value)
  }

  // Spec: H4.3
  func testMismatchSkipsTheRejectionHandlerOfTheSameThen() throws {
    let child = Promise.resolved("text").then({ (_: Int) in 1 }, { _ in 2 })
    guard case .typeMismatch = try reason(of: child, as: PromiseError.self) else {
      return XCTFail("rejected with \(String(describing: child.result))")
    }
    XCTAssertEqual(try value(of: child.catch { _ in 3 }), 3)
  }

  // Spec: H4.4
  func testRejectionPassesATypedHandlerBy() throws {
    let child = Promise.rejected(NumberedError(1)).then { (number: Int) in number }
    XCTAssertEqual(try reason(of: child), NumberedError(1))
  }

  // Spec: H4.5
  func testTypedCatchRunsForItsTypeOnly() throws {
    let failed = Promise.rejected(NumberedError(1))
    XCTAssertEqual(try value(of: failed.catch { (error: NumberedError) in error.number + 1 }), 2)
    let other = failed.catch { (error: PromiseError) in "\(error)" }
    XCTAssertEqual(try reason(of: other), NumberedError(1))
    let passed = Promise.resolved(4).catch { (error: NumberedError) in error.number }
    XCTAssertEqual(try value(of: passed), 4)
  }

  /// A handler's input may have the type of a reason that `reject` wrapped.
  // Spec: H4.5
  func testAWrappedReasonByItsType() throws {
    let failed = Promise.rejected("no such user")
    XCTAssertEqual(try value(of: failed.catch { (text: String) in text.count }), 12)
    XCTAssertEqual(try value(of: failed.catchOnMain { (text: String) in text }), "no such user")
    let suspended = failed.catch { (text: String) in
      await Task.yield()
      return text
    }
    XCTAssertEqual(try value(of: suspended), "no such user")
    let another = failed.catch { (number: Int) in number }
    guard case .rejected = try reason(of: another, as: PromiseError.self) else {
      return XCTFail("\(another)")
    }
    let cancelled = Promise()
    cancelled.cancel("closed")
    let afterwards = cancelled.catch { (text: String) in text }
    XCTAssertThrowsError(try outcome(of: afterwards).get(), "a cancellation is not a wrapped reason")
  }
}

private protocol Named: Sendable { var name: String { get } }

private class Base: @unchecked Sendable {
  var name: String { "base" }
}

private final class Derived: Base, Named, @unchecked Sendable {
  override var name: String { "derived" }
}
