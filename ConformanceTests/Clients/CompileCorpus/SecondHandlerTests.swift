import Dispatch
import DynamicPromise
import TestSupport
import XCTest

/// Two handlers: one is typed, `async` or `nil`, and the other may return any type.
final class SecondHandlerTests: XCTestCase {
  private let one = Promise.resolved(1)
  private let failed = Promise.rejected(NumberedError(1))
  private let queue = DispatchQueue(label: "second handler")

  // Spec: H3.7, H4.2
  func testTypedBesideTwoTypesOrNil() throws {
    let children = [
      failed.then({ (number: Int) in number }, { _ -> Any? in nil }),
      failed.thenOn(queue, { (number: Int) in number }, { _ -> Any? in nil }),
      failed.thenOnMain({ (number: Int) in number }, { _ -> Any? in nil }),
      one.then({ (_: Int) -> Any? in nil }, { _ in 1 }),
    ]
    for child in children { XCTAssertNil(try value(of: child, as: Any?.self)) }
    let recovered = failed.then({ (number: Int) in number }) { reason -> Any? in
      if reason is NumberedError { return "x" }
      return 1
    }
    XCTAssertEqual(try value(of: recovered), "x")
  }

  // Spec: H3.7, H4.2, H5.1
  func testTypedOfTwoTypesBesideTheOther() throws {
    let twoTypes: [Promise] = [
      one.then({ (number: Int) -> Any? in number == 1 ? "y" : nil }, nil),
      one.then(
        { (number: Int) -> Any? in
          if number == 1 { return "y" }
          return 1
        }, { _ in 1 }),
      one.thenOn(queue, { (number: Int) -> Any? in number == 1 ? "y" : nil }, nil),
      one.thenOn(queue, { (number: Int) -> Any? in number == 1 ? "y" : nil }, { _ in 1 }),
      one.thenOnMain({ (number: Int) -> Any? in number == 1 ? "y" : nil }, nil),
      one.thenOnMain({ (number: Int) -> Any? in number == 1 ? "y" : nil }, { _ in 1 }),
    ]
    expect(twoTypes, toGive: "y")
  }

  /// Bodies with several statements. The compiler does not use their result types to choose an overload.
  // Spec: H4.2, H5.1
  func testStatementsBesideNil() throws {
    let typed = one.then(
      { (number: Int) in
        let sum = number + 1
        return sum
      }, nil)
    XCTAssertEqual(try value(of: typed), 2)
    let both = one.then(
      { (number: Int) in
        let sum = number + 1
        return sum
      },
      { reason in
        _ = reason
        return 0
      })
    XCTAssertEqual("\(try value(of: both, as: Any.self))", "2", "unchanged, not wrapped in an Optional")
    let caught = failed.thenOn(queue, nil) { reason in
      let error = reason as? NumberedError
      return error?.number ?? 0
    }
    XCTAssertEqual(try value(of: caught), 1)
    XCTAssertEqual(try reason(of: one.then({ (_: Int) in throw NumberedError(2) }, nil)), NumberedError(2))
    let throwing = one.then({ (_: Int) in throw NumberedError(2) }, { throw $0 })
    XCTAssertEqual(try reason(of: throwing), NumberedError(2))
  }

  /// Bodies with several statements and no `return`. The compiler must not expect such a body to return an
  /// `Any?`.
  // Spec: H3.1
  func testStatementsThatReturnNothing() throws {
    let seen = Recorded(0)
    let count: @Sendable () -> Void = { seen.change { $0 += 1 } }
    let values = [
      one.then { (_: Int) in
        count()
        count()
      },
      one.thenOn(queue) { (number: Int) in
        if number == 2 { return }
        count()
        count()
      },
      one.thenOnMain { (_: Int) in
        count()
        count()
      },
      one.then { (_: Int) in
        await Task.yield()
        count()
        count()
      },
      one.then(
        { (_: Int) in
          count()
          count()
        },
        { _ in
          count()
          count()
        }),
      failed.catch { (_: NumberedError) in
        count()
        count()
      },
      failed.catchOnMain { (_: NumberedError) in
        count()
        count()
      },
    ]
    for child in values { _ = try value(of: child, as: Void.self) }
    XCTAssertEqual(seen.value, values.count * 2)
  }

  // Spec: H5.1, H6.5
  func testAsyncBesideNil() throws {
    let values = [
      one.thenOn(queue, { try await later($0 as! Int) }, nil),
      one.thenOnMain({ try await later($0 as! Int) }, nil),
      one.then({ try await later($0 as! Int) }, nil),
    ]
    for child in values {
      XCTAssertEqual("\(try value(of: child, as: Any.self))", "1", "unchanged, not wrapped in an Optional")
    }
  }

  // Spec: H3.7, H6.5, H6.7
  func testTwoTypesFromAsyncHandlersOfEveryKind() throws {
    let values: [Promise] = [
      one.thenOn(queue) { value in
        if try await later(value as! Int) == 1 { return "z" }
        return 1
      },
      one.then(
        { value in
          if try await later(value as! Int) == 1 { return "z" }
          return nil
        }, { _ in 1 }),
      one.thenOn(queue) { (number: Int) -> Any? in try await later(number) == 1 ? "z" : nil },
      one.thenOnMain { (number: Int) -> Any? in try await later(number) == 1 ? "z" : nil },
      failed.catch { (error: NumberedError) -> Any? in try await later(error.number) == 1 ? "z" : nil },
      failed.catchOn(queue) { (error: NumberedError) -> Any? in
        if try await later(error.number) == 1 { return "z" }
        return 1
      },
      failed.catchOnMain { (error: NumberedError) -> Any? in
        if try await later(error.number) == 1 { return "z" }
        return 1
      },
    ]
    expect(values, toGive: "z")
  }

  // Spec: H5.2, H6.5
  func testOptionalAsyncVariables() throws {
    let handler: (@Sendable (Any) async throws -> Int)? = { try await later($0 as! Int + 1) }
    let typed: (@Sendable (Int) async throws -> Int)? = { try await later($0 + 1) }
    let recover: (@Sendable (any Error) async throws -> Int)? = { _ in try await later(3) }
    let values = [
      one.then(handler), one.then(handler, nil), one.then(handler, recover), one.thenOn(queue, handler),
      one.thenOn(queue, handler, nil), one.then(typed), one.thenOn(queue, typed),
      one.then(handler, { _ in 0 }),
    ]
    expect(values, toGive: 2)
    let recovered = [
      failed.then(nil, recover), failed.catch(recover), failed.catchOn(queue, recover),
      failed.thenOn(queue, nil, recover),
    ]
    expect(recovered, toGive: 3)
    let none: (@Sendable (Any) async throws -> Int)? = nil
    XCTAssertEqual(try value(of: one.then(none)), 1)
    XCTAssertEqual(try reason(of: failed.then(none, nil)), NumberedError(1))
    let onMain: (@MainActor (Any) async throws -> Int)? = { try await later($0 as! Int + 1) }
    let catching: (@MainActor (any Error) async throws -> Int)? = nil
    XCTAssertEqual(try value(of: one.thenOnMain(onMain)), 2)
    XCTAssertEqual(try value(of: one.thenOnMain(onMain, catching)), 2)
    XCTAssertEqual(try reason(of: failed.catchOnMain(catching)), NumberedError(1))
  }
}
