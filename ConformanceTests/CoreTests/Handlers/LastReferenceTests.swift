// A call settles a promise that only the promise's child retains. If a `deinit` cancels the child at that
// moment, the promise must not be freed too early. Only Address Sanitizer detects such a release.

import DynamicPromise
import XCTest

final class LastReferenceTests: XCTestCase {
  /// Cancels `promise` when the object is deallocated.
  private final class Canceller: @unchecked Sendable {
    var promise: Promise?

    deinit { promise?.cancel() }
  }

  /// When the child settles, it releases the root, and the root's value is freed. The value's `deinit`
  /// cancels the grandchild, which then releases the last reference to the child.
  private func check(lastOn last: some ExecutionContext) throws {
    let context = SteppedContext()
    let grandchild: Promise
    do {
      let (root, resolver) = Promise.pending(on: context)
      grandchild = root.then { _ in 1 }.thenOn(last) { $0 }
      let canceller = Canceller()
      canceller.promise = grandchild
      resolver.fulfill(canceller)
    }
    // Now only the root retains the value, and only the pending child and its job retain the root.
    context.drain()
    XCTAssertTrue(try grandchild.reason() is CancellationError)
  }

  // Spec: H10.6
  func testRootsValueCancelsTheGrandchildThatIsNext() throws { try check(lastOn: .immediate) }

  // Spec: H10.6
  func testRootsValueCancelsTheGrandchildThatIsToBeScheduled() throws {
    try check(lastOn: SteppedContext())
    try check(lastOn: DispatchQueue(label: "last"))
  }
}
