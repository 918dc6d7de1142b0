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
  func testNoArgumentMeansVoid() throws {
    let (promise, resolver) = Promise.pending()
    resolver.fulfill()
    let open = Promise()
    open.fulfill()
    for promise in [promise, open, Promise.resolved()] {
      XCTAssertTrue(promise.isFulfilled)
      XCTAssertTrue(try promise.result?.get() is Void)
    }
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
