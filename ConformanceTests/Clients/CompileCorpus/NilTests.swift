import Dispatch
import DynamicPromise
import TestSupport
import XCTest

/// `nil` as a value, as a context, and as a handler's input.
final class NilTests: XCTestCase {
  private let home = MarkedQueue()
  private var queue: DispatchQueue { home.queue }

  // Spec: H10.1
  func testNilLiteralsAreValues() throws {
    let (promise, resolver) = Promise.pending()
    resolver.resolve(nil)
    let (another, other) = Promise.pending()
    other.fulfill(nil)
    let fulfilled = Promise()
    fulfilled.fulfill(nil)
    let resolved = Promise()
    resolved.resolve(nil)
    for child in [promise, another, fulfilled, resolved, .resolved(nil), .resolved(nil, on: .immediate)] {
      XCTAssertNil(try value(of: child, as: Int?.self))
      XCTAssertEqual(try value(of: child.then { (number: Int?) in number == nil }), true)
    }
  }

  // Spec: H10.1
  func testNilLiteralsAreReasons() throws {
    let promise = Promise()
    promise.reject(nil)
    for child in [promise, .rejected(nil), .rejected(nil, on: .immediate)] {
      guard case .rejected = try reason(of: child, as: PromiseError.self) else {
        return XCTFail("\(child)")
      }
    }
  }

  // Spec: H10.1
  func testOptionalVariablesAreWhatTheyHold() throws {
    let number: Int? = 1
    let error: (any Error)? = NumberedError(2)
    let inner: Promise? = .resolved(3)
    let promise = Promise()
    promise.fulfill(number)
    XCTAssertEqual(try value(of: promise), 1)
    XCTAssertEqual(try value(of: .resolved(number)), 1)
    XCTAssertEqual(try reason(of: .resolved(error)), NumberedError(2))
    XCTAssertEqual(try reason(of: .rejected(error)), NumberedError(2))
    XCTAssertEqual(try value(of: .resolved(inner)), 3)
  }

  /// A cast to `Any?` keeps `nil`, and does not wrap another Optional.
  // Spec: H2.7
  func testTheCastToAnOptionalOfAnythingLooksThrough() throws {
    XCTAssertNil(try Promise.resolved(Int?.none).get(as: Any?.self))
    XCTAssertEqual(try Promise.resolved(1).get(as: Any?.self) as? Int, 1)
  }

  // Spec: H1.4, H1.5
  func testSettledPromisesOnAContext() throws {
    let home = home
    for promise in [Promise.resolved(1, on: queue), .resolved(Promise.resolved(1), on: queue)] {
      XCTAssertEqual(try value(of: promise.then { home.isCurrent }), true)
    }
    XCTAssertEqual(try value(of: Promise.rejected("no", on: queue).catch { _ in home.isCurrent }), true)
    XCTAssertEqual(try value(of: Promise.resolved(1, on: nil).then { _ in home.isCurrent }), false)
  }

  // Spec: X1.8
  func testNoContextIsTheDefault() throws {
    let home = home
    let noQueue: DispatchQueue? = nil
    let some: DispatchQueue? = DispatchQueue(label: "another")
    let anything: (any ExecutionContext)? = nil
    let one = Promise.resolved(1, on: queue)
    let failed = Promise.rejected("no", on: queue)
    let here = [
      one.thenOn(nil) { home.isCurrent }, one.thenOn(noQueue) { _ in home.isCurrent },
      one.thenOn(anything, { _ in home.isCurrent }, nil),
      one.thenOn(nil) {
        await Task.yield(); return true
      },
      failed.catchOn(nil) { _ in home.isCurrent }, failed.catchOn(noQueue) { home.isCurrent },
      one.finallyOn(anything) { if !home.isCurrent { throw NumberedError(1) } }.then { true },
    ]
    for child in here { XCTAssertEqual(try value(of: child), true) }
    XCTAssertEqual(try value(of: one.thenOn(some) { _ in home.isCurrent }), false)
    let made = [
      Promise(on: noQueue) { $0.fulfill(1) }, Promise.task(on: anything) { 1 }, Promise.all([1], on: noQueue),
      Promise.delay(0, on: nil),
    ]
    for promise in made { XCTAssertEqual(try value(of: promise.then { home.isCurrent }), false) }
    let (pending, resolver) = Promise.pending(on: noQueue)
    resolver.fulfill(1)
    XCTAssertEqual(try value(of: pending.then { home.isCurrent }), false)
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
