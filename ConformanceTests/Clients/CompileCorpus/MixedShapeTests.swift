import DynamicPromise
import TestSupport
import XCTest

/// Combinations of shapes, for which overloads are most likely to be ambiguous.
final class MixedShapeTests: XCTestCase {
  private let one = Promise.resolved(1)
  private let failed = Promise.rejected(NumberedError(1))

  // Spec: H3.7
  func testTwoTypesFromEveryShape() throws {
    let children: [Promise] = [
      one.then { (number: Int) -> Any? in
        if number == 1 { return "x" }
        return 1
      },
      one.thenOnMain { value in
        if value is Int { return "x" }
        return 1
      },
      one.thenOnMain { (number: Int) -> Any? in
        if number == 1 { return "x" }
        return 1
      },
      failed.catchOn(.main) { reason in
        if reason is NumberedError { return "x" }
        return 1
      },
      failed.catch { (error: NumberedError) -> Any? in
        if error.number == 1 { return "x" }
        return 1
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
      one.then(
        { _ in "x" },
        { reason in
          if reason is NumberedError { return "half" }
          return nil
        }),
    ]
    expect(children, toGive: "x")
  }

  // Spec: H6.7
  func testAsyncHandlersForErrorsOfOneType() throws {
    let others = [
      failed.catch { (_: PromiseError) in try await later(2) },
      failed.catchOn(.main) { (_: PromiseError) in try await later(2) },
      failed.catchOnMain { (_: PromiseError) in try await later(2) },
    ]
    for other in others { XCTAssertEqual(try reason(of: other), NumberedError(1), "the error is passed on") }
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
    XCTAssertEqual(try value(of: one.then { Promise.resolved("got \($0)") }), "got 1")
    XCTAssertEqual(try value(of: one.then { value in [value].count }), 1)
    XCTAssertEqual(try value(of: failed.catch { "\(type(of: $0))" }), "NumberedError")
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
